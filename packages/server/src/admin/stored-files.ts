import { createHash } from 'node:crypto';
import { open, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

import type { Config } from '../config/load-config.ts';
import { errorCode } from '../platform/errors/error-code.ts';
import { assertFileHash, type FileStore } from '../platform/files/file-store.ts';
import { createLocalFileStore } from '../platform/files/local-file-store.ts';
import { checkS3 } from '../platform/files/s3/check-s3.ts';
import { listFiles } from '../platform/files/s3/list-files.ts';
import { deleteObject } from '../platform/files/s3/remove-unfinished.ts';
import { openS3, type S3 } from '../platform/files/s3/s3-client.ts';
import { createS3FileStore } from '../platform/files/s3/s3-file-store.ts';
import { readObject } from '../platform/files/s3/s3-read.ts';
import { storedHashes } from '../platform/files/stored-hashes.ts';
import type { FileName, StoreName } from './named-files.ts';

interface Listed {
  readonly hash: string;
  readonly size: number;
  /** Milliseconds since 1970. */
  readonly modifiedAt: number;
}

/** The files of an installation as they are. Reading repairs nothing and removes nothing. */
export interface StoredFiles extends AsyncDisposable {
  /** For people. */
  readonly place: string;
  readonly s3: S3 | undefined;
  /** In the order of their hashes. */
  list(store: StoreName, signal: AbortSignal): AsyncGenerator<Listed>;
  /** The bytes may not have the hash. `undefined` when there is no such file. */
  open(store: StoreName, hash: string, signal: AbortSignal): Promise<Readable | undefined>;
  remove(store: StoreName, hash: string): Promise<void>;
  /** To put files. */
  openStore(store: StoreName): Promise<FileStore & { close(): Promise<void> }>;
}

const NO_LINKS = { sign: () => '' };

/** The files of the installation that the settings name. */
export async function openStoredFiles({ s3: settings, dataFolder }: Config): Promise<StoredFiles> {
  if (!settings) return filesOnDisk(dataFolder);
  const s3 = await openS3(settings);
  try {
    await checkS3(s3);
  } catch (error) {
    s3.close();
    throw error;
  }
  const keyOf = (store: StoreName, hash: string): string => {
    assertFileHash(hash);
    return `${s3.prefix}${store}/${hash}`;
  };
  return {
    place: `s3://${s3.bucket}/${s3.prefix}`,
    s3,
    list: (store, signal) => listFiles(s3, store, signal),
    async open(store, hash, signal) {
      const opened = await readObject(s3, keyOf(store, hash), { start: 0, end: undefined }, signal);
      return opened?.stream;
    },
    remove: async (store, hash) => await deleteObject(s3, keyOf(store, hash)),
    openStore: async (store) =>
      await createS3FileStore({
        s3,
        name: store,
        spoolFolder: join(dataFolder, 'spool', store),
        signer: NO_LINKS,
      }),
    [Symbol.asyncDispose]: async () => await Promise.resolve(s3.close()),
  };
}

export function pathOf(folder: string, store: StoreName, hash: string): string {
  assertFileHash(hash);
  return join(folder, store, hash.slice(0, 2), hash.slice(2, 4), hash);
}

/** Stores in a folder: of an installation, or of a backup. */
export function filesOnDisk(folder: string): StoredFiles {
  return {
    place: folder,
    s3: undefined,
    async *list(store) {
      for await (const hash of storedHashes(join(folder, store), '')) {
        const found = await ifThere(stat(pathOf(folder, store, hash)));
        // It may have been deleted since it was listed.
        if (found) yield { hash, size: found.size, modifiedAt: found.mtimeMs };
      }
    },
    async open(store, hash, signal) {
      const handle = await ifThere(open(pathOf(folder, store, hash)));
      return handle?.createReadStream({ signal });
    },
    remove: async (store, hash) => await rm(pathOf(folder, store, hash), { force: true }),
    openStore: async (store) => await createLocalFileStore({ folder: join(folder, store), signer: NO_LINKS }),
    [Symbol.asyncDispose]: async () => await Promise.resolve(),
  };
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  return await work.catch((error: unknown) => {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  });
}

export async function hasFile(files: StoredFiles, { store, hash }: FileName, signal: AbortSignal) {
  const stream = await files.open(store, hash, signal);
  stream?.destroy();
  return stream !== undefined;
}

export async function sha256Of(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipeline(stream, hash);
  return hash.digest('hex');
}
