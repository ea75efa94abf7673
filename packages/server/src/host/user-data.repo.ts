import { type ExpressionBuilder, sql } from 'kysely';

import type { Database, Db } from '../platform/db/database.ts';
import type { UserDataRow } from '../platform/db/schema/host.ts';

export type UserDataInfo = Omit<UserDataRow, 'content'>;

const INFO = ['user_id', 'path', 'size', 'created_at', 'modified_at'] as const;

/** What a user has below a folder, in order of path; with an empty one everything. */
export async function listBelow(db: Db, userId: string, folder: string): Promise<UserDataInfo[]> {
  const all = db.selectFrom('user_data').select(INFO).where('user_id', '=', userId).orderBy('path');
  const query = folder === '' ? all : all.where(isBelow(folder));
  return await query.execute();
}

export async function findFile(db: Db, userId: string, path: string): Promise<UserDataRow | undefined> {
  return await at(db, userId, path).selectAll().executeTakeFirst();
}

export async function findInfo(db: Db, userId: string, path: string): Promise<UserDataInfo | undefined> {
  return await at(db, userId, path).select(INFO).executeTakeFirst();
}

/** Whether the file exists with different content. */
export async function hasOtherContent(db: Db, userId: string, path: string, content: Uint8Array) {
  const row = await at(db, userId, path).select('size').where('content', '!=', content).executeTakeFirst();
  return row !== undefined;
}

/** A file of the user that is one of these, or below this folder; `except` does not count. */
export async function findInTheWay(
  db: Db,
  userId: string,
  { files, folder, except }: { files: readonly string[]; folder: string; except: string },
): Promise<string | undefined> {
  const others = db
    .selectFrom('user_data')
    .select('path')
    .where('user_id', '=', userId)
    .where('path', '!=', except);
  const below = await others.where(isBelow(folder)).limit(1).executeTakeFirst();
  if (below || files.length === 0) return below?.path;
  const row = await others.where('path', 'in', files).limit(1).executeTakeFirst();
  return row?.path;
}

/** The number and size of a user's files, without the one at `except`. */
export async function readUse(db: Db, userId: string, except: string) {
  const all = await db
    .selectFrom('user_data')
    .select((eb) => [
      eb.fn.countAll<number>().as('files'),
      sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'),
    ])
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  const left = await findInfo(db, userId, except);
  return left ? { files: all.files - 1, bytes: all.bytes - left.size } : all;
}

/** Creates the file, or replaces its content. */
export async function putFile(db: Db, file: UserDataRow): Promise<UserDataInfo> {
  const { size, modified_at, content } = file;
  return await db
    .insertInto('user_data')
    .values(file)
    .onConflict((conflict) =>
      conflict.columns(['user_id', 'path']).doUpdateSet({ size, modified_at, content }),
    )
    .returning(INFO)
    .executeTakeFirstOrThrow();
}

export async function renameFile(db: Db, userId: string, path: string, to: string): Promise<void> {
  await db
    .updateTable('user_data')
    .set({ path: to })
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .execute();
}

/** False when there was none. */
export async function deleteFile(db: Db, userId: string, path: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('user_data')
    .where('user_id', '=', userId)
    .where('path', '=', path)
    .executeTakeFirst();
  return numDeletedRows > 0n;
}

function at(db: Db, userId: string, path: string) {
  return db.selectFrom('user_data').where('user_id', '=', userId).where('path', '=', path);
}

/** Paths are ordered by bytes, and `0` follows the slash. Not `like`, which ignores case on SQLite. */
function isBelow(folder: string) {
  return ({ eb, and }: ExpressionBuilder<Database, 'user_data'>) =>
    and([eb('path', '>', `${folder}/`), eb('path', '<', `${folder}0`)]);
}
