import { createThreadPool } from '@atelier/engine/threads';

import type { DiskAnswer, DiskAnswers, DiskTask } from './disk-tasks.ts';
import { FileMissing, type MeasuredFile, type PutFileOptions } from './file-store.ts';
import { tooLarge } from './measure-source.ts';

/** Small files pass large ones, and several wait for the disk at once. */
const THREADS = 4;
const THREAD_IDLE_MS = 60_000;
const DISK_MS = 10 * 60_000;

/** What takes many calls to the disk, or hashes a whole file, in threads. */
export function createDiskThreads() {
  const pool = createThreadPool<DiskTask, DiskAnswer>({
    url: new URL('./disk.worker.ts', import.meta.url),
    threads: THREADS,
    idleMs: THREAD_IDLE_MS,
    deadlineMs: DISK_MS,
    maxWaiting: Number.POSITIVE_INFINITY,
  });

  async function ask<Task extends DiskTask>(
    task: Task,
    signal?: AbortSignal,
  ): Promise<DiskAnswers[Task['kind']]> {
    const outcome = await pool.run(task, { signal });
    if (outcome.kind === 'late') throw new Error('The disk did not answer in time.');
    if (outcome.kind === 'died') throw outcome.error;
    const { answer } = outcome;
    if ('failed' in answer)
      throw Object.assign(new Error(answer.failed.message), { code: answer.failed.code });
    return answer.done as DiskAnswers[Task['kind']];
  }

  return {
    ask,
    /** Gives a finished file a second name, or copies it, and describes it. Throws `FileMissing` and `file.too_large`. */
    async take(
      from: string,
      to: string,
      { maxBytes, within, isDurable = true, signal }: PutFileOptions,
    ): Promise<MeasuredFile> {
      const taken = await ask({ kind: 'take', from, to, within, maxBytes, isDurable } as const, signal);
      if (taken === 'missing') throw new FileMissing(`There is no plain file ${from}.`);
      if (taken === 'too large') throw tooLarge(maxBytes);
      return taken;
    },
    close: async (): Promise<void> => await pool.close(),
  };
}
