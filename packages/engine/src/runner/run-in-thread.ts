import { randomUUID } from 'node:crypto';
import type { Outcome } from '../execute/run-graph.ts';
import { removeScratch } from '../folder-files.ts';
import type { JobWatch } from './job-watch.ts';
import type { FromThread, RunnerJob } from './runner-messages.ts';
import type { RunnerThread } from './runner-thread.ts';

/** A job that was told to stop has so long before its thread is left behind: a cancel takes effect within 100 ms. */
const GRACE_MS = 60;
const MEMORY_CHECK_MS = 250;
/** Garbage that V8 has not collected yet counts too, so that there is room above the bound. */
const GARBAGE_BYTES = 256 * 2 ** 20;
const MAX_TIMER_MS = 2 ** 31 - 1;

export interface InThread {
  readonly watch: JobWatch;
  readonly signal: AbortSignal | undefined;
  readonly memoryBytes: number;
  readonly jobMs: number;
}

/** How a job ended in its thread; `died` when the thread did not get to say so. */
export interface Ended {
  readonly outcome: () => Outcome;
  readonly died: boolean;
}

export async function runInThread(thread: RunnerThread, job: RunnerJob, options: InThread): Promise<Ended> {
  const { watch, signal, memoryBytes, jobMs } = options;
  const { worker } = thread;
  const cancelled = new Int32Array(new SharedArrayBuffer(4));
  const { promise, resolve, reject } = Promise.withResolvers<Ended>();
  const timers: NodeJS.Timeout[] = [];
  const scratch = randomUUID();
  thread.jobs += 1;
  const run = thread.jobs;
  let settled = false;

  /** Asks the job to stop, and leaves its thread behind when it does not. */
  function stop(): void {
    Atomics.store(cancelled, 0, 1);
    thread.post({ kind: 'cancel' });
    const leave = (): void => {
      thread.retire();
      resolve({ outcome: () => watch.interrupted(), died: false });
    };
    timers.push(setTimeout(leave, GRACE_MS));
  }
  function die(error: Error): void {
    resolve({ outcome: () => watch.died(error), died: true });
  }
  function onMessage(message: FromThread): void {
    try {
      if (message.kind === 'fault') die(new Error(message.message));
      if (!('run' in message) || message.run !== run) return;
      if (message.kind === 'event') watch.event(message.event);
      else resolve({ outcome: () => watch.done(message.outcome), died: false });
    } catch (error) {
      // The caller's own listener failed.
      thread.retire();
      reject(error instanceof Error ? error : new Error(String(error)));
    }
  }
  async function checkMemory(): Promise<void> {
    const statistics = await worker.getHeapStatistics().catch(() => undefined);
    if (settled || !statistics || statistics.external_memory <= memoryBytes * 1.25 + GARBAGE_BYTES) return;
    void thread.end();
    resolve({ outcome: () => watch.overMemory(memoryBytes), died: false });
  }
  const onExit = (): void => die(new Error('The thread of the job ended.'));

  try {
    worker.on('message', onMessage);
    worker.on('error', die);
    worker.on('exit', onExit);
    signal?.addEventListener('abort', stop, { once: true });
    timers.push(setInterval(() => void checkMemory(), MEMORY_CHECK_MS));
    if (jobMs <= MAX_TIMER_MS) {
      const late = (): void => {
        watch.overTime(jobMs);
        stop();
      };
      timers.push(setTimeout(late, jobMs));
    }
    thread.post({ kind: 'run', job, run, scratch, cancelled });
    if (signal?.aborted) stop();
    return await promise;
  } finally {
    settled = true;
    for (const timer of timers) clearTimeout(timer);
    signal?.removeEventListener('abort', stop);
    worker.off('message', onMessage);
    worker.off('error', die);
    worker.off('exit', onExit);
    worker.unref();
    // A thread that ends in the middle of a job cannot tidy up.
    if (thread.isOver()) worker.once('exit', () => void removeScratch(job.folders, scratch));
    if (worker.threadId === -1) void removeScratch(job.folders, scratch);
  }
}
