import type { Insertable } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { PublisherRow } from '../../platform/db/schema/registry.ts';

/** `undefined` when the id is taken, also by a deleted publisher that had packs. */
export async function insertPublisher(db: Db, publisher: Insertable<PublisherRow>) {
  return await db
    .insertInto('publishers')
    .values(publisher)
    .onConflict((conflict) => conflict.column('id').doNothing())
    .returningAll()
    .executeTakeFirst();
}

function publishers(db: Db) {
  return db.selectFrom('publishers').selectAll('publishers').where('publishers.status', '!=', 'deleted');
}

export async function findPublisher(db: Db, id: string): Promise<PublisherRow | undefined> {
  return await publishers(db).where('id', '=', id).executeTakeFirst();
}

export async function isPublisherIdTaken(db: Db, id: string): Promise<boolean> {
  const row = await db.selectFrom('publishers').select('id').where('id', '=', id).executeTakeFirst();
  return row !== undefined;
}

export async function listPublishers(db: Db, page: { offset: number; limit: number }) {
  return await publishers(db).orderBy('id').offset(page.offset).limit(page.limit).execute();
}

export async function listPublishersOf(db: Db, userId: string): Promise<PublisherRow[]> {
  return await publishers(db)
    .innerJoin('publisher_members', 'publisher_members.publisher_id', 'publishers.id')
    .where('publisher_members.user_id', '=', userId)
    .orderBy('publishers.id')
    .execute();
}

export async function updatePublisher(db: Db, id: string, changes: Partial<Omit<PublisherRow, 'id'>>) {
  return await db
    .updateTable('publishers')
    .set(changes)
    .where('id', '=', id)
    .where('status', '!=', 'deleted')
    .returningAll()
    .executeTakeFirst();
}

/** Deletes a publisher that never had a pack, which frees its id. */
export async function removePublisher(db: Db, id: string): Promise<void> {
  await db.deleteFrom('publishers').where('id', '=', id).where('had_packs', '=', 0).execute();
}

/** Locks the row until the transaction ends, so that rules about its members and packs cannot be raced. */
export async function lockPublisher(db: Db, id: string): Promise<PublisherRow | undefined> {
  return await db
    .updateTable('publishers')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .where('status', '!=', 'deleted')
    .returningAll()
    .executeTakeFirst();
}
