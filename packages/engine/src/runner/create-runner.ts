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
  /** What the arrays of a job and the cache may take together. */
  readonly memoryBytes?: number;
  /** What results of earlier jobs may take of that. */
  readonly cacheBytes?: number;
  /** What the objects of the process may take, arrays not counted. */
  readonly heapMb?: number;
  /** How long a job may run. */
  readonly jobMs?: number;
  /** What a job finds in the environment of its process, asked for when it starts. Nodes see nothing of the parent's own. */
  readonly env?: () => Readonly<Record<string, string>>;
}

export interface RunJobOptions {
  readonly signal?: AbortSignal;
  onEvent?(event: EngineEvent): void;
}

/**
 * Runs jobs one after another in a process of its own, so that nothing a node does reaches the caller. A job that
 * does not stop when it is asked to, or that takes too much, ends with its process; the next one gets a fresh one.
 */
export interface Runner {
  /** Never rejects for what a graph or a node does. Jobs that are given meanwhile wait. */
  run(job: RunnerJob, options?: RunJobOptions): Promise<Outcome>;
  /** What a custom check of a node type says. Rejects when the check fails, is late or ends the process. */
  check(question: CheckQuestion, options: CheckOptions): Promise<CheckResult>;
  /** Its node types, for `readNodeDescriptions`. Rejects when they cannot be loaded. */
  describe(): Promise<string>;
  /** Resolves when its node types are loaded: until then a job would wait. Rejects when they cannot be. */
  ready(): Promise<void>;
  /** Forgets the results of earlier jobs. */
  forget(): void;
  close(): Promise<void>;
}

const MB = 2 ** 20;
/** So many processes in a row may end while they load, or before they have the job. */
const MAX_STARTS = 3;

export function createRunner(options: RunnerOptions): Runner {
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

  /** The process that can take work, a fresh one when the last is over. */
  function usable(): RunnerProcess {
    if (closed) throw new Error('The runner is closed.');
    if (current.isOver()) {
      // It may be over only because something failed between two jobs.
      current.kill();
      current = start();
    }
    return current;
  }

  /** One that is ended while it loads has begun no job, so nothing is lost and another one takes its place. */
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

  /** Jobs and checks have the process for themselves, one after another. */
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
        // A fresh process takes a while to load its packs, so it starts before the next job asks.
        if (own.isOver() && !closed) current = start();
      }
    } finally {
      over.resolve();
    }
  }

  return {
    async run(job, { signal = never, onEvent = () => {} } = {}) {
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
          // Something ended it that had nothing to do with the job.
          if (starts === MAX_STARTS) return watch.died(error);
        }
      }
    },
    async check(question, { folders, signal = never }) {
      return await inTurn(signal, async (own) => await checkInProcess(own, question, { folders, signal }));
    },
    async describe() {
      const own = await loaded(never);
      return await own.ready;
    },
    async ready() {
      await loaded(never);
    },
    forget() {
      current.post({ kind: 'forget' });
    },
    async close() {
      closed = true;
      const { child } = current;
      if (child.exitCode !== null || child.signalCode !== null) return;
      current.hold(true);
      const left = once(child, 'exit');
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
