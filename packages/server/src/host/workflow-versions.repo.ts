import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { WorkflowVersionRow } from '../platform/db/schema/host.ts';

/** Former contents of a workflow that are kept. */
const MAX_VERSIONS = 20;

/** Keeps the content that a file has now as a version, and forgets the oldest beyond the bound. */
export async function keepVersion(tx: Db, userId: string, path: string): Promise<void> {
  const version = await latestVersion(tx, userId, path);
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

/** The number of the content that the file has now: 1 when it was saved once. */
async function latestVersion(db: Db, userId: string, path: string): Promise<number> {
  return (await readLatestVersions(db, userId, [path])).get(path) ?? 1;
}

/** By path; files that were saved once are left out. */
export async function readLatestVersions(
  db: Db,
  userId: string,
  paths: readonly string[],
): Promise<Map<string, number>> {
  if (paths.length === 0) return new Map();
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
