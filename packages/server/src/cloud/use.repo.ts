import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { QueueCounts } from './queue/job-queue.ts';

/** How many jobs of all users wait and run. Reads a row for each user who has ever submitted, and none of a job. */
export async function sumLines(db: Db): Promise<QueueCounts> {
  return await db
    .selectFrom('job_queues')
    .select([
      sql<number>`cast(coalesce(sum(waiting), 0) as bigint)`.as('waiting'),
      sql<number>`cast(coalesce(sum(running), 0) as bigint)`.as('running'),
    ])
    .executeTakeFirstOrThrow();
}

/** What the files and the results of jobs of all users take. Reads two rows for each user, and none of a file or a job. */
export async function sumStorage(db: Db): Promise<number> {
  const files = await db
    .selectFrom('storage_use')
    .select(sql<number>`cast(coalesce(sum(bytes), 0) as bigint)`.as('bytes'))
    .executeTakeFirstOrThrow();
  const results = await db
    .selectFrom('job_queues')
    .select(sql<number>`cast(coalesce(sum(result_bytes), 0) as bigint)`.as('bytes'))
    .executeTakeFirstOrThrow();
  return files.bytes + results.bytes;
}
