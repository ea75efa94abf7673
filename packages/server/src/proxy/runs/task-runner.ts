import type { Clock } from '../../platform/clock.ts';
import { type Db, engineOf } from '../../platform/db/database.ts';
import { everyNowAndThen } from '../../platform/every-now-and-then.ts';
import type { VendorAdapter } from '../vendors/vendor.ts';
import { type HeldTaskChanges, LeaseLost } from './change-held-task.ts';
import { claimTasks, type HeldTask } from './claim-tasks.ts';
import { endAllLeases, nextDueAt } from './leases.repo.ts';
import type { TakeStep } from './take-step.ts';

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
  readonly takeStep: TakeStep;
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

interface UnderWay {
  readonly adapter: string;
  readonly repeats: VendorAdapter['repeats'];
  readonly ended: Promise<void>;
  readonly abort: (reason: Error) => void;
}

const PROGRESS_MS = 500;

/** Works through due tasks: as many steps of each adapter at once as it has places, each under a lease that heartbeats keep. */
export function createTaskRunner(parts: Parts, options: TaskRunnerOptions = {}): TaskRunner {
  const { db, clock, adapters, changes, takeStep, onError } = parts;
  const { leaseMs = 15_000, heartbeatMs = 4000, pollMs = 1000, closeMs = 8000 } = options;
  const underWay = new Set<UnderWay>();
  let turn: Promise<void> | undefined;
  let isWanted = false;
  let isStarted = false;
  let isClosing = false;
  let alarm: NodeJS.Timeout | undefined;
  let stopPolling = async (): Promise<void> => {};

  const freePlaces = ({ name, places }: VendorAdapter): number =>
    places - [...underWay].filter(({ adapter }) => adapter === name).length;

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

  function begin(held: HeldTask, adapter: VendorAdapter): void {
    const ending = new AbortController();
    const abort = (reason: Error): void => ending.abort(reason);
    const run = async (): Promise<void> => {
      const lease = keepLease(held, abort);
      try {
        await takeStep({ held, adapter, signal: ending.signal, onProgress: lease.onProgress });
      } catch (error) {
        // The lease runs out, and the task is looked at again.
        if (!(error instanceof LeaseLost)) onError(error);
      } finally {
        await lease.end();
      }
    };
    const entry: UnderWay = {
      adapter: adapter.name,
      repeats: adapter.repeats,
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
    for (const adapter of adapters) {
      const limit = freePlaces(adapter);
      if (limit <= 0) continue;
      const claimed = await claimTasks(db, { adapter: adapter.name, now: clock(), limit, leaseMs });
      for (const held of claimed) begin(held, adapter);
    }
    await setAlarm();
  }

  /** What is due before the next poll is looked at when it is due. */
  async function setAlarm(): Promise<void> {
    const free = adapters.filter((adapter) => freePlaces(adapter) > 0).map(({ name }) => name);
    const at = await nextDueAt(db, free);
    clearTimeout(alarm);
    if (at === undefined || isClosing) return;
    const ms = Math.max(at - clock(), 10);
    if (ms < pollMs) alarm = setTimeout(wake, ms);
  }

  const takeTurns = async (): Promise<void> => {
    try {
      while (isWanted) {
        isWanted = false;
        await fill();
      }
    } catch (error) {
      onError(error);
    } finally {
      turn = undefined;
    }
  };

  const look = (): void => {
    isWanted = true;
    turn ??= takeTurns();
  };
  /** Nothing is taken before the start. */
  const wake = (): void => {
    if (isStarted) look();
  };

  return {
    async start() {
      isStarted = true;
      if (engineOf(db) === 'sqlite') await endAllLeases(db, clock());
      stopPolling = everyNowAndThen(
        pollMs,
        async () => {
          wake();
          await turn;
        },
        onError,
      );
      wake();
    },
    wake,
    async drain() {
      for (;;) {
        look();
        await turn;
        if (underWay.size === 0) return;
        await Promise.all([...underWay].map(async ({ ended }) => await ended));
      }
    },
    async close() {
      isClosing = true;
      clearTimeout(alarm);
      await stopPolling();
      await turn;
      const stop = new Error('The server is stopping.');
      // What would be lost with its answer is waited for; the rest is taken up again by whoever comes next.
      for (const step of underWay) if (step.repeats !== 'never') step.abort(stop);
      const patience = setTimeout(() => {
        for (const step of underWay) step.abort(stop);
      }, closeMs);
      await Promise.all([...underWay].map(async ({ ended }) => await ended));
      clearTimeout(patience);
    },
  };
}
