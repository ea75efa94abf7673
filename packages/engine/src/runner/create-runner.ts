import { once } from 'node:events';
import type { EngineEvent } from '../engine-events.ts';
import type { Outcome } from '../execute/run-graph.ts';
import { untilAborted } from '../execute/until-aborted.ts';
import { Interrupted } from '../node-error.ts';
import { createJobWatch, type JobWatch } from './job-watch.ts';
import type { PackSources } from './load-packs.ts';
import { runInThread } from './run-in-thread.ts';
import type { RunnerJob, ThreadOptions } from './runner-messages.ts';
import { startThread } from './runner-thread.ts';

export interface RunnerOptions {
  readonly packs: PackSources;
  /** What the arrays of a job and the cache may take together. */
  readonly memoryBytes?: number;
  /** What results of earlier jobs may take of that. */
  readonly cacheBytes?: number;
  /** What the thread's objects may take, arrays not counted. */
  readonly heapMb?: number;
  /** How long a job may run. */
  readonly jobMs?: number;
  /** The environment of the thread. Nodes see nothing of the process's own. */
  readonly env?: Readonly<Record<string, string>>;
}

export interface RunJobOptions {
  readonly signal?: AbortSignal;
  onEvent?(event: EngineEvent): void;
}

/**
 * Runs jobs one after another in a thread of its own, so that the caller's event loop never waits on pixels. A job that
 * does not stop when it is told to, or that takes too much, is left behind with its thread; the next one gets a fresh one.
 */
export interface Runner {
  /** Never rejects for what a graph or a node does. Jobs that are given meanwhile wait. */
  run(job: RunnerJob, options?: RunJobOptions): Promise<Outcome>;
  /** Resolves when its node types are loaded: until then a job would wait. Rejects when they cannot be. */
  ready(): Promise<void>;
  /** Forgets the results of earlier jobs. */
  forget(): void;
  close(): Promise<void>;
}

const MB = 2 ** 20;

export function createRunner(options: RunnerOptions): Runner {
  const { memoryBytes = 2048 * MB, heapMb = 512, env = {}, jobMs = 30 * 60_000 } = options;
  const data: ThreadOptions = {
    packs: options.packs,
    memoryBytes,
    cacheBytes: options.cacheBytes ?? Math.min(256 * MB, memoryBytes / 4),
    spareBytes: Math.min(256 * MB, memoryBytes / 4),
  };
  const start = () => startThread(data, { heapMb, env });
  const never = new AbortController().signal;
  let thread = start();
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  async function runNow(job: RunnerJob, watch: JobWatch, signal: AbortSignal): Promise<Outcome> {
    if (closed) throw new Error('The runner is closed.');
    if (thread.isOver()) thread = start();
    const own = thread;
    own.worker.ref();
    await untilAborted(own.ready, signal);
    const { outcome, died } = await runInThread(own, job, { watch, signal, memoryBytes, jobMs });
    // A fresh thread takes a while to load its packs, so it starts before the next job asks.
    if (own.isOver() && !closed) thread = start();
    // What an earlier job left behind may have failed: this one begins again as long as it has shown nothing.
    return died && own.jobs > 1 && !watch.hasShown() ? await runNow(job, watch, signal) : outcome();
  }

  return {
    async run(job, { signal = never, onEvent = () => {} } = {}) {
      const watch = createJobWatch(job, onEvent);
      const before = queue;
      const over = Promise.withResolvers<void>();
      queue = before.then(async () => await over.promise);
      try {
        await untilAborted(before, signal);
        return await runNow(job, watch, signal);
      } catch (error) {
        if (error instanceof Interrupted) return watch.interrupted();
        throw error;
      } finally {
        over.resolve();
      }
    },
    async ready() {
      await thread.ready;
    },
    forget() {
      thread.post({ kind: 'forget' });
    },
    async close() {
      closed = true;
      if (thread.isOver()) return;
      const left = once(thread.worker, 'exit');
      thread.worker.ref();
      thread.retire();
      await left;
    },
  };
}
