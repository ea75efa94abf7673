import type { Db } from '../platform/db/database.ts';
import { inRestedSlices } from '../platform/in-slices.ts';
import { JOB_BATCH_SIZE } from './old-jobs.ts';

const BATCH_SIZE = 200;

/** Also deletes their requests and results. */
export async function deleteJobsOf(db: Db, userId: string): Promise<void> {
  await inRestedSlices(async () => {
    const some = db.selectFrom('jobs').select('seq').where('user_id', '=', userId).limit(JOB_BATCH_SIZE);
    const { numDeletedRows } = await db.deleteFrom('jobs').where('seq', 'in', some).executeTakeFirst();
    return Number(numDeletedRows) === JOB_BATCH_SIZE;
  });
  await db.deleteFrom('job_keys').where('user_id', '=', userId).execute();
  await db.deleteFrom('job_queues').where('user_id', '=', userId).execute();
}

export async function listSomeAssets(db: Db, userId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('assets')
    .select('id')
    .where('user_id', '=', userId)
    .limit(BATCH_SIZE)
    .execute();
  return rows.map(({ id }) => id);
}

export async function deleteStorageUse(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('storage_use').where('user_id', '=', userId).execute();
}
