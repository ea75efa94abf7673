import { rm } from 'node:fs/promises';
import { createThreadPool } from '@atelier/engine/threads';

import { loadOnce } from '../load-once.ts';
import type { DiskAnswer, DiskAnswers, DiskTask, PlaceFile, TakeFile } from './disk-tasks.ts';
import { FileMissing, type MeasuredFile, type PutFileOptions } from './file-store.ts';
import { tooLarge } from './measure-source.ts';

/** Small files overtake large ones, and several can wait for the disk. */
const THREADS = 4;
const THREAD_IDLE_MS = 60_000;
const DISK_MS = 10 * 60_000;
/** Files up to this size that need not be durable are taken here: 0.1 ms instead of 0.5, which made previews 8 % slower. */
const SMALL_BYTES = 64 * 1024;
/** A longer average means a slow or remote disk, which the event loop must not wait for. */
const MAX_DIRECT_MS = 1;
const AVERAGE_OF = 32;
/** A single slow call, such as one that waits for the journal of the file system, counts only this much. */
const MAX_COUNTED_MS = 8;
const SLOW_FOR_MS = 60_000;

const loadDiskTasks = loadOnce(async () => await import('./disk-tasks.ts'));

/** Does work with many disk calls, or that hashes a whole file, in threads. */
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

  let averageMs = 0;
  let slowUntil = Number.NEGATIVE_INFINITY;

  /** Calls the disk from the event loop; `undefined` while the disk is slow. */
  function atOnce<Answer>(calls: () => Answer): Answer | undefined {
    const begin = performance.now();
    if (begin < slowUntil) return undefined;
    try {
      return calls();
    } finally {
      averageMs += (Math.min(performance.now() - begin, MAX_COUNTED_MS) - averageMs) / AVERAGE_OF;
      if (averageMs > MAX_DIRECT_MS) {
        averageMs = 0;
        slowUntil = begin + SLOW_FOR_MS;
      }
    }
  }

  async function takeSmall(task: TakeFile): Promise<DiskAnswers['take'] | undefined> {
    const { take } = await loadDiskTasks();
    // The measured part is synchronous; only the detection of the type is not.
    const taken = await atOnce(async () => await take({ ...task, maxBytes: SMALL_BYTES }));
    if (taken !== 'too large') return taken;
    await rm(task.to, { force: true });
    return undefined;
  }

  return {
    /** Throws `FileMissing` and `file.too_large`. */
    async take(
      from: string,
      to: string,
      { maxBytes, within, isDurable = true, signal }: PutFileOptions,
    ): Promise<MeasuredFile> {
      const task = { kind: 'take', from, to, within, maxBytes, isDurable } as const;
      const isSmall = !isDurable && maxBytes >= SMALL_BYTES;
      const taken = (isSmall ? await takeSmall(task) : undefined) ?? (await ask(task, signal));
      if (taken === 'missing') throw new FileMissing(`There is no plain file ${from}.`);
      if (taken === 'too large') throw tooLarge(maxBytes);
      return taken;
    },
    async place(task: PlaceFile): Promise<DiskAnswers['place']> {
      if (task.syncFolders.length > 0) return await ask(task);
      const { place } = await loadDiskTasks();
      return atOnce(() => place(task)) ?? (await ask(task));
    },
    close: pool.close,
  };
}
