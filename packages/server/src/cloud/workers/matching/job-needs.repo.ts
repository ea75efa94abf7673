import type { Db } from '../../../platform/db/database.ts';
import type { JobNeedsRow } from '../../../platform/db/schema/workers.ts';

export async function putNeeds(db: Db, row: JobNeedsRow): Promise<void> {
  await db
    .insertInto('job_needs')
    .values(row)
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ last_used_at: row.last_used_at }))
    .execute();
}

export async function findNeeds(db: Db, key: string): Promise<string | undefined> {
  const row = await db.selectFrom('job_needs').select('body').where('key', '=', key).executeTakeFirst();
  return row?.body;
}

/** Removes needs that no job has used for a long time and no unfinished job has. */
export async function forgetNeeds(db: Db, usedBefore: number): Promise<void> {
  await db
    .deleteFrom('job_needs')
    .where('last_used_at', '<', usedBefore)
    .where('key', 'not in', (eb) =>
      eb
        .selectFrom('jobs')
        .select((of) => of.ref('needs').$notNull().as('needs'))
        .where('status', 'in', ['pending', 'in_progress'])
        .where('needs', 'is not', null),
    )
    .execute();
}
