import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline, type Readable } from 'node:stream';
import { pipeline as pipelined } from 'node:stream/promises';

import { randomToken } from '../../ids.ts';
import { createDiskThreads } from '../disk-threads.ts';
import {
  assertFileHash,
  assertRange,
  type FileStore,
  type PutOptions,
  type StoredFile,
} from '../file-store.ts';
import { moveTo, READ_ONLY } from '../link-files.ts';
import { measureSource, tooLarge } from '../measure-source.ts';
import { removeAbandoned } from '../remove-abandoned.ts';
import type { UrlSigner } from '../signed-urls.ts';
import { corruptFile, hashedOnTheWay } from '../verified-files.ts';
import { deleteObject, incomingPrefix, removeUnfinished } from './remove-unfinished.ts';
import type { S3 } from './s3-client.ts';
import { orOutage, refusalOf } from './s3-errors.ts';
import { readObject, sizeOf } from './s3-read.ts';
import { toBase64, type UploadLimits, uploadFile } from './s3-upload.ts';

interface S3FileStoreOptions extends Partial<UploadLimits> {
  readonly s3: S3;
  /** Part of every key, because several stores share the bucket. */
  readonly name: string;
  /** On this machine: files are hashed there before they are sent. */
  readonly spoolFolder: string;
  readonly signer: Pick<UrlSigner, 'sign'>;
  /** Called once for every file that no longer hashes to its name. */
  readonly onCorrupt?: (hash: string) => void;
  /** Called with the reason when the service refuses a file. */
  readonly onRefused?: ((said: string) => void) | undefined;
}

interface S3FileStore extends FileStore {
  /** Removes what was not finished within a day: uploads in parts, which services keep forever, and files from clients. */
  tidy(signal?: AbortSignal): Promise<void>;
  close(): Promise<void>;
}

const MULTIPART_BYTES = 2 ** 30;
const PART_BYTES = 64 * 2 ** 20;
/** Copies gigabytes inside of the service. */
const COPY_MS = 5 * 60_000;

/** Files in a bucket: `<prefix><name>/<hash>`, `<prefix>corrupt/<name>/<hash>`, and `<prefix>incoming/<name>/` for files from clients. */
export async function createS3FileStore(options: S3FileStoreOptions): Promise<S3FileStore> {
  const { s3, name, spoolFolder, signer, onCorrupt, onRefused } = options;
  const limits = {
    multipartBytes: options.multipartBytes ?? MULTIPART_BYTES,
    partBytes: options.partBytes ?? PART_BYTES,
  };
  const { links } = s3;
  const disk = createDiskThreads();
  await mkdir(spoolFolder, { recursive: true, mode: 0o700 });
  await removeAbandoned(spoolFolder);

  function keyOf(hash: string): string {
    assertFileHash(hash);
    return `${s3.prefix}${name}/${hash}`;
  }

  function sentKeyOf(ticket: string): string {
    if (!/^[\w-]{16,64}$/.test(ticket)) throw new TypeError('A ticket has letters, digits and hyphens.');
    return `${incomingPrefix(s3, name)}${ticket}`;
  }

  const asideKeyOf = (hash: string): string => `${s3.prefix}corrupt/${name}/${hash}`;

  /** Reports a file that the service refuses. */
  async function noted(write: Promise<void>): Promise<void> {
    await write.catch((error: unknown) => {
      const said = refusalOf(error);
      if (said !== undefined) onRefused?.(said);
      throw error;
    });
  }

  /** With `etag`, fails if the object has changed. */
  async function copyKey(from: string, to: string, etag?: string): Promise<void> {
    const copy = new s3.sdk.CopyObjectCommand({
      Bucket: s3.bucket,
      Key: to,
      CopySource: encodeURI(`${s3.bucket}/${from}`),
      ...(etag !== undefined && { CopySourceIfMatch: etag }),
    });
    await orOutage(s3.client.send(copy, s3.within(undefined, COPY_MS)));
  }

  /** Moves a corrupt file away, so that it can be repaired. Putting the content again heals the file. */
  async function setAside(hash: string): Promise<void> {
    // It may have been damaged only on its way here.
    const again = await readObject(s3, keyOf(hash), { start: 0, end: undefined }, undefined);
    if (!again || (await hashOf(again.stream)) === hash) return;
    await copyKey(keyOf(hash), asideKeyOf(hash));
    await deleteObject(s3, keyOf(hash));
    onCorrupt?.(hash);
  }

  /** Sends the temporary file that `fill` makes. */
  async function putVia<File extends StoredFile>(
    fill: (temporary: string) => Promise<File>,
    { accept, signal }: PutOptions<File>,
  ): Promise<File> {
    const path = join(spoolFolder, randomToken(16));
    try {
      const file = await fill(path);
      signal?.throwIfAborted();
      await accept?.(file);
      await noted(uploadFile(s3, { path, key: keyOf(file.hash), file, signal }, limits));
      return file;
    } finally {
      await rm(path, { force: true });
    }
  }

  async function open(...[hash, given = {}]: Parameters<FileStore['open']>) {
    assertRange(given);
    const { start = 0, end, signal } = given;
    signal?.throwIfAborted();
    const opened = await readObject(s3, keyOf(hash), { start, end }, signal);
    if (!opened) {
      if ((await sizeOf(s3, asideKeyOf(hash), { signal })) !== undefined) throw corruptFile();
      return undefined;
    }
    if (start > 0 || end !== undefined) return opened;
    const hashed = hashedOnTheWay(hash, async (isSound) => {
      if (!isSound) await setAside(hash);
    });
    // The reader of the last stream sees failures.
    return { size: opened.size, stream: pipeline(opened.stream, hashed, () => undefined) };
  }

  async function copyTo(hash: string, path: string): Promise<boolean> {
    const opened = await open(hash);
    if (!opened) return false;
    const temporary = join(spoolFolder, randomToken(16));
    try {
      await pipelined(opened.stream, createWriteStream(temporary, { flags: 'wx', mode: READ_ONLY }));
      await moveTo(temporary, path);
      return true;
    } finally {
      await rm(temporary, { force: true });
    }
  }

  /** Uploads have their own names: a client must send the bytes, not just know the hash of somebody else's file. */
  async function putSent(...[ticket, given]: Parameters<NonNullable<FileStore['putSent']>>) {
    const from = sentKeyOf(ticket);
    const opened = await readObject(s3, from, { start: 0, end: undefined }, given.signal);
    if (!opened) return undefined;
    const [path, taken] = [join(spoolFolder, randomToken(16)), join(spoolFolder, randomToken(16))];
    try {
      if (opened.size > given.maxBytes) {
        opened.stream.destroy();
        throw tooLarge(given.maxBytes);
      }
      await pipelined(opened.stream, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
      const file = await disk.take(path, taken, { ...given, isDurable: false });
      await given.accept?.(file);
      if ((await sizeOf(s3, keyOf(file.hash))) === undefined)
        await noted(copyKey(from, keyOf(file.hash), opened.etag));
      return file;
    } finally {
      for (const each of [path, taken]) await rm(each, { force: true });
      await deleteObject(s3, from);
    }
  }

  return {
    async put(source, given) {
      const measured = measureSource(source, given);
      return await putVia(async (path) => {
        await pipelined(measured.chunks, createWriteStream(path, { flags: 'wx', mode: 0o600 }));
        return await measured.describe();
      }, given);
    },

    async putFile(path, given) {
      // The service makes it durable.
      const taking = { ...given, isDurable: false };
      return await putVia(async (temporary) => await disk.take(path, temporary, taking), given);
    },

    copyTo,

    async stat(hash) {
      const size = await sizeOf(s3, keyOf(hash));
      return size === undefined ? undefined : { size };
    },

    open,

    async delete(hash) {
      const { impatient: client } = s3;
      for (const key of [keyOf(hash), asideKeyOf(hash)]) {
        if ((await sizeOf(s3, key, { client })) === undefined) continue;
        await deleteObject(s3, key, client);
        return true;
      }
      return false;
    },

    async signedUrl(file, link) {
      return await Promise.resolve(signer.sign(file.hash, link));
    },

    ...(links && {
      directUrl: async (hash: string, link) => await links.download(keyOf(hash), link),
      async directUpload({ hash, size }, { seconds }) {
        const ticket = randomToken(16);
        const upload = await links.upload(sentKeyOf(ticket), { size, checksum: toBase64(hash), seconds });
        return { ticket, ...upload };
      },
      putSent,
    }),

    tidy: async (signal) => await removeUnfinished(s3, name, signal),
    close: disk.close,
  };
}

async function hashOf(stream: Readable): Promise<string> {
  const hash = createHash('sha256');
  await pipelined(stream, hash);
  return hash.digest('hex');
}
