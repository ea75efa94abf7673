import { randomUUID } from 'node:crypto';
import { lstat, mkdir, open, rename, rm, rmdir } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { INSPECTION_LIMITS, UnusableArchive, unpackArchive } from '@atelier/inspection';

import { CliError, EXIT } from '../exit-codes.ts';

/** Unpacks an archive next to its target and moves it there when complete. The old folder is kept until then. */
export async function unpackInto(
  target: string,
  archive: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<void> {
  const beside = join(dirname(target), `.atelier-${randomUUID()}`);
  const [fresh, old] = [join(beside, 'new'), join(beside, 'old')];
  try {
    await mkdir(fresh, { recursive: true });
    await writeFiles(fresh, archive, signal);
    signal.throwIfAborted();
    await replace(fresh, target, old);
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof UnusableArchive && !isOfFileSystem(error.cause)) throw error;
    const { code, message } = (
      error instanceof UnusableArchive ? error.cause : error
    ) as NodeJS.ErrnoException;
    throw new CliError(`${target} cannot be written (${code ?? message}).`, {
      exitCode: EXIT.failed,
      advice: 'Nothing was changed.',
      cause: error,
    });
  } finally {
    // A failed clean-up must not hide the original error.
    await rm(fresh, { recursive: true, force: true }).catch(() => {});
    // Kept if it contains a folder that could not be restored.
    if (await exists(target)) await rm(old, { recursive: true, force: true }).catch(() => {});
    await rmdir(beside).catch(() => {});
  }
}

async function writeFiles(
  folder: string,
  archive: Uint8Array<ArrayBuffer>,
  signal: AbortSignal,
): Promise<void> {
  const bytes = Buffer.from(archive.buffer, archive.byteOffset, archive.length);
  await unpackArchive(bytes, INSPECTION_LIMITS, async (path, _size, pieces) => {
    signal.throwIfAborted();
    const place = join(folder, path);
    await mkdir(dirname(place), { recursive: true });
    const file = await open(place, 'wx');
    try {
      for await (const piece of pieces) await file.writeFile(piece);
    } finally {
      await file.close();
    }
  });
}

async function replace(fresh: string, target: string, old: string): Promise<void> {
  const isTaken = await exists(target);
  if (isTaken) await rename(target, old);
  try {
    await rename(fresh, target);
  } catch (error) {
    if (isTaken) await rename(old, target);
    throw error;
  }
}

function isOfFileSystem(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error;
}

/** A dangling link counts as existing. */
export async function exists(path: string): Promise<boolean> {
  return await lstat(path).then(
    () => true,
    () => false,
  );
}
