import { randomBytes } from 'node:crypto';
import type { Stats } from 'node:fs';
import { chmod, mkdir, open, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { pipeline } from 'node:stream';

import { randomToken } from '../ids.ts';
import { createDiskThreads } from './disk-threads.ts';
import {
  assertFileHash,
  assertRange,
  type FileStore,
  type PutOptions,
  type StoredFile,
} from './file-store.ts';
import { linkOrCopy, moveTo, READ_ONLY } from './link-files.ts';
import { measureSource } from './measure-source.ts';
import { ifThere } from './missing-file.ts';
import { removeAbandoned } from './remove-abandoned.ts';
import type { UrlSigner } from './signed-urls.ts';
import { storedHashes } from './stored-hashes.ts';
import { corruptFile, createVerifiedFiles, hashedOnTheWay } from './verified-files.ts';

interface LocalFileStoreOptions {
  readonly folder: string;
  readonly signer: Pick<UrlSigner, 'sign'>;
  /** Called once for every file that no longer hashes to its name. */
  readonly onCorrupt?: (hash: string) => void;
}

interface LocalFileStore extends FileStore {
  /** Checks stored files and sets corrupt ones aside. Stops after `maxBytes`; the next call continues. */
  scrub(options: { readonly maxBytes: number; readonly signal?: AbortSignal }): Promise<void>;
  close(): Promise<void>;
}

/** Files up to this size are hashed before the first byte is sent, longer ones while they are sent. */
const CHECK_FIRST_BYTES = 1024 * 1024;

/** Files on this machine: `<folder>/ab/cd/abcd…`, `<folder>/tmp/` for incomplete ones, `<folder>/corrupt/`. */
export async function createLocalFileStore({
  folder,
  signer,
  onCorrupt,
}: LocalFileStoreOptions): Promise<LocalFileStore> {
  const verified = createVerifiedFiles();
  const disk = createDiskThreads();
  /** Folders whose names are known to be durable, at most 65,536. */
  const onDisk = new Set<string>();
  // Random, so that servers that restart often or share a folder do not all check the same files.
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

  /** Moves a corrupt file away, so that it can be repaired. Putting the content again heals the file. */
  async function setAside(hash: string, version: Stats): Promise<void> {
    const path = pathOf(hash);
    const now = await ifThere(stat(path));
    if (now?.ino !== version.ino || now.mtimeMs !== version.mtimeMs) return;
    await mkdir(dirname(asidePathOf(hash)), { recursive: true, mode: 0o700 });
    const isMine = await ifThere(rename(path, asidePathOf(hash)).then(() => true));
    if (isMine) onCorrupt?.(hash);
  }

  /** Whether there is a sound file. Sets a corrupt one aside. */
  async function isSound(hash: string, signal?: AbortSignal): Promise<boolean> {
    await using handle = await ifThere(open(pathOf(hash), 'r'));
    if (!handle) return false;
    const version = await handle.stat();
    if (verified.has(hash, version) || (await verified.check(hash, handle, version, signal))) return true;
    await setAside(hash, version);
    return false;
  }

  /** Moves a complete and durable temporary file to its place, durably. False when the file was there already. */
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
    /** False when the existing file is gone: it was set aside, or deleted concurrently. */
    const isThere = async (): Promise<boolean> => {
      if (!(await isSound(hash))) return false;
      // The other put may not have been durable, or may not have synced yet.
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

  /** Stores the temporary file that `fill` makes. */
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
      // The link keeps the file, whatever happens to the path.
      return await putVia(async (temporary) => await disk.take(path, temporary, options), options);
    },

    async copyTo(hash, path) {
      const stored = pathOf(hash);
      const temporary = join(temporaryFolder, randomToken(16));
      try {
        if (!(await isSound(hash))) {
          if (await ifThere(stat(asidePathOf(hash)))) throw corruptFile();
          return false;
        }
        const isThere = await ifThere(chmod(stored, READ_ONLY).then(() => true));
        if (!isThere || !(await ifThere(linkOrCopy(stored, temporary).then(() => true)))) return false;
        await moveTo(temporary, path);
        await syncPath(dirname(path));
        return true;
      } finally {
        // Also after success: renaming a file to another of its own names does nothing.
        await rm(temporary, { force: true });
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
        // The reader of the last stream sees failures.
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
        // Even if it cannot be read, the next call continues after it.
        scrubbedTo = hash;
        if (!(await verified.check(hash, handle, version, signal))) await setAside(hash, version);
      }
    },

    close: disk.close,
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

/** Makes a file, or renames and removals in a folder, durable. Windows has no such call for folders and needs none. */
async function syncPath(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(path, 'r');
  await handle.sync();
}
