import { engineOf } from '../../platform/db/database.ts';
import { createWorkLoop, type WorkTimes } from '../../platform/work/work-loop.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import type { VendorAdapter } from '../vendors/vendor.ts';
import type { HeldTaskChanges } from './change-held-task.ts';
import { claimFetches, claimTasks, type HeldTask } from './claim-tasks.ts';
import { endAllLeases, LeaseLost, nextDueAt, renewLeases } from './leases.repo.ts';
import type { TakeSteps } from './take-steps.ts';

export interface TaskRunnerOptions extends WorkTimes {
  readonly leaseMs?: number;
}

interface Parts extends ProxyParts {
  readonly adapters: readonly VendorAdapter[];
  readonly changes: HeldTaskChanges;
  readonly takeSteps: TakeSteps;
}

/** Tasks that wait for the same resource: the fetching of pictures, or one adapter. */
interface Channel {
  readonly adapter: VendorAdapter | undefined;
  readonly slots: number;
  claim(now: number, limit: number): Promise<HeldTask[]>;
}

interface Step {
  readonly channel: Channel;
  readonly held: HeldTask;
}

const PROGRESS_MS = 500;
const FETCH_SLOTS = 16;

/** Works through due tasks: as many steps of each adapter at once as it has slots. */
export function createTaskRunner(parts: Parts, options: TaskRunnerOptions = {}) {
  const { db, clock, adapters, takeSteps, onError } = parts;
  const { leaseMs = 15_000, closeMs = 8000 } = options;

  const channels: readonly Channel[] = [
    {
      adapter: undefined,
      slots: FETCH_SLOTS,
      claim: async (now, limit) => await claimFetches(db, { now, limit, leaseMs }),
    },
    ...adapters.map((adapter) => ({
      adapter,
      slots: adapter.places,
      claim: async (now: number, limit: number) =>
        await claimTasks(db, { adapter: adapter.name, now, limit, leaseMs }),
    })),
  ];
  let isStarted = false;
  const freeSlots = (channel: Channel): number =>
    channel.slots - loop.running().filter((step) => step.channel === channel).length;

  const loop = createWorkLoop<Step>(
    {
      clock,
      onError,
      async claim(begin) {
        for (const channel of channels) {
          const limit = freeSlots(channel);
          if (limit <= 0) continue;
          for (const held of await channel.claim(clock(), limit)) begin({ channel, held });
        }
      },
      async run({ channel: { adapter }, held }, signal) {
        const progress = createProgressWriter(parts, held);
        try {
          if (adapter) await takeSteps.work({ held, adapter, signal, onProgress: progress.set });
          else await takeSteps.fetch({ held, signal });
        } catch (error) {
          // The lease runs out, and the task is claimed again.
          if (!(error instanceof LeaseLost)) onError(error);
        } finally {
          await progress.written();
        }
      },
      async renew(steps) {
        const held = await renewLeases(
          db,
          steps.map((step) => step.held),
          clock() + leaseMs,
        );
        return new Set(steps.filter((step) => held.has(step.held.seq)));
      },
      async nextDueAt() {
        if (!isStarted) return undefined;
        const free = channels.filter((channel) => freeSlots(channel) > 0);
        const times = await Promise.all(free.map(async ({ adapter }) => await nextDueAt(db, adapter?.name)));
        const known = times.filter((time) => time !== undefined);
        return known.length > 0 ? Math.min(...known) : undefined;
      },
      // A request that cannot be repeated is waited for at the close.
      endsAtClose: ({ channel: { adapter } }) => adapter?.isRepeatable !== false,
    },
    { ...options, closeMs },
  );

  return {
    ...loop,
    /** Nothing is taken before the start. */
    wake(): void {
      if (isStarted) loop.wake();
    },
    async start(): Promise<void> {
      isStarted = true;
      if (engineOf(db) === 'sqlite') await endAllLeases(db, clock());
      loop.start();
    },
  };
}

/** Stores the progress of a step, at most every half second and one write at a time. */
function createProgressWriter({ clock, changes, onError }: Parts, held: HeldTask) {
  let writing: Promise<void> | undefined;
  let writtenAt = clock();
  return {
    set(value: number): void {
      if (writing || clock() - writtenAt < PROGRESS_MS) return;
      writtenAt = clock();
      writing = changes
        .setProgress(held, Math.min(99, Math.max(0, Math.round(value))))
        .catch((error: unknown) => {
          // The next renewal finds a lost lease.
          if (!(error instanceof LeaseLost)) onError(error);
        })
        .finally(() => {
          writing = undefined;
        });
    },
    async written(): Promise<void> {
      await writing;
    },
  };
}
