import type { WorkerDemand } from '@atelier/contracts';

import type { Clock } from '../../../platform/clock.ts';
import type { Db } from '../../../platform/db/database.ts';
import { type Actor, requireAdmin } from '../../../platform/http/actor.ts';
import type { Abilities, WorkerOffer } from './abilities.ts';
import * as repo from './demand.repo.ts';
import type { EngineKind, JobNeeds } from './job-needs.ts';

/** The assumed duration of a job when none has run yet. */
const UNKNOWN_MS = 10_000;
const ANY = 'any';

type Offer = WorkerOffer & { readonly slots: number };

/** Waiting jobs with the same needs. */
interface Group {
  readonly count: number;
  readonly ms: number;
  readonly oldestAt: number;
  /** The workers that can run them. */
  readonly able: readonly Offer[];
}

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly needsOf: (key: string | null) => Promise<JobNeeds>;
  /** The workers of all servers that take jobs. */
  readonly offers: () => readonly Offer[];
  readonly isAble: Abilities['isAble'];
  readonly tokenLabels: () => Promise<readonly string[]>;
}

/** How much work waits, by the labels of workers that could do it. */
export function createDemandTracker({ db, clock, needsOf, offers, isAble, tokenLabels }: Parts) {
  /** Kept, because autoscalers ask for a label after its last worker has ended. */
  const known = new Set<string>([ANY, 'comfyui']);

  async function measure() {
    const [waiting, recent] = await Promise.all([repo.countWaiting(db), repo.listRecentRuns(db)]);
    for (const label of await tokenLabels()) known.add(label);
    const kinds = new Map<EngineKind, number>();
    const runs = Map.groupBy(recent, ({ needs }) => needs);
    const usualMs = medianOf(recent) ?? UNKNOWN_MS;
    const workers = offers();
    const labels = new Map<string, Group[]>();
    for (const { needs, count, oldestAt } of waiting) {
      const ms = count * (medianOf(runs.get(needs) ?? []) ?? usualMs);
      const needed = await needsOf(needs);
      const { kind = 'built-in' } = needed;
      kinds.set(kind, (kinds.get(kind) ?? 0) + count);
      const able = workers.filter((worker) => isAble(worker, needed, workers));
      for (const label of labelsOf(needed)) {
        labels.getOrInsertComputed(label, () => []).push({ count, ms, oldestAt, able });
      }
    }
    for (const label of workers.flatMap((worker) => worker.labels)) known.add(label);
    for (const label of known) labels.getOrInsertComputed(label, () => []);
    const now = clock();
    return {
      /** How many jobs wait for each kind of worker. */
      kinds,
      /** Labels that operators use. Jobs can name any label. */
      known,
      labels: [...labels]
        .toSorted(([one], [other]) => (one < other ? -1 : 1))
        .map(([label, groups]) => ({
          label,
          waiting_jobs: groups.reduce((sum, { count }) => sum + count, 0),
          oldest_seconds: seconds(longestWait(groups, now)),
          slots: slotsOf(workers.filter((worker) => label === ANY || worker.labels.includes(label))),
          waiting_seconds: seconds(waitingMs(groups, now)),
        })),
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

export type DemandTracker = ReturnType<typeof createDemandTracker>;

/** Every ComfyUI worker has the label `comfyui`. */
function labelsOf({ labels, kind }: JobNeeds): readonly string[] {
  const all = kind === 'comfyui' ? [...new Set([...labels, kind])] : labels;
  return all.length === 0 ? [ANY] : all;
}

/** How long the workers that can run the jobs would take. Jobs that no worker can run count with the time they have waited. */
function waitingMs(groups: readonly Group[], now: number): number {
  const ids = new Map<Offer, number>();
  const idOf = (worker: Offer): number => ids.getOrInsert(worker, ids.size);
  const stuck = groups.filter(({ able }) => able.length === 0);
  const runnable = groups.filter(({ able }) => able.length > 0);
  // Some workers may be busier than others, so the jobs of each set of workers are also measured on their own.
  const bySet = Map.groupBy(groups, ({ able }) => able.map(idOf).join());
  return Math.max(longestWait(stuck, now), ...[runnable, ...bySet.values()].map(timeOf));
}

function timeOf(groups: readonly Group[]): number {
  const able = new Set(groups.flatMap((group) => group.able));
  const ms = groups.reduce((sum, group) => sum + group.ms, 0);
  return ms / Math.max(1, slotsOf([...able]));
}

function longestWait(groups: readonly Group[], now: number): number {
  return groups.reduce((longest, { oldestAt }) => Math.max(longest, now - oldestAt), 0);
}

function slotsOf(workers: readonly Offer[]): number {
  return workers.reduce((sum, { slots }) => sum + slots, 0);
}

function medianOf(runs: readonly { readonly execution_ms: number | null }[]): number | undefined {
  const times = runs.map(({ execution_ms }) => execution_ms ?? 0).toSorted((one, other) => one - other);
  return times[times.length >> 1];
}

function seconds(ms: number): number {
  return Math.ceil(Math.max(0, ms) / 1000);
}
