import { type SqlBool, sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import { isJobId, OPEN } from '../jobs/job-states.ts';

const job = prepareQuery((db, { id, userId }: { id: string; userId: string }) =>
  db
    .selectFrom('jobs')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .select([
      'jobs.seq',
      'jobs.id',
      'jobs.status',
      'jobs.created_at',
      'jobs.started_at',
      'jobs.ended_at',
      'jobs.execution_ms',
      'jobs.error',
      'jobs.metadata',
      'job_results.outputs',
    ])
    .where('jobs.id', '=', id)
    .where('jobs.user_id', '=', userId),
);

export type V2JobRow = NonNullable<Awaited<ReturnType<typeof findJob>>>;

/** A job of this user, with its outputs once it has ended. */
export async function findJob(db: Db, userId: string, id: string) {
  return isJobId(id) ? (await job(db, { id, userId }))[0] : undefined;
}

/** Whether the graph of an open job of the user contains this string value. The queue limits how many there are. */
export async function isNamedInOpenJob(db: Db, userId: string, text: string): Promise<boolean> {
  const row = await db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .select('jobs.seq')
    .where('jobs.user_id', '=', userId)
    .where('jobs.status', 'in', OPEN)
    // Exact on both engines, unlike patterns.
    .where(sql<SqlBool>`replace(job_requests.graph, ${JSON.stringify(text)}, '') <> job_requests.graph`)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** The graph and targets of a job, as JSON. */
export async function findRequest(db: Db, userId: string, id: string) {
  if (!isJobId(id)) return undefined;
  return await db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .select(['job_requests.graph', 'job_requests.targets'])
    .where('jobs.id', '=', id)
    .where('jobs.user_id', '=', userId)
    .executeTakeFirst();
}
