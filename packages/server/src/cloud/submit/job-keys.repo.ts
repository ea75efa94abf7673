import type { Db } from '../../platform/db/database.ts';
import type { JobKeyRow } from '../../platform/db/schema/cloud.ts';

/** False when the user has already used this key. A concurrent request with the same key waits for the outcome of the first. */
export async function insertJobKey(tx: Db, row: JobKeyRow): Promise<boolean> {
  const result = await tx
    .insertInto('job_keys')
    .values(row)
    .onConflict((conflict) => conflict.columns(['user_id', 'key']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

/** The first use of a key, with what is needed to repeat its answer. */
export async function findJobKey(db: Db, userId: string, key: string) {
  return await db
    .selectFrom('job_keys')
    .innerJoin('jobs', 'jobs.id', 'job_keys.job_id')
    .select(['job_keys.job_id', 'job_keys.body_hash', 'job_keys.node_errors', 'jobs.seq'])
    .where('job_keys.user_id', '=', userId)
    .where('job_keys.key', '=', key)
    .executeTakeFirst();
}
