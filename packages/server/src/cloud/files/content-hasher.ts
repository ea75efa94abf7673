import { readFile, stat } from 'node:fs/promises';
import { createThreadPool } from '@atelier/engine/threads';
import { createBLAKE3 } from 'hash-wasm';

import type { HashAnswer } from './blake3.worker.ts';

export type ContentHasher = ReturnType<typeof createContentHasher>;

/** Handing a file to a thread takes a millisecond, in which 1 MB is hashed. */
const SMALL_BYTES = 256 * 1024;

/** Small files are hashed at once; two threads, so that middling ones pass a large one. */
export function createContentHasher() {
  let small: ReturnType<typeof createBLAKE3> | undefined;
  const pool = createThreadPool<string, HashAnswer>({
    url: new URL('./blake3.worker.ts', import.meta.url),
    threads: 2,
    deadlineMs: 10 * 60_000,
    idleMs: 10 * 60_000,
  });
  return {
    async blake3(path: string): Promise<string> {
      if ((await stat(path)).size <= SMALL_BYTES) {
        small ??= createBLAKE3();
        const [hasher, bytes] = await Promise.all([small, readFile(path)]);
        return hasher.init().update(bytes).digest('hex');
      }
      const outcome = await pool.run(path);
      if (outcome.kind === 'late') throw new Error('The file could not be hashed in time.');
      if (outcome.kind === 'died') throw outcome.error;
      if ('error' in outcome.answer) throw outcome.answer.error;
      return outcome.answer.hash;
    },
    close: async () => await pool.close(),
  };
}
