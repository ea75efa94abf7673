import { createThreadPool } from '@atelier/engine/threads';

import { databaseGone } from '../errors/outages.ts';
import type { ReadAnswer, ReadTask } from './read.worker.ts';

/** More would compete with the event loop for cores. */
export const THREADS = 2;
/** The next read waits some 50 ms for a thread to start. */
const IDLE_MS = 10 * 60_000;
/** The same as for statements on PostgreSQL. */
const DEADLINE_MS = 30_000;

/** Threads for reads that would block the event loop for too long. */
export function createReaders(file: string) {
  const pool = createThreadPool<ReadTask, ReadAnswer>({
    url: new URL('./read.worker.ts', import.meta.url),
    threads: THREADS,
    idleMs: IDLE_MS,
    deadlineMs: DEADLINE_MS,
  });
  return {
    async read(sql: string, parameters: readonly unknown[]): Promise<unknown[]> {
      const outcome = await pool.run({ file, sql, parameters });
      if (outcome.kind === 'late') throw databaseGone();
      if (outcome.kind === 'died') throw outcome.error;
      if ('failed' in outcome.answer) throw new Error(outcome.answer.failed);
      return outcome.answer.rows;
    },
    close: pool.close,
  };
}
