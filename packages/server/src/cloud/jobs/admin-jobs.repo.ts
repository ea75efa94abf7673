import type { Db } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { inSlices } from '../../platform/in-slices.ts';
import { hasEnded } from './job-states.ts';

export interface AdminJobFilter {
  readonly userId?: string | undefined;
  readonly statuses?: readonly JobStatus[] | undefined;
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** So many jobs are looked at before others get their turn. */
const SLICE = 5000;

export async function listJobsOfAll(db: Db, filter: AdminJobFilter) {
  const { statuses, limit } = filter;
  if (statuses && !statuses.some((status) => hasEnded({ status }))) {
    // Few jobs are open, and the lines know whose: the search need not pass all that have ended.
    const lines = db
      .selectFrom('job_queues')
      .select('user_id')
      .where((line) => line.or([line('waiting', '>', 0), line('running', '>', 0)]));
    return await jobsOfAll(db, filter).where('user_id', 'in', lines).limit(limit).execute();
  }
  let top = filter.beforeSeq ?? (await newestSeq(db)) + 1;
  const found: Awaited<ReturnType<ReturnType<typeof jobsOfAll>['execute']>> = [];
  await inSlices(async () => {
    const slice = jobsOfAll(db, filter)
      .where('seq', '<', top)
      .where('seq', '>=', top - SLICE);
    found.push(...(await slice.limit(limit - found.length).execute()));
    top -= SLICE;
    return found.length < limit && top > 0;
  });
  return found;
}

function jobsOfAll(db: Db, { userId, statuses, beforeSeq }: AdminJobFilter) {
  let query = db
    .selectFrom('jobs')
    .select(['seq', 'id', 'user_id', 'status', 'created_at', 'started_at', 'ended_at'])
    .select(['attempt', 'runner', 'error'])
    .orderBy('seq', 'desc');
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (statuses) query = query.where('status', 'in', statuses);
  return beforeSeq === undefined ? query : query.where('seq', '<', beforeSeq);
}

async function newestSeq(db: Db): Promise<number> {
  const { newest } = await db
    .selectFrom('jobs')
    .select((eb) => eb.fn.max('seq').as('newest'))
    .executeTakeFirstOrThrow();
  return newest ?? 0;
}

export async function findOwner(db: Db, jobId: string): Promise<string | undefined> {
  const job = await db.selectFrom('jobs').select('user_id').where('id', '=', jobId).executeTakeFirst();
  return job?.user_id;
}
