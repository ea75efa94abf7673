import type { Clock } from '../../platform/clock.ts';
import { type Db, engineOf } from '../../platform/db/database.ts';
import { everyNowAndThen } from '../../platform/every-now-and-then.ts';
import { createTurns } from '../../platform/take-turns.ts';
import type { VendorAdapter } from '../vendors/vendor.ts';
import { type HeldTaskChanges, LeaseLost } from './change-held-task.ts';
import { claimFetches, claimTasks, type HeldTask } from './claim-tasks.ts';
import { endAllLeases, nextDueAt } from './leases.repo.ts';
import type { TakeSteps } from './take-steps.ts';

export interface TaskRunnerOptions {
  readonly leaseMs?: number;
  readonly heartbeatMs?: number;
  readonly pollMs?: number;
  /** How long `close` waits for requests that must not be cut off. */
  readonly closeMs?: number;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly adapters: readonly VendorAdapter[];
  readonly changes: HeldTaskChanges;
  readonly takeSteps: TakeSteps;
  readonly onError: (error: unknown) => void;
}

export interface TaskRunner {
  start(): Promise<void>;
  /** Looks now. Called after the commit that made a task due. */
  wake(): void;
  /** Takes the steps that are due, and those that become due meanwhile, and ends when none is. */
  drain(): Promise<void>;
  close(): Promise<void>;
}

/** Tasks that wait for the same: pictures, or one adapter. */
interface Line {
  /** `undefined` for pictures. */
  readonly adapter: string | undefined;
  readonly places: number;
  /** What it does must not be cut off. */
  readonly isPrecious: boolean;
  claim(now: number, limit: number): Promise<HeldTask[]>;
  take(held: HeldTask, signal: AbortSignal, onProgress: (progress: number) => void): Promise<void>;
}

interface UnderWay {
  readonly line: Line;
  readonly ended: Promise<void>;
  readonly abort: (reason: Error) => void;
}

const PROGRESS_MS = 500;
/** How many tasks fetch pictures at once. */
const FETCH_PLACES = 16;

/** Works through due tasks: as many steps of each adapter at once as it has places, each under a lease that heartbeats keep. */
export function createTaskRunner(parts: Parts, options: TaskRunnerOptions = {}): TaskRunner {
  const { db, clock, adapters, changes, takeSteps, onError } = parts;
  const { leaseMs = 15_000, heartbeatMs = 4000, pollMs = 1000, closeMs = 8000 } = options;
  const underWay = new Set<UnderWay>();
  let isStarted = false;
  let isClosing = false;
  let alarm: NodeJS.Timeout | undefined;
  let stopPolling = async (): Promise<void> => {};

  const lines: readonly Line[] = [
    {
      adapter: undefined,
      places: FETCH_PLACES,
      isPrecious: false,
      claim: async (now, limit) => await claimFetches(db, { now, limit, leaseMs }),
      take: async (held, signal) => await takeSteps.fetch({ held, signal }),
    },
    ...adapters.map((adapter) => ({
      adapter: adapter.name,
      places: adapter.places,
      isPrecious: adapter.repeats === 'never',
      claim: async (now: number, limit: number) =>
        await claimTasks(db, { adapter: adapter.name, now, limit, leaseMs }),
      take: async (held: HeldTask, signal: AbortSignal, onProgress: (progress: number) => void) =>
        await takeSteps.work({ held, adapter, signal, onProgress }),
    })),
  ];
  const freePlaces = (line: Line): number =>
    line.places - [...underWay].filter((step) => step.line === line).length;

  /** Keeps the lease while a step runs, and ends the step when it is gone. */
  function keepLease(held: HeldTask, abort: (reason: Error) => void) {
    let progress: number | undefined;
    let lastWritten = clock();
    let writing: Promise<void> | undefined;
    const write = (): void => {
      if (writing) return;
      const told = progress;
      progress = undefined;
      lastWritten = clock();
      writing = changes
        .hold(held, clock() + leaseMs, told)
        .catch((error: unknown) => {
          if (error instanceof LeaseLost) abort(error);
          else onError(error);
        })
        .finally(() => {
          writing = undefined;
        });
    };
    const timer = setInterval(write, heartbeatMs);
    return {
      onProgress(value: number): void {
        progress = Math.min(99, Math.max(0, Math.round(value)));
        if (clock() - lastWritten >= PROGRESS_MS) write();
      },
      /** Nothing is written after it: a late heartbeat would bring back a lease that the step has given up. */
      async end(): Promise<void> {
        clearInterval(timer);
        await writing;
      },
    };
  }

  function begin(held: HeldTask, line: Line): void {
    const ending = new AbortController();
    const abort = (reason: Error): void => ending.abort(reason);
    const run = async (): Promise<void> => {
      const lease = keepLease(held, abort);
      try {
        await line.take(held, ending.signal, lease.onProgress);
      } catch (error) {
        // The lease runs out, and the task is looked at again.
        if (!(error instanceof LeaseLost)) onError(error);
      } finally {
        await lease.end();
      }
    };
    const entry: UnderWay = {
      line,
      abort,
      ended: run().finally(() => {
        underWay.delete(entry);
        wake();
      }),
    };
    underWay.add(entry);
  }

  async function fill(): Promise<void> {
    if (isClosing) return;
    for (const line of lines) {
      const limit = freePlaces(line);
      if (limit <= 0) continue;
      for (const held of await line.claim(clock(), limit)) begin(held, line);
    }
    await setAlarm();
  }

  /** What is due before the next poll is looked at when it is due. */
  async function setAlarm(): Promise<void> {
    const free = lines.filter((line) => freePlaces(line) > 0);
    const times = await Promise.all(free.map(async ({ adapter }) => await nextDueAt(db, adapter)));
    const at = times.reduce((first, time) => Math.min(first ?? Infinity, time ?? Infinity), undefined);
    clearTimeout(alarm);
    if (at === undefined || !Number.isFinite(at) || isClosing) return;
    const ms = Math.max(at - clock(), 10);
    if (ms < pollMs) alarm = setTimeout(wake, ms);
  }

  const turns = createTurns(fill, onError);
  /** Nothing is taken before the start. */
  const wake = (): void => {
    if (isStarted) turns.want();
  };

  return {
    async start() {
      isStarted = true;
      if (engineOf(db) === 'sqlite') await endAllLeases(db, clock());
      stopPolling = everyNowAndThen(
        pollMs,
        async () => {
          wake();
          await turns.settled();
        },
        onError,
      );
      wake();
    },
    wake,
    async drain() {
      for (;;) {
        turns.want();
        await turns.settled();
        if (underWay.size === 0) return;
        await Promise.all([...underWay].map(async ({ ended }) => await ended));
      }
    },
    async close() {
      isClosing = true;
      clearTimeout(alarm);
      await stopPolling();
      await turns.settled();
      const stop = new Error('The server is stopping.');
      // What would be lost with its answer is waited for; the rest is taken up again by whoever comes next.
      for (const step of underWay) if (!step.line.isPrecious) step.abort(stop);
      const patience = setTimeout(() => {
        for (const step of underWay) step.abort(stop);
      }, closeMs);
      await Promise.all([...underWay].map(async ({ ended }) => await ended));
      clearTimeout(patience);
    },
  };
}
