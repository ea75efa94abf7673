import type { Db } from '../../platform/db/database.ts';
import { notFound } from '../../platform/errors/app-error.ts';
import { commaSeparated, type Pieces } from '../../platform/http/send-json.ts';
import { inRestedSlices } from '../../platform/in-slices.ts';
import {
  HISTORY_PARTS,
  type HistoryPart,
  historyDetailJson,
  historyEntryJson,
  historyItemJson,
  rawObject,
} from './job-json.ts';
import { listPage, listSeqs } from './job-list.repo.ts';
import { ENDED, hasEnded, isJobId } from './job-states.ts';
import * as repo from './jobs.repo.ts';

export type HistoryService = ReturnType<typeof createHistoryService>;

/** As many as ComfyUI keeps. */
export const MAX_HISTORY_ITEMS = 10_000;
const BATCH_SIZE = 200;

/** Ended jobs, in the formats of older clients. */
export function createHistoryService({ db }: { readonly db: Db }) {
  const endedOf = (userId: string) => ({ userId, statuses: ENDED });
  const render =
    (userId: string, toJson: (job: repo.WholeJob) => string) => async (seqs: readonly number[]) =>
      (await repo.readWholeJobs(db, userId, seqs)).map(toJson);
  const find = async (userId: string, id: string) => {
    const job = await repo.findWholeJob(db, userId, id);
    return job?.hidden === 0 ? job : undefined;
  };

  /** In slices from the newest job on, so that other work gets its turn and no job is read twice. */
  async function hideAll(userId: string): Promise<void> {
    let after: number | undefined;
    await inRestedSlices(async () => {
      const page = { order: 'desc', limit: BATCH_SIZE, offset: 0, after } as const;
      const seqs = await listSeqs(db, endedOf(userId), page);
      await repo.hideJobs(db, userId, { seqs });
      after = seqs.at(-1);
      return seqs.length === BATCH_SIZE;
    });
  }

  return {
    /** An object by id, oldest first: the last `max` jobs, or `max` jobs from `offset` on. */
    async *list(
      userId: string,
      { max = MAX_HISTORY_ITEMS, offset, part }: { max?: number; offset?: number; part?: HistoryPart },
    ): Pieces {
      const limit = offset === undefined ? Math.min(max, MAX_HISTORY_ITEMS) : MAX_HISTORY_ITEMS;
      const newest = await listSeqs(db, endedOf(userId), { order: 'desc', limit, offset: 0 });
      const seqs = newest.toReversed().slice(offset ?? 0, (offset ?? 0) + max);
      const toJson = part ? HISTORY_PARTS[part] : historyEntryJson;
      yield '{';
      yield* commaSeparated(
        seqs,
        render(userId, (job) => `${JSON.stringify(job.id)}:${toJson(job)}`),
      );
      yield '}';
    },

    /** An object by id; empty while the job waits or runs, and when there is no such job. */
    async read(userId: string, id: string, part?: HistoryPart): Promise<string> {
      const job = await find(userId, id);
      if (!job || !hasEnded(job)) return '{}';
      return rawObject({ [id]: (part ? HISTORY_PARTS[part] : historyEntryJson)(job) });
    },

    /** A list, newest first, without the workflows. */
    async *listNewest(userId: string, { max, offset }: { max: number; offset: number }): Pieces {
      const page = { order: 'desc', limit: max, offset } as const;
      yield '{"history":[';
      yield* commaSeparated(await listPage(db, endedOf(userId), page), render(userId, historyItemJson));
      yield ']}';
    },

    async detail(userId: string, id: string): Promise<string> {
      const job = await find(userId, id);
      if (!job) throw notFound('job', id);
      return hasEnded(job) ? rawObject({ [id]: historyDetailJson(job) }) : '{}';
    },

    /** Hides ended jobs from the lists. They can still be read by id. */
    async hide(
      userId: string,
      { clear, ids }: { readonly clear: boolean; readonly ids: readonly string[] },
    ): Promise<void> {
      await repo.hideJobs(db, userId, { ids: ids.filter(isJobId) });
      if (clear) await hideAll(userId);
    },
  };
}
