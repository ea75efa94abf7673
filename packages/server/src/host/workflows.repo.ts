import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type {
  WorkflowDescriptionRow,
  WorkflowShareRow,
  WorkflowVersionRow,
} from '../platform/db/schema/host.ts';

/** Former contents that are kept of a workflow. */
const MAX_VERSIONS = 20;

/** Keeps the current content of a file as a version, and deletes the oldest beyond the limit. */
export async function keepVersion(tx: Db, userId: string, path: string): Promise<void> {
  const version = (await readLatestVersions(tx, userId, [path])).get(path) ?? 1;
  await sql`insert into workflow_versions (user_id, path, version, size, saved_at, content)
    select user_id, path, cast(${version} as bigint), size, modified_at, content from user_data
    where user_id = ${userId} and path = ${path}`.execute(tx);
  await tx
    .deleteFrom('workflow_versions')
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .where('version', '<=', version - MAX_VERSIONS)
    .execute();
}

/** The number of the current content, by path. Files that were saved once, whose content has the number 1, are left out. */
export async function readLatestVersions(db: Db, userId: string, paths: readonly string[]) {
  if (paths.length === 0) return new Map<string, number>();
  const rows = await db
    .selectFrom('workflow_versions')
    .select((eb) => ['path', eb.fn.max<number>('version').as('last')])
    .where('user_id', '=', userId)
    .where('path', 'in', [...paths])
    .groupBy('path')
    .execute();
  return new Map(rows.map(({ path, last }) => [path, last + 1]));
}

/** The newest first. */
export async function listVersions(db: Db, userId: string, path: string) {
  return await db
    .selectFrom('workflow_versions')
    .select(['version', 'size', 'saved_at'])
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .orderBy('version', 'desc')
    .execute();
}

export async function findVersion(
  db: Db,
  { user_id, path, version }: Pick<WorkflowVersionRow, 'user_id' | 'path' | 'version'>,
): Promise<Uint8Array | undefined> {
  const row = await db
    .selectFrom('workflow_versions')
    .select('content')
    .where('user_id', '=', user_id)
    .where('path', '=', path)
    .where('version', '=', version)
    .executeTakeFirst();
  return row?.content;
}

export async function readVersionBytes(db: Db, userId: string): Promise<number> {
  const { bytes } = await db
    .selectFrom('workflow_versions')
    .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return bytes;
}

export async function putDescription(db: Db, row: WorkflowDescriptionRow): Promise<void> {
  await db
    .insertInto('workflow_descriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'path']).doUpdateSet({ description: row.description }),
    )
    .execute();
}

/** By path. */
export async function readDescriptions(db: Db, userId: string, paths: readonly string[]) {
  if (paths.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom('workflow_descriptions')
    .select(['path', 'description'])
    .where('user_id', '=', userId)
    .where('path', 'in', [...paths])
    .execute();
  return new Map(rows.map((row) => [row.path, row.description]));
}

/** The id of the file's share. A file that is shared already keeps its id. */
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

/** Ids of shares, by path. */
export async function readShares(db: Db, userId: string, paths: readonly string[]) {
  if (paths.length === 0) return new Map<string, string>();
  const rows = await db
    .selectFrom('workflow_shares')
    .select(['path', 'id'])
    .where('user_id', '=', userId)
    .where('path', 'in', [...paths])
    .execute();
  return new Map(rows.map(({ path, id }) => [path, id]));
}
