import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, copyFile, link, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';

import { errorCode } from '../errors/error-code.ts';
import { randomToken } from '../ids.ts';
import { createDiskThreads } from './disk-threads.ts';
import {
  assertFileHash,
  assertRange,
  type FileStore,
  type PutOptions,
  type StoredFile,
} from './file-store.ts';
import { HARD_LINK_UNSUPPORTED, READ_ONLY } from './hard-links.ts';
import { measureSource } from './measure-source.ts';
import { removeAbandoned } from './remove-abandoned.ts';
import type { UrlSigner } from './signed-urls.ts';
import { storedHashes } from './stored-hashes.ts';
import { corruptFile, createVerifiedFiles, hashedOnTheWay } from './verified-files.ts';

export interface LocalFileStoreOptions {
  readonly folder: string;
  readonly signer: Pick<UrlSigner, 'sign'>;
  /** Hears once of every file that does not hash to its name any more. */
  readonly onCorrupt?: (hash: string) => void;
}

export interface LocalFileStore extends FileStore {
  /**
   * Reads stored files again, at most `maxBytes` and one file more, and goes on from there at the next call. Files that do
   * not hash to their names are set aside.
   */
  scrub(options: { readonly maxBytes: number; readonly signal?: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}

/** So much is hashed before the first byte is sent; the hash of a longer file is only known at its end. */
const CHECK_FIRST_BYTES = 1024 * 1024;

/** Files on this machine: `<folder>/ab/cd/abcd…`, `<folder>/tmp/` for what is not complete yet, `<folder>/corrupt/`. */
export async function createLocalFileStore({
  folder,
  signer,
  onCorrupt,
}: LocalFileStoreOptions): Promise<LocalFileStore> {
  const verified = createVerifiedFiles();
  const disk = createDiskThreads();
  /** Folders whose names are known to be on the disk. There are 65 536 at most. */
  const onDisk = new Set<string>();
  // Anywhere, so that servers that start often or share a folder do not all check the same files.
  let scrubbedTo = randomBytes(32).toString('hex');
  const temporaryFolder = join(folder, 'tmp');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  await removeAbandoned(temporaryFolder);

  function pathOf(hash: string): string {
    assertFileHash(hash);
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  function asidePathOf(hash: string): string {
    return join(folder, 'corrupt', hash);
  }

  /** Out of everybody's way but not lost: somebody may want to repair it. Putting the content again heals the file. */
  async function setAside(hash: string, version: Stats): Promise<void> {
    const path = pathOf(hash);
    const now = await ifThere(stat(path));
    if (now?.ino !== version.ino || now.mtimeMs !== version.mtimeMs) return;
    await mkdir(dirname(asidePathOf(hash)), { recursive: true, mode: 0o700 });
    const isMine = await ifThere(rename(path, asidePathOf(hash)).then(() => true));
    if (isMine) onCorrupt?.(hash);
  }

  /** Whether there is a file, and it is sound. What is not is set aside. */
  async function isSound(hash: string, signal?: AbortSignal): Promise<boolean> {
    await using handle = await ifThere(open(pathOf(hash), 'r'));
    if (!handle) return false;
    const version = await handle.stat();
    if (verified.has(hash, version) || (await verified.check(hash, handle, version, signal))) return true;
    await setAside(hash, version);
    return false;
  }

  /**
   * The temporary is complete and on the disk before it gets its name, and the name is on the disk after. False when there was such a file
   * already.
   */
  async function keep(
    temporary: string,
    { hash }: StoredFile,
    { isDurable = true }: Pick<PutOptions, 'isDurable'>,
  ): Promise<boolean> {
    const path = pathOf(hash);
    const inner = dirname(path);
    const parents = onDisk.has(inner) ? [] : [dirname(inner), folder];
    const syncFolders = isDurable ? [inner, ...parents] : [];
    const place = {
      kind: 'place',
      from: temporary,
      to: path,
      aside: asidePathOf(hash),
      syncFolders,
    } as const;
    /** False when what was there is gone again: set aside, or deleted by somebody who did not know of this put. */
    const isThere = async (): Promise<boolean> => {
      if (!(await isSound(hash))) return false;
      // It may have come as something that need not be durable, or a moment ago by a put that has not come to this yet.
      if (isDurable && !(await ifThere(syncPath(path).then(() => true)))) return false;
      for (const each of syncFolders) await syncPath(each);
      return true;
    };
    let placed = await disk.place(place);
    while (placed === 'taken' && !(await isThere())) placed = await disk.place(place);
    if (placed !== 'taken') verified.add(hash, placed);
    if (isDurable) onDisk.add(inner);
    return placed !== 'taken';
  }

  /** Lets `fill` make a temporary file, and keeps it. */
  async function putVia<File extends StoredFile>(
    fill: (temporary: string) => Promise<File>,
    options: PutOptions<File>,
  ): Promise<File> {
    const temporary = join(temporaryFolder, randomToken(16));
    try {
      const file = await fill(temporary);
      options.signal?.throwIfAborted();
      await options.accept?.(file);
      if (!(await keep(temporary, file, options))) await unlink(temporary);
      return file;
    } catch (error) {
      await rm(temporary, { force: true });
      throw error;
    }
  }

  return {
    async put(source, options) {
      const measured = measureSource(source, options);
      return await putVia(async (temporary) => {
        await writeOut(temporary, measured.chunks, options);
        return await measured.describe();
      }, options);
    },

    async putFile(path, options) {
      // Whatever becomes of the path from here on, this stays the file that was meant.
      return await putVia(async (temporary) => await disk.take(path, temporary, options), options);
    },

    async copyTo(hash, path) {
      const stored = pathOf(hash);
      const temporary = join(temporaryFolder, randomToken(16));
      const beside = join(dirname(path), `.${randomToken(16)}`);
      try {
        if (!(await isSound(hash))) {
          if (await ifThere(stat(asidePathOf(hash)))) throw corruptFile();
          return false;
        }
        const isThere = await ifThere(chmod(stored, READ_ONLY).then(() => true));
        if (!isThere || !(await ifThere(linkOrCopy(stored, temporary).then(() => true)))) return false;
        await rename(temporary, path).catch(async (error: unknown) => {
          if (errorCode(error) !== 'EXDEV') throw error;
          await copyFile(temporary, beside);
          await rename(beside, path);
        });
        await syncPath(dirname(path));
        return true;
      } finally {
        // Also after success: renaming one name of a file to another of its names does nothing.
        for (const each of [temporary, beside]) await rm(each, { force: true });
      }
    },

    async stat(hash) {
      const found = await ifThere(stat(pathOf(hash)));
      return found && { size: found.size };
    },

    async open(hash, options = {}) {
      assertRange(options);
      options.signal?.throwIfAborted();
      const handle = await ifThere(open(pathOf(hash), 'r'));
      if (!handle) {
        if (await ifThere(stat(asidePathOf(hash)))) throw corruptFile();
        return undefined;
      }
      try {
        const version = await handle.stat();
        const { size } = version;
        options.signal?.throwIfAborted();
        const isKnown = verified.has(hash, version);
        if (!isKnown && size <= CHECK_FIRST_BYTES && !(await verified.check(hash, handle, version))) {
          await setAside(hash, version);
          throw corruptFile();
        }
        const start = Math.min(options.start ?? 0, size);
        const end = Math.max(start, Math.min(options.end ?? size, size - 1));
        const { signal } = options;
        const stream = handle.createReadStream({ start, end, ...(signal && { signal }) });
        if (isKnown || size <= CHECK_FIRST_BYTES || start > 0 || end < size - 1) return { size, stream };
        const hashed = hashedOnTheWay(hash, async (isGood) => {
          if (isGood) verified.add(hash, version);
          else await setAside(hash, version);
        });
        // What fails is seen by the reader of the last stream.
        return { size, stream: pipeline(stream, hashed, () => undefined) };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async delete(hash) {
      const path = pathOf(hash);
      const wasCorrupt = await ifThere(unlink(asidePathOf(hash)).then(() => true));
      const deleted = await ifThere(unlink(path).then(() => true));
      if (deleted) await syncPath(dirname(path));
      return deleted ?? wasCorrupt ?? false;
    },

    async signedUrl(file, options) {
      return signer.sign(file.hash, options);
    },

    async scrub({ maxBytes, signal }) {
      let left = maxBytes;
      for await (const hash of storedHashes(folder, scrubbedTo)) {
        if (left <= 0) return;
        await using handle = await ifThere(open(pathOf(hash), 'r'));
        if (!handle) continue;
        const version = await handle.stat();
        left -= version.size;
        // Also when it cannot be read: the next call goes on behind it.
        scrubbedTo = hash;
        if (!(await verified.check(hash, handle, version, signal))) await setAside(hash, version);
      }
    },

    close: async () => await disk.close(),
  };
}

async function writeOut(
  path: string,
  chunks: AsyncIterable<Uint8Array>,
  { isDurable = true }: PutOptions,
): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(chunks);
  if (isDurable) await handle.sync();
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  await link(from, to).catch(async (error: unknown) => {
    if (!HARD_LINK_UNSUPPORTED.has(errorCode(error))) throw error;
    await copyFile(from, to);
  });
}

/** Makes what a file has, or renames and removals in a folder, survive a power cut. Windows has no such call for folders and needs none. */
async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return undefined;
    throw error;
  }
}
