import type { Db } from '../platform/db/database.ts';
import { prepareQuery } from '../platform/db/prepared-query.ts';

export type JobEndRow = NonNullable<Awaited<ReturnType<typeof findJobEnd>>>;

const jobEnd = prepareQuery((db, { userId, jobId }: { userId: string; jobId: string }) =>
  db
    .selectFrom('jobs')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .select(['jobs.status', 'jobs.ended_at', 'jobs.error', 'job_results.outputs'])
    .where('jobs.id', '=', jobId)
    .where('jobs.user_id', '=', userId),
);

/** The status of a job and, once it has ended, how. */
export async function findJobEnd(db: Db, userId: string, jobId: string) {
  return (await jobEnd(db, { userId, jobId }))[0];
}
