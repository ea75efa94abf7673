import { stat } from 'node:fs/promises';
import { join } from 'node:path';

import { createSemaphore } from '../../semaphore.ts';
import { ifThere } from '../missing-file.ts';
import { storedHashes } from '../stored-hashes.ts';
import { listFiles } from './list-files.ts';
import type { S3 } from './s3-client.ts';
import { createS3FileStore } from './s3-file-store.ts';

interface MoveOptions {
  readonly s3: S3;
  readonly dataFolder: string;
  readonly name: string;
  readonly signal: AbortSignal;
  readonly onProgress: (moved: Moved) => void;
}

export interface Moved {
  readonly copied: number;
  /** Files that the bucket already had. */
  readonly found: number;
  readonly bytes: number;
  /** Files that do not hash to their names. They are not copied. */
  readonly corrupt: readonly string[];
}

const CONCURRENCY = 8;

/**
 * Copies the files of a local store that the bucket does not have. Each is hashed here and checked by the service, so an
 * interrupted move can be continued.
 */
export async function moveFiles({ s3, dataFolder, name, signal, onProgress }: MoveOptions): Promise<Moved> {
  const folder = join(dataFolder, name);
  const moved = { copied: 0, found: 0, bytes: 0, corrupt: [] as string[] };
  const spoolFolder = join(dataFolder, 'spool', name);
  const store = await createS3FileStore({ s3, name, spoolFolder, signer: { sign: () => '' } });
  const turns = createSemaphore(CONCURRENCY);
  let failed: { readonly error: unknown } | undefined;
  const pathOf = (hash: string) => join(folder, hash.slice(0, 2), hash.slice(2, 4), hash);

  async function copy(hash: string, size: number, isOther: boolean): Promise<void> {
    // An object of another size is not ours, but must not pass for the file.
    if (isOther) await store.delete(hash);
    const accept = async (file: { readonly hash: string }) => {
      if (file.hash !== hash) throw new Corrupt();
      await Promise.resolve();
    };
    await store.putFile(pathOf(hash), { maxBytes: Number.MAX_SAFE_INTEGER, accept, signal });
    moved.copied += 1;
    moved.bytes += size;
    onProgress(moved);
  }

  try {
    const sizes = listFiles(s3, name, signal);
    let there = await sizes.next();
    for await (const hash of storedHashes(folder, '')) {
      signal.throwIfAborted();
      if (failed) break;
      const size = (await ifThere(stat(pathOf(hash))))?.size;
      // Deleted since it was listed.
      if (size === undefined) continue;
      while (!there.done && there.value.hash < hash) there = await sizes.next();
      const isThere = !there.done && there.value.hash === hash;
      if (isThere && there.value?.size === size) {
        moved.found += 1;
        continue;
      }
      const release = await turns.acquire();
      void copy(hash, size, isThere)
        .catch((error: unknown) => {
          if (error instanceof Corrupt) moved.corrupt.push(hash);
          else failed ??= { error };
        })
        .finally(release);
    }
    for (let held = 0; held < CONCURRENCY; held += 1) await turns.acquire();
    if (failed) throw failed.error;
    return moved;
  } finally {
    await store.close();
  }
}

class Corrupt extends Error {
  override readonly name = 'Corrupt';
}
