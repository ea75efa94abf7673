import type { Db } from '../platform/db/database.ts';
import { prepareQuery } from '../platform/db/prepared-query.ts';
import type { JobStatus } from '../platform/db/schema/cloud.ts';

export interface JobEndRow {
  readonly status: JobStatus;
  readonly ended_at: number | null;
  readonly error: string | null;
  /** JSON; `null` until the end. */
  readonly outputs: string | null;
}

const jobEnd = prepareQuery((db, { userId, jobId }: { userId: string; jobId: string }) =>
  db
    .selectFrom('jobs')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .select(['jobs.status', 'jobs.ended_at', 'jobs.error', 'job_results.outputs'])
    .where('jobs.id', '=', jobId)
    .where('jobs.user_id', '=', userId),
);

export async function findJobEnd(db: Db, userId: string, jobId: string): Promise<JobEndRow | undefined> {
  return (await jobEnd(db, { userId, jobId }))[0];
}
