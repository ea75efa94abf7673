import type { Db } from '../../platform/db/database.ts';
import type { WorkerQuarantineRow } from '../../platform/db/schema/workers.ts';

export async function put(db: Db, row: WorkerQuarantineRow): Promise<void> {
  await db
    .insertInto('worker_quarantines')
    .values(row)
    .onConflict((conflict) => conflict.columns(['token_id', 'name']).doUpdateSet({ reason: row.reason }))
    .execute();
}

export async function remove(db: Db, tokenId: string, name: string): Promise<void> {
  await db
    .deleteFrom('worker_quarantines')
    .where('token_id', '=', tokenId)
    .where('name', '=', name)
    .execute();
}

export async function find(db: Db, tokenId: string, name: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('worker_quarantines')
    .select('reason')
    .where('token_id', '=', tokenId)
    .where('name', '=', name)
    .executeTakeFirst();
  return row?.reason;
}
