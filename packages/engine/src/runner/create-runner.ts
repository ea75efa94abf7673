import { once } from 'node:events';
import type { CheckResult } from '../declare/node-type.ts';
import type { EngineEvent } from '../engine-events.ts';
import type { Outcome } from '../execute/run-graph.ts';
import { untilAborted } from '../execute/until-aborted.ts';
import { Interrupted } from '../node-error.ts';
import type { CheckQuestion } from '../validate/answer-check.ts';
import { type CheckOptions, checkInProcess } from './check-in-process.ts';
import { createJobWatch } from './job-watch.ts';
import type { PackSources } from './load-packs.ts';
import { NeverBegun, runInProcess } from './run-in-process.ts';
import type { ProcessOptions, RunnerJob } from './runner-messages.ts';
import { EndedWhileLoading, type RunnerProcess, startProcess } from './runner-process.ts';

export interface RunnerOptions {
  readonly packs: PackSources;
  /** For the arrays of a job and the cache. */
  readonly memoryBytes?: number;
  /** The part of it for results of earlier jobs. */
  readonly cacheBytes?: number;
  /** For objects without arrays. */
  readonly heapMb?: number;
  readonly jobMs?: number;
  /** The environment of a job, asked for when it starts. Nodes do not see that of the parent. */
  readonly env?: () => Readonly<Record<string, string>>;
}

export interface RunJobOptions {
  readonly signal?: AbortSignal;
  onEvent?(event: EngineEvent): void;
}

export type Runner = ReturnType<typeof createRunner>;

const MB = 2 ** 20;
/** Processes in a row that may end while they load, or before they have the job. */
const MAX_STARTS = 3;

/**
 * Runs jobs one after another in a process of its own, so that nothing a node does reaches the caller. A job that does not
 * stop when it is asked to, or that takes too much memory, ends with its process. The next job gets a new process.
 */
export function createRunner(options: RunnerOptions) {
  const { memoryBytes = 2048 * MB, heapMb = 512, env = () => ({}), jobMs = 30 * 60_000 } = options;
  const data: ProcessOptions = {
    packs: options.packs,
    memoryBytes,
    cacheBytes: options.cacheBytes ?? Math.min(256 * MB, memoryBytes / 4),
    spareBytes: Math.min(256 * MB, memoryBytes / 4),
  };
  const start = () => startProcess(data, { heapMb });
  const never = new AbortController().signal;
  let current = start();
  let queue: Promise<unknown> = Promise.resolve();
  let closed = false;

  /** The current process, or a new one if it is over. */
  function usable(): RunnerProcess {
    if (closed) throw new Error('The runner is closed.');
    if (current.isOver()) {
      // It may still be alive: a fault between two jobs does not end it.
      current.kill();
      current = start();
    }
    return current;
  }

  /** A process that is killed while it loads has begun no job, so another one takes its place. */
  async function loaded(signal: AbortSignal): Promise<RunnerProcess> {
    for (let starts = 1; ; starts += 1) {
      const own = usable();
      try {
        await whileHeld(own, async () => await untilAborted(own.ready, signal));
        return own;
      } catch (error) {
        if (!(error instanceof EndedWhileLoading) || starts === MAX_STARTS) throw error;
      }
    }
  }

  /** Jobs and checks have the process to themselves, one after another. */
  async function inTurn<T>(signal: AbortSignal, work: (own: RunnerProcess) => Promise<T>): Promise<T> {
    const before = queue;
    const over = Promise.withResolvers<void>();
    queue = before.then(async () => await over.promise);
    try {
      await untilAborted(before, signal);
      const own = await loaded(signal);
      try {
        return await whileHeld(own, async () => await work(own));
      } finally {
        // Loading packs takes a while, so a new process starts before the next job needs it.
        if (own.isOver() && !closed) current = start();
      }
    } finally {
      over.resolve();
    }
  }

  return {
    /** Never rejects for anything that a graph or a node does. Other jobs wait meanwhile. */
    async run(job: RunnerJob, { signal = never, onEvent = () => {} }: RunJobOptions = {}): Promise<Outcome> {
      const watch = createJobWatch(job, onEvent);
      for (let starts = 1; ; starts += 1) {
        try {
          return await inTurn(
            signal,
            async (own) => await runInProcess(own, job, { watch, signal, memoryBytes, jobMs, env: env() }),
          );
        } catch (error) {
          if (error instanceof Interrupted) return watch.interrupted();
          if (!(error instanceof NeverBegun)) throw error;
          // The process ended for a reason that had nothing to do with the job.
          if (starts === MAX_STARTS) return watch.died(error);
        }
      }
    },
    /** Asks a custom check of a node type. Rejects when the check fails, is late or ends the process. */
    async check(question: CheckQuestion, { folders, signal = never }: CheckOptions): Promise<CheckResult> {
      return await inTurn(signal, async (own) => await checkInProcess(own, question, { folders, signal }));
    },
    /** The node types, for `readNodeDescriptions`. Rejects when they cannot be loaded. */
    async describe(): Promise<string> {
      const own = await loaded(never);
      return await own.ready;
    },
    /** Resolves when the node types are loaded, and rejects when they cannot be. */
    async ready(): Promise<void> {
      await loaded(never);
    },
    /** Drops the results of earlier jobs. */
    forget(): void {
      current.post({ kind: 'forget' });
    },
    async close(): Promise<void> {
      closed = true;
      if (current.isGone()) return;
      current.hold(true);
      const left = once(current.child, 'exit');
      current.kill();
      await left;
    },
  };
}

async function whileHeld<T>(own: RunnerProcess, work: () => Promise<T>): Promise<T> {
  own.hold(true);
  try {
    return await work();
  } finally {
    own.hold(false);
  }
}
