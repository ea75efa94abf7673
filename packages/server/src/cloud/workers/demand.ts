import type { WorkerDemand } from '@atelier/contracts';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { type Actor, requireAdmin } from '../../platform/http/actor.ts';
import * as repo from './demand.repo.ts';
import type { EngineKind, JobNeeds } from './job-needs.ts';

/** The assumed duration of a job when none has run yet. */
const UNKNOWN_MS = 10_000;
const ANY = 'any';

interface Offer {
  readonly labels: readonly string[];
  readonly slots: number;
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly needsOf: (key: string | null) => Promise<JobNeeds>;
  /** The workers of all servers that take jobs. */
  readonly offers: () => readonly Offer[];
  /** Labels that worker tokens name. */
  readonly tokenLabels: () => Promise<readonly string[]>;
}

interface Demand extends WorkerDemand {
  /** How many jobs wait for each kind of worker. */
  readonly kinds: ReadonlyMap<EngineKind, number>;
  /** Labels that operators have given. Those of jobs can be any. */
  readonly known: ReadonlySet<string>;
}

/** How much work waits, by the labels of workers that could do it. */
export function createDemand({ db, clock, needsOf, offers, tokenLabels }: Parts) {
  /** An autoscaler goes on asking for a label when its last worker has ended. */
  const known = new Set<string>([ANY, 'comfyui']);

  async function measure(): Promise<Demand> {
    const [waiting, recent] = await Promise.all([repo.countWaiting(db), repo.listRecentRuns(db)]);
    for (const label of await tokenLabels()) known.add(label);
    const kinds = new Map<EngineKind, number>();
    const runs = Map.groupBy(recent, ({ needs }) => needs);
    const usualMs = medianOf(recent) ?? UNKNOWN_MS;
    const workers = offers();
    const labels = new Map<string, { jobs: number; ms: number; oldestAt: number }>();
    for (const { needs, count, oldestAt } of waiting) {
      const ms = count * (medianOf(runs.get(needs) ?? []) ?? usualMs);
      const needed = await needsOf(needs);
      const { kind = 'built-in' } = needed;
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      for (const label of labelsOf(needed)) {
        const before = labels.get(label) ?? { jobs: 0, ms: 0, oldestAt };
        labels.set(label, {
          jobs: before.jobs + count,
          ms: before.ms + ms,
          oldestAt: Math.min(before.oldestAt, oldestAt),
        });
      }
    }
    for (const label of workers.flatMap((worker) => worker.labels)) known.add(label);
    for (const label of known) {
      if (!labels.has(label)) labels.set(label, { jobs: 0, ms: 0, oldestAt: clock() });
    }
    return {
      kinds,
      known,
      labels: [...labels]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([label, { jobs, ms, oldestAt }]) => {
          const able = workers.filter((worker) => label === ANY || worker.labels.includes(label));
          const slots = able.reduce((sum, worker) => sum + worker.slots, 0);
          const oldest = jobs === 0 ? 0 : seconds(clock() - oldestAt);
          return {
            label,
            waiting_jobs: jobs,
            oldest_seconds: oldest,
            slots,
            // Without a worker they wait until one is started.
            waiting_seconds: Math.max(seconds(ms / Math.max(1, slots)), slots === 0 ? oldest : 0),
          };
        }),
    };
  }

  return {
    measure,
    async forAdministrators(actor: Actor): Promise<WorkerDemand> {
      requireAdmin(actor);
      const { labels } = await measure();
      return { labels };
    },
  };
}

export type DemandBook = ReturnType<typeof createDemand>;

/** Workers of a ComfyUI have the label `comfyui`. */
function labelsOf({ labels, kind }: JobNeeds): readonly string[] {
  const all = kind === 'comfyui' ? [...new Set([...labels, kind])] : labels;
  return all.length === 0 ? [ANY] : all;
}

function medianOf(runs: readonly { readonly execution_ms: number | null }[]): number | undefined {
  const times = runs.map(({ execution_ms }) => execution_ms ?? 0).toSorted((one, other) => one - other);
  return times[times.length >> 1];
}

function seconds(ms: number): number {
  return Math.ceil(Math.max(0, ms) / 1000);
}
