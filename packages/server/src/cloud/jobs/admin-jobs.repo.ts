import { sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import type { JobStatus } from '../../platform/db/schema/cloud.ts';
import { slowRead } from '../../platform/db/slow-read.ts';
import { hasEnded } from './job-states.ts';

export interface AdminJobFilter {
  readonly userId?: string | undefined;
  readonly statuses?: readonly JobStatus[] | undefined;
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

export async function listJobsOfAll(db: Db, adminId: string, filter: AdminJobFilter) {
  const { userId, statuses, beforeSeq, limit } = filter;
  const newest = db
    .selectFrom('jobs')
    .select(['seq', 'id', 'user_id', 'status', 'created_at', 'started_at', 'ended_at'])
    .select(['attempt', 'runner', 'error'])
    .$if(beforeSeq !== undefined, (query) => query.where('seq', '<', beforeSeq ?? 0))
    .orderBy('seq', 'desc')
    .limit(limit);
  if (statuses && !statuses.some((status) => hasEnded({ status }))) {
    // Few jobs are open, and the lines know whose, so the search need not skip all ended jobs.
    const lines = db
      .selectFrom('job_queues')
      .select('user_id')
      .where((line) => line.or([line('waiting', '>', 0), line('running', '>', 0)]));
    return await newest
      .where('user_id', 'in', lines)
      .where('status', 'in', statuses)
      .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
      .execute();
  }
  // SQLite must not use an index for these columns: it would sort all matches instead of reading the jobs in order.
  const unindexed = (name: 'user_id' | 'status') =>
    engineOf(db) === 'sqlite' ? sql`+${sql.ref(name)}` : sql.ref(name);
  const matching = newest
    .$if(userId !== undefined, (query) => query.where(unindexed('user_id'), '=', userId ?? ''))
    .$if(statuses !== undefined, (query) => query.where(unindexed('status'), 'in', statuses ?? []));
  return await slowRead(db, adminId, matching);
}

export async function findOwner(db: Db, jobId: string): Promise<string | undefined> {
  const job = await db.selectFrom('jobs').select('user_id').where('id', '=', jobId).executeTakeFirst();
  return job?.user_id;
}
