import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { countEnded, countOpen, type JobFilter, settledUpTo } from './job-list.repo.ts';
import { ENDED, OPEN } from './job-states.ts';

const FRESH_MS = 60_000;
const MAX_KEPT = 1000;

interface Settled {
  readonly upTo: number;
  readonly counts: ReadonlyMap<JobStatus, number>;
}

interface Kept {
  readonly settled: Promise<Settled>;
  readonly countedAt: number;
}

/**
 * How many jobs a list has on all its pages. Counting 100 000 takes 10 ms, which would be most of what a page costs; so
 * the settled part is counted once a minute and only what came since with every page. A new job counts at once; what
 * another server hides or removes, within that minute.
 */
export interface JobTotals {
  of(filter: JobFilter): Promise<number>;
  /** After jobs of the user were hidden. */
  forget(userId: string): void;
}

export function createJobTotals({ db, clock }: { readonly db: Db; readonly clock: Clock }): JobTotals {
  const kept = new Map<string, Kept>();

  async function countSettled(filter: JobFilter): Promise<Settled> {
    const upTo = await settledUpTo(db, filter.userId);
    return { upTo, counts: await countEnded(db, { ...filter, statuses: ENDED }, { upTo }) };
  }

  /** Several callers at once share one count. */
  async function settledFor(filter: JobFilter): Promise<Settled> {
    const key = `${filter.userId} ${JSON.stringify([filter.workflowId, filter.outputType])}`;
    const known = kept.get(key);
    if (known && clock() - known.countedAt < FRESH_MS) return await known.settled;
    const fresh = { settled: countSettled(filter), countedAt: clock() };
    kept.delete(key);
    kept.set(key, fresh);
    if (kept.size > MAX_KEPT) kept.delete(kept.keys().next().value ?? '');
    try {
      return await fresh.settled;
    } catch (error) {
      if (kept.get(key) === fresh) kept.delete(key);
      throw error;
    }
  }

  return {
    async of(filter) {
      const ended = ENDED.filter((status) => filter.statuses.includes(status));
      const open = OPEN.filter((status) => filter.statuses.includes(status));
      let total = 0;
      if (open.length > 0) total += await countOpen(db, { ...filter, statuses: open });
      if (ended.length > 0) {
        const { upTo, counts } = await settledFor(filter);
        const since = await countEnded(db, { ...filter, statuses: ended }, { above: upTo });
        total += sum(since.values()) + sum(ended.map((status) => counts.get(status) ?? 0));
      }
      return total;
    },
    forget(userId) {
      for (const key of kept.keys()) if (key.startsWith(`${userId} `)) kept.delete(key);
    },
  };
}

function sum(numbers: Iterable<number>): number {
  let total = 0;
  for (const number of numbers) total += number;
  return total;
}
