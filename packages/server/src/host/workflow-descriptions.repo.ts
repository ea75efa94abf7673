import type { Db } from '../platform/db/database.ts';
import type { WorkflowDescriptionRow } from '../platform/db/schema/host.ts';

export async function putDescription(db: Db, row: WorkflowDescriptionRow): Promise<void> {
  await db
    .insertInto('workflow_descriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'path']).doUpdateSet({ description: row.description }),
    )
    .execute();
}

/** By their paths. */
export async function readDescriptions(db: Db, userId: string, paths: readonly string[]) {
  if (paths.length === 0) return new Map();
  const rows = await db
    .selectFrom('workflow_descriptions')
    .select(['path', 'description'])
    .where('user_id', '=', userId)
    .where('path', 'in', [...paths])
    .execute();
  return new Map(rows.map((row) => [row.path, row.description]));
}
