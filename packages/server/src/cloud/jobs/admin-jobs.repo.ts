import type { Db } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { hasEnded } from './job-states.ts';

export interface AdminJobFilter {
  readonly userId?: string | undefined;
  readonly statuses?: readonly JobStatus[] | undefined;
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** Jobs of all users, newest first. */
export async function listJobsOfAll(db: Db, { userId, statuses, beforeSeq, limit }: AdminJobFilter) {
  let query = db
    .selectFrom('jobs')
    .select(['seq', 'id', 'user_id', 'status', 'created_at', 'started_at', 'ended_at'])
    .select(['attempt', 'runner', 'error'])
    .orderBy('seq', 'desc')
    .limit(limit);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  if (beforeSeq !== undefined) query = query.where('seq', '<', beforeSeq);
  if (!statuses) return await query.execute();
  query = query.where('status', 'in', statuses);
  if (statuses.some((status) => hasEnded({ status }))) return await query.execute();
  // Few jobs are open, and the lines know whose: the search need not pass all that have ended.
  return await query
    .where('user_id', 'in', (eb) =>
      eb
        .selectFrom('job_queues')
        .select('job_queues.user_id')
        .where((line) => line.or([line('waiting', '>', 0), line('running', '>', 0)])),
    )
    .execute();
}

export async function findOwner(db: Db, jobId: string): Promise<string | undefined> {
  const job = await db.selectFrom('jobs').select('user_id').where('id', '=', jobId).executeTakeFirst();
  return job?.user_id;
}
