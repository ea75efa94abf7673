import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { StoredUploadRow } from '../platform/db/schema/storage.ts';

export async function insertUpload(db: Db, upload: StoredUploadRow): Promise<void> {
  await db.insertInto('stored_uploads').values(upload).execute();
}

export async function findUpload(db: Db, id: string): Promise<StoredUploadRow | undefined> {
  return await db.selectFrom('stored_uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** A living upload of this user, and of nobody else, that has these bytes. */
export async function findUploaded(db: Db, userId: string, hash: string, now: number) {
  return await db
    .selectFrom('stored_uploads')
    .selectAll()
    .where('content_hash', '=', hash)
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .where('uploaded_at', 'is not', null)
    .orderBy('expires_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The living uploads of a user. The same bytes count once, and those of `otherThan` not at all. */
export async function readUsage(db: Db, userId: string, now: number, otherThan = '') {
  const alive = db.selectFrom('stored_uploads').where('user_id', '=', userId).where('expires_at', '>', now);
  const counted = await alive
    .select((eb) => [
      eb.fn.countAll<number>().as('uploads'),
      sql<number>`count(case when uploaded_at is null then 1 end)`.as('waiting'),
      sql<number>`coalesce(min(expires_at), 0)`.as('nextExpiry'),
    ])
    .executeTakeFirstOrThrow();
  const contents = alive
    .select(['content_hash', 'size'])
    .where('content_hash', 'is not', null)
    .where('content_hash', '!=', otherThan)
    .distinct();
  const { bytes } = await db
    .selectFrom(contents.as('contents'))
    .select(sql<number>`cast(coalesce(sum(size), 0) as bigint)`.as('bytes'))
    .executeTakeFirstOrThrow();
  return { ...counted, bytes };
}

/** Claims bytes for an upload. False when it has others already, or has expired. */
export async function claimContent(
  db: Db,
  id: string,
  content: Pick<StoredUploadRow, 'content_hash' | 'size' | 'media_type'>,
  now: number,
): Promise<boolean> {
  const result = await db
    .updateTable('stored_uploads')
    .set(content)
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .where((eb) => eb.or([eb('uploaded_at', 'is', null), eb('content_hash', '=', content.content_hash)]))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Marks the claimed bytes as stored. False when another claim has replaced this one. */
export async function markUploaded(db: Db, id: string, hash: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('stored_uploads')
    .set((eb) => ({ uploaded_at: eb.fn.coalesce('uploaded_at', eb.val(now)) }))
    .where('id', '=', id)
    .where('content_hash', '=', hash)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Whether any living upload has or claims these bytes. */
export async function isContentAlive(db: Db, hash: string, now: number): Promise<boolean> {
  const row = await db
    .selectFrom('stored_uploads')
    .select('id')
    .where('content_hash', '=', hash)
    .where('expires_at', '>', now)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

export async function listExpiredContents(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('stored_uploads')
    .select('content_hash')
    .where('expires_at', '<=', now)
    .where('content_hash', 'is not', null)
    .distinct()
    .limit(limit)
    .execute();
  return rows.flatMap((row) => row.content_hash ?? []);
}

export async function listUploadsAfter(db: Db, userId: string, id: string, limit: number) {
  return await db
    .selectFrom('stored_uploads')
    .selectAll()
    .where('user_id', '=', userId)
    .where('uploaded_at', 'is not', null)
    .where('id', '>', id)
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function expireUploadsOf(db: Db, userId: string, now: number): Promise<void> {
  await db.updateTable('stored_uploads').set({ expires_at: now }).where('user_id', '=', userId).execute();
}

/** With `null`: those that never got bytes. */
export async function deleteExpired(db: Db, hash: string | null, now: number): Promise<void> {
  await db
    .deleteFrom('stored_uploads')
    .where('content_hash', hash === null ? 'is' : '=', hash)
    .where('expires_at', '<=', now)
    .execute();
}
