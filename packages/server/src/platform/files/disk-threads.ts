import { rm } from 'node:fs/promises';
import { createThreadPool } from '@atelier/engine/threads';

import { loadOnce } from '../load-once.ts';
import type { DiskAnswer, DiskAnswers, DiskTask, PlaceFile, TakeFile } from './disk-tasks.ts';
import { FileMissing, type MeasuredFile, type PutFileOptions } from './file-store.ts';
import { tooLarge } from './measure-source.ts';

/** Small files pass large ones, and several wait for the disk at once. */
const THREADS = 4;
const THREAD_IDLE_MS = 60_000;
const DISK_MS = 10 * 60_000;
/**
 * A file of this size that need not be on the disk afterwards is taken in here: 0.1 ms of computing, and 0.5 ms with two tasks for threads,
 * which made previews 8 % slower.
 */
const SMALL_BYTES = 64 * 1024;
/** What takes longer on average is on a slow disk or on another machine, where the event loop is not to wait. */
const MAX_DIRECT_MS = 1;
const AVERAGE_OF = 32;
/** A single call that waits, such as for the journal of the file system, says nothing of the next ones. */
const MAX_COUNTED_MS = 8;
const SLOW_FOR_MS = 60_000;

const loadDiskTasks = loadOnce(async () => await import('./disk-tasks.ts'));

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

  let averageMs = 0;
  let slowUntil = Number.NEGATIVE_INFINITY;

  /** Does the calls to the disk at once; `undefined` when they are left to a thread. */
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
    // Only the type of the file is found out later.
    const taken = await atOnce(async () => await take({ ...task, maxBytes: SMALL_BYTES }));
    if (taken !== 'too large') return taken;
    await rm(task.to, { force: true });
    return undefined;
  }

  return {
    /** Gives a finished file a second name, or copies it, and describes it. Throws `FileMissing` and `file.too_large`. */
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
    /** Gives a finished file its place, unless there is one already. */
    async place(task: PlaceFile): Promise<DiskAnswers['place']> {
      if (task.syncFolders.length > 0) return await ask(task);
      const { place } = await loadDiskTasks();
      return atOnce(() => place(task)) ?? (await ask(task));
    },
    close: async (): Promise<void> => await pool.close(),
  };
}
