import type { Db } from '../../../platform/db/database.ts';

/** How many recent jobs are used to estimate how long jobs take. */
const RECENT = 500;

export async function countWaiting(db: Db) {
  return await db
    .selectFrom('jobs')
    .select((eb) => ['needs', eb.fn.countAll<number>().as('count'), eb.fn.min('created_at').as('oldestAt')])
    .where('status', '=', 'pending')
    .groupBy('needs')
    .execute();
}

/** How long recent jobs took, newest first. */
export async function listRecentRuns(db: Db) {
  return await db
    .selectFrom('jobs')
    .select(['needs', 'execution_ms'])
    .where('status', '=', 'completed')
    .where('execution_ms', 'is not', null)
    .orderBy('seq', 'desc')
    .limit(RECENT)
    .execute();
}
