import type { Db } from '../../../platform/db/database.ts';

export async function findNodeTypes(db: Db, hash: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('node_type_sets')
    .select('body')
    .where('hash', '=', hash)
    .executeTakeFirst();
  return row?.body;
}

/** The sets that workers have offered most recently, to any server. */
export async function listLastHashes(db: Db, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('node_type_sets')
    .select('hash')
    .orderBy('last_used_at', 'desc')
    .limit(limit)
    .execute();
  return rows.map(({ hash }) => hash);
}

export async function putNodeTypes(
  db: Db,
  set: { readonly hash: string; readonly body: string; readonly last_used_at: number },
): Promise<void> {
  await db
    .insertInto('node_type_sets')
    .values(set)
    .onConflict((conflict) => conflict.column('hash').doUpdateSet({ last_used_at: set.last_used_at }))
    .execute();
}

export async function noteUse(db: Db, hash: string, now: number): Promise<void> {
  await db.updateTable('node_type_sets').set({ last_used_at: now }).where('hash', '=', hash).execute();
}

/** Removes sets that no worker has offered for a long time. */
export async function forgetNodeTypes(db: Db, usedBefore: number): Promise<void> {
  await db.deleteFrom('node_type_sets').where('last_used_at', '<', usedBefore).execute();
}
