import { parseJson } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import type { JobRecord, KeptEvent } from './live-jobs.ts';

/** The status of a job and, once it has ended, its kept events. */
export async function readKeptEvents(db: Db, userId: string, jobId: string): Promise<JobRecord | undefined> {
  const row = await db
    .selectFrom('jobs')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .select(['jobs.status', 'job_results.events'])
    .where('jobs.id', '=', jobId)
    .where('jobs.user_id', '=', userId)
    .executeTakeFirst();
  return (
    row && { status: row.status, events: row.events === null ? [] : (parseJson(row.events) as KeptEvent[]) }
  );
}
