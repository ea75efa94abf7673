import { createThreadPool } from '@atelier/engine/threads';

import type { HashAnswer } from './blake3.worker.ts';

export type ContentHasher = ReturnType<typeof createContentHasher>;

/** Two threads, so that small files pass a large one. */
export function createContentHasher() {
  const pool = createThreadPool<string, HashAnswer>({
    url: new URL('./blake3.worker.ts', import.meta.url),
    threads: 2,
    deadlineMs: 10 * 60_000,
    idleMs: 10 * 60_000,
  });
  return {
    async blake3(path: string): Promise<string> {
      const outcome = await pool.run(path);
      if (outcome.kind === 'late') throw new Error('The file could not be hashed in time.');
      if (outcome.kind === 'died') throw outcome.error;
      if ('error' in outcome.answer) throw outcome.answer.error;
      return outcome.answer.hash;
    },
    close: async () => await pool.close(),
  };
}
