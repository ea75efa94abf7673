import type { Db } from '../../platform/db/database.ts';
import type { WorkerTokenRow } from '../../platform/db/schema/workers.ts';

export async function insertToken(db: Db, token: WorkerTokenRow): Promise<void> {
  await db.insertInto('worker_tokens').values(token).execute();
}

export async function findTokenBySecret(db: Db, secretHash: string): Promise<WorkerTokenRow | undefined> {
  return await db
    .selectFrom('worker_tokens')
    .selectAll()
    .where('secret_hash', '=', secretHash)
    .executeTakeFirst();
}

export async function listTokens(db: Db): Promise<WorkerTokenRow[]> {
  return await db.selectFrom('worker_tokens').selectAll().orderBy('id', 'desc').execute();
}

export async function changeToken(
  db: Db,
  id: string,
  change: Partial<Pick<WorkerTokenRow, 'name' | 'labels' | 'last_used_at'>>,
): Promise<WorkerTokenRow | undefined> {
  return await db
    .updateTable('worker_tokens')
    .set(change)
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst();
}

export async function deleteToken(db: Db, id: string): Promise<boolean> {
  const result = await db.deleteFrom('worker_tokens').where('id', '=', id).executeTakeFirst();
  return result.numDeletedRows === 1n;
}
