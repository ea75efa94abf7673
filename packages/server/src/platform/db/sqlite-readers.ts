import { createThreadPool } from '@atelier/engine/threads';

import { databaseGone } from '../errors/outages.ts';
import type { ReadAnswer, ReadTask } from './read.worker.ts';

/** More would take the cores from the event loop. */
export const THREADS = 2;
/** The first read after it waits for a thread to start: some 50 ms. */
const IDLE_MS = 10 * 60_000;
/** As statements on PostgreSQL. */
const DEADLINE_MS = 30_000;

/** Reads on threads of their own, for what looks at more rows than the event loop has time for. */
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
    close: async (): Promise<void> => await pool.close(),
  };
}
