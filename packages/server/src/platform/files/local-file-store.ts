import { mkdir, open, opendir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join } from 'node:path';

import { systemClock } from '../clock.ts';
import { randomToken } from '../ids.ts';
import { assertFileHash, type FileStore, type OpenOptions, type StoredFile } from './file-store.ts';
import { measureSource } from './measure-source.ts';
import type { UrlSigner } from './signed-urls.ts';

export interface LocalFileStoreOptions {
  readonly folder: string;
  readonly signer: Pick<UrlSigner, 'sign'>;
}

/** No put goes an hour without writing: what is older was left by a crash. */
const ABANDONED_AFTER_MS = 60 * 60 * 1000;
/** What this does not reach waits for the next start. */
const SWEEP_BUDGET_MS = 2_000;

/** Files on this machine: `<folder>/ab/cd/abcd…`, and `<folder>/tmp/` for what is not complete yet. */
export async function createLocalFileStore({ folder, signer }: LocalFileStoreOptions): Promise<FileStore> {
  const temporaryFolder = join(folder, 'tmp');
  await mkdir(temporaryFolder, { recursive: true, mode: 0o700 });
  await sweep(temporaryFolder);

  function pathOf(hash: string): string {
    assertFileHash(hash);
    return join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);
  }

  /** The temporary is complete and on the disk before it gets its name, and the name is on the disk after. */
  async function keep(temporary: string, file: StoredFile): Promise<void> {
    const path = pathOf(file.hash);
    const inner = dirname(path);
    await mkdir(inner, { recursive: true, mode: 0o700 });
    const existing = await ifThere(stat(path));
    // Another size under this name means that the disk lost part of it: the new copy heals it.
    if (existing?.size !== file.size) await rename(temporary, path);
    // Also when the file was there: another put may have renamed it a moment ago and not come to this yet.
    for (const each of [inner, dirname(inner), folder]) await syncFolder(each);
  }

  return {
    async put(source, options) {
      const temporary = join(temporaryFolder, randomToken(16));
      try {
        const measured = measureSource(source, options);
        await writeDurably(temporary, measured.chunks);
        const file = await measured.describe();
        options.signal?.throwIfAborted();
        await options.accept?.(file);
        await keep(temporary, file);
        return file;
      } finally {
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
      if (!handle) return undefined;
      try {
        const { size } = await handle.stat();
        options.signal?.throwIfAborted();
        const start = Math.min(options.start ?? 0, size);
        const end = Math.max(start, Math.min(options.end ?? size, size - 1));
        const { signal } = options;
        return { size, stream: handle.createReadStream({ start, end, ...(signal && { signal }) }) };
      } catch (error) {
        await handle.close();
        throw error;
      }
    },

    async delete(hash) {
      const path = pathOf(hash);
      const deleted = await ifThere(unlink(path).then(() => true));
      if (!deleted) return false;
      await syncFolder(dirname(path));
      return true;
    },

    async signedUrl(file, options) {
      return signer.sign(file.hash, options);
    },
  };
}

async function writeDurably(path: string, chunks: AsyncIterable<Uint8Array>): Promise<void> {
  await using handle = await open(path, 'wx', 0o600);
  await handle.writeFile(chunks);
  await handle.sync();
}

async function sweep(folder: string): Promise<void> {
  const started = systemClock();
  for await (const entry of await opendir(folder)) {
    if (systemClock() - started > SWEEP_BUDGET_MS) return;
    if (!entry.isFile()) continue;
    const path = join(folder, entry.name);
    const found = await ifThere(stat(path));
    if (found && started - found.mtimeMs > ABANDONED_AFTER_MS) await rm(path, { force: true });
  }
}

/** Makes renames and removals in a folder survive a power cut. Windows has no such call and needs none. */
async function syncFolder(folder: string): Promise<void> {
  if (process.platform === 'win32') return;
  await using handle = await open(folder, 'r');
  await handle.sync();
}

async function ifThere<T>(work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

function assertRange({ start = 0, end = Number.MAX_SAFE_INTEGER }: OpenOptions): void {
  if (!Number.isSafeInteger(start) || !Number.isSafeInteger(end) || start < 0 || end < start) {
    throw new RangeError('A range has whole numbers from 0, and its end is not before its start.');
  }
}
