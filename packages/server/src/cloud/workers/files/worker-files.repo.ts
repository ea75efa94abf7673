import type { Db } from '../../../platform/db/database.ts';
import { prepareQuery } from '../../../platform/db/prepared-query.ts';

const selectAttempt = prepareQuery((db, { id, attempt }: { id: string; attempt: number }) =>
  db
    .selectFrom('jobs')
    .select(['user_id', 'started_at'])
    .where('id', '=', id)
    .where('attempt', '=', attempt)
    .where('status', '=', 'in_progress'),
);

export async function findAttempt(db: Db, id: string, attempt: number) {
  return (await selectAttempt(db, { id, attempt }))[0];
}

export async function readGraph(db: Db, id: string): Promise<string> {
  const row = await db
    .selectFrom('job_requests')
    .innerJoin('jobs', 'jobs.seq', 'job_requests.job_seq')
    .select('graph')
    .where('jobs.id', '=', id)
    .executeTakeFirstOrThrow();
  return row.graph;
}
