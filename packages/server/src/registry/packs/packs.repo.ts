import type { Insertable, Selectable, Updateable } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { PackRow, PackVersionRow } from '../../platform/db/schema/registry.ts';
import type { PackRecord } from '../to-wire.ts';
import { packIdKey } from './pack-id.ts';

export type Pack = Selectable<PackRow>;

/** `undefined` when the id is taken, in whatever case. */
export async function insertPack(db: Db, pack: Insertable<PackRow>): Promise<Pack | undefined> {
  return await db
    .insertInto('packs')
    .values(pack)
    .onConflict((conflict) => conflict.doNothing())
    .returningAll()
    .executeTakeFirst();
}

/** In any state, by an id in any case. */
export async function findPack(db: Db, id: string): Promise<Pack | undefined> {
  return await db.selectFrom('packs').selectAll().where('id_key', '=', packIdKey(id)).executeTakeFirst();
}

/** Locks the row until the transaction ends, so that a pack changes once at a time. */
export async function lockPack(db: Db, id: string): Promise<Pack | undefined> {
  return await db
    .updateTable('packs')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id_key', '=', packIdKey(id))
    .returningAll()
    .executeTakeFirst();
}

export async function updatePack(db: Db, id: string, changes: Updateable<PackRow>): Promise<void> {
  if (Object.keys(changes).length === 0) return;
  await db.updateTable('packs').set(changes).where('id', '=', id).execute();
}

export async function countPacksLeft(db: Db, publisherId: string): Promise<number> {
  const row = await db
    .selectFrom('packs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('publisher_id', '=', publisherId)
    .where('status', '!=', 'deleted')
    .executeTakeFirstOrThrow();
  return row.count;
}

export async function listPackIds(db: Db, publisherId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('packs')
    .select('id')
    .where('publisher_id', '=', publisherId)
    .orderBy('id')
    .execute();
  return rows.map((row) => row.id);
}

export async function addDownloads(db: Db, packId: string, count: number): Promise<void> {
  await db
    .updateTable('packs')
    .set((eb) => ({ downloads: eb('downloads', '+', count) }))
    .where('id', '=', packId)
    .execute();
}

export async function addStars(db: Db, packId: string, sum: number, count: number): Promise<void> {
  await db
    .updateTable('packs')
    .set((eb) => ({ star_sum: eb('star_sum', '+', sum), star_count: eb('star_count', '+', count) }))
    .where('id', '=', packId)
    .execute();
}

/** Also deleted ones, oldest first. */
export async function listPacksAfter(db: Db, seq: number, limit: number) {
  return await db
    .selectFrom('packs')
    .selectAll()
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export async function findPackRecord(db: Db, id: string): Promise<PackRecord | undefined> {
  const pack = await findPack(db, id);
  return pack && (await toRecords(db, [pack]))[0];
}

/** Adds publisher and newest active version, in two reads for any number of packs. Keeps the order. */
export async function toRecords(db: Db, packs: readonly Pack[]): Promise<PackRecord[]> {
  if (packs.length === 0) return [];
  const publisherIds = [...new Set(packs.map((pack) => pack.publisher_id))];
  const versionIds = packs.flatMap((pack) => pack.latest_version_id ?? []);
  const publishers = await db.selectFrom('publishers').selectAll().where('id', 'in', publisherIds).execute();
  const versions: PackVersionRow[] =
    versionIds.length === 0
      ? []
      : await db.selectFrom('pack_versions').selectAll().where('id', 'in', versionIds).execute();
  const publisherOf = new Map(publishers.map((row) => [row.id, row]));
  const versionOf = new Map(versions.map((row) => [row.id, row]));
  return packs.map((pack) => {
    const publisher = publisherOf.get(pack.publisher_id);
    if (!publisher) throw new Error(`pack ${pack.id} has no publisher`);
    return { pack, publisher, latest: versionOf.get(pack.latest_version_id ?? '') };
  });
}
