import type { AssetKind } from '@atelier/contracts';
import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import { slowRead } from '../platform/db/slow-read.ts';
import type { QueueCounts } from './queue/job-queue.ts';

/** How many jobs of all users wait and run. Reads a row per user, but no rows of jobs. */
export async function sumLines(db: Db): Promise<QueueCounts> {
  return await db
    .selectFrom('job_queues')
    .select([
      sql<number>`cast(coalesce(sum(waiting), 0) as bigint)`.as('waiting'),
      sql<number>`cast(coalesce(sum(running), 0) as bigint)`.as('running'),
    ])
    .executeTakeFirstOrThrow();
}

/** The bytes that files and job results of all users take. Reads two rows per user, but no rows of files or jobs. */
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

/** The users with the most bytes of files and job results. Reads two rows per user. */
export async function listStorage(db: Db, limit: number) {
  const bytes = sql<number>`storage_use.bytes + coalesce(job_queues.result_bytes, 0)`;
  return await db
    .selectFrom('storage_use')
    .leftJoin('job_queues', 'job_queues.user_id', 'storage_use.user_id')
    .select(['storage_use.user_id', 'storage_use.files', bytes.as('bytes')])
    .orderBy(bytes, 'desc')
    .orderBy('storage_use.user_id')
    .limit(limit)
    .execute();
}

/** The number and bytes of a user's assets by folder and kind. Reads all of them. */
export async function sumAssets(db: Db, userId: string) {
  const kind = sql<AssetKind>`case when media_type like 'image/%' then 'picture' when media_type like 'video/%' then 'video'
    when media_type like 'audio/%' then 'audio' else 'other' end`;
  const sums = db
    .selectFrom('assets')
    .select((eb) => [
      'folder',
      kind.as('kind'),
      eb.fn.countAll<number>().as('files'),
      sql<number>`cast(sum(size) as bigint)`.as('bytes'),
    ])
    .where('user_id', '=', userId)
    .groupBy(['folder', kind])
    .orderBy('bytes', 'desc');
  return await slowRead(db, userId, sums);
}
