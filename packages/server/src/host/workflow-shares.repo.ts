import type { Db } from '../platform/db/database.ts';
import type { WorkflowShareRow } from '../platform/db/schema/host.ts';

/** The id of the share that the file has from now on: the one it had, if it had one. */
export async function insertShare(db: Db, share: WorkflowShareRow): Promise<string> {
  const { id } = await db
    .insertInto('workflow_shares')
    .values(share)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'path']).doUpdateSet((eb) => ({ id: eb.ref('workflow_shares.id') })),
    )
    .returning('id')
    .executeTakeFirstOrThrow();
  return id;
}

export async function deleteShare(db: Db, userId: string, path: string): Promise<void> {
  await db.deleteFrom('workflow_shares').where('user_id', '=', userId).where('path', '=', path).execute();
}

export async function findShare(db: Db, id: string): Promise<WorkflowShareRow | undefined> {
  return await db.selectFrom('workflow_shares').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Ids of shares by the paths of their files. */
export async function readShares(
  db: Db,
  userId: string,
  paths: readonly string[],
): Promise<Map<string, string>> {
  if (paths.length === 0) return new Map();
  const rows = await db
    .selectFrom('workflow_shares')
    .select(['path', 'id'])
    .where('user_id', '=', userId)
    .where('path', 'in', [...paths])
    .execute();
  return new Map(rows.map(({ path, id }) => [path, id]));
}
