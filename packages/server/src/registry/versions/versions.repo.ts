import { type Insertable, type SqlBool, sql, type Updateable } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import { likePattern } from '../../platform/db/like-pattern.ts';
import type { PackVersionRow } from '../../platform/db/schema/registry.ts';
import { slowRead } from '../../platform/db/slow-read.ts';
import { sourcesOf } from '../../platform/transitions.ts';
import { packIdKey } from '../packs/pack-id.ts';
import { VERSION_TRANSITIONS } from './versions.state.ts';

/** All readers of the catalogue take turns as one account. */
const READERS = 'registry';

export type VersionStatus = PackVersionRow['status'];
/** Without `pending`, which only publishing sets. */
type ReachableStatus = Exclude<VersionStatus, 'pending'>;

/** False when the number was used before, even by a deleted version. */
export async function insertVersion(db: Db, version: Insertable<PackVersionRow>): Promise<boolean> {
  const result = await db
    .insertInto('pack_versions')
    .values(version)
    .onConflict((conflict) => conflict.columns(['pack_id', 'version']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

function versions(db: Db) {
  return db.selectFrom('pack_versions').selectAll();
}

/** With `packs` and `publishers` joined. */
function versionsInPacks(db: Db) {
  return db
    .selectFrom('pack_versions')
    .innerJoin('packs', 'packs.id', 'pack_versions.pack_id')
    .innerJoin('publishers', 'publishers.id', 'packs.publisher_id');
}

export async function findVersion(db: Db, packId: string, version: string) {
  return await versions(db).where('pack_id', '=', packId).where('version', '=', version).executeTakeFirst();
}

const BATCH_SIZE = 500;

/** Those versions that everybody may see: not deleted, and neither the pack nor the publisher banned or deleted. */
export async function findVisibleVersions(
  db: Db,
  wanted: readonly { readonly packId: string; readonly version: string }[],
): Promise<PackVersionRow[]> {
  const found: PackVersionRow[] = [];
  for (let start = 0; start < wanted.length; start += BATCH_SIZE) {
    const pairs = wanted
      .slice(start, start + BATCH_SIZE)
      .map(({ packId, version }) => sql`(${packIdKey(packId)}, ${version})`);
    const rows = await versionsInPacks(db)
      .selectAll('pack_versions')
      .where(sql<SqlBool>`(packs.id_key, pack_versions.version) in (values ${sql.join(pairs)})`)
      .where('pack_versions.status', '!=', 'deleted')
      .where('packs.status', '=', 'active')
      .where('publishers.status', '=', 'active')
      .execute();
    found.push(...rows);
  }
  return found;
}

export async function findVersionById(db: Db, id: string): Promise<PackVersionRow | undefined> {
  return await versions(db).where('id', '=', id).executeTakeFirst();
}

/** Newest first, in the order of semantic versions. */
export async function listVersions(db: Db, packId: string, statuses: readonly VersionStatus[]) {
  const query = versions(db).where('pack_id', '=', packId).where('status', 'in', statuses);
  return await query.orderBy('version_key', 'desc').execute();
}

export async function newestActive(db: Db, packId: string): Promise<PackVersionRow | undefined> {
  const active = versions(db).where('pack_id', '=', packId).where('status', '=', 'active');
  return await active.orderBy('version_key', 'desc').limit(1).executeTakeFirst();
}

export async function updateVersion(db: Db, id: string, changes: Updateable<PackVersionRow>): Promise<void> {
  await db.updateTable('pack_versions').set(changes).where('id', '=', id).execute();
}

/** The version in its new state; `undefined` when its state does not allow the transition. */
export async function moveVersion(
  db: Db,
  id: string,
  to: ReachableStatus,
  changes: Updateable<PackVersionRow>,
): Promise<PackVersionRow | undefined> {
  return await db
    .updateTable('pack_versions')
    .set({ ...changes, status: to })
    .where('id', '=', id)
    .where('status', 'in', sourcesOf<VersionStatus>(VERSION_TRANSITIONS, to))
    .returningAll()
    .executeTakeFirst();
}

/** Locks a version that is still pending with this archive, or with none. False when it is not. */
export async function lockPending(db: Db, id: string, fileHash: string | null): Promise<boolean> {
  const result = await db
    .updateTable('pack_versions')
    .set((eb) => ({ updated_at: eb.ref('updated_at') }))
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .where('file_hash', fileHash === null ? 'is' : '=', fileHash)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Sets the archive of a pending version. False when it is not pending. */
export async function attachArchive(
  db: Db,
  id: string,
  archive: { file_hash: string; file_size: number; updated_at: number },
): Promise<boolean> {
  const result = await db
    .updateTable('pack_versions')
    .set(archive)
    .where('id', '=', id)
    .where('status', '=', 'pending')
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** With the account that created the publisher, if known. */
export async function listPendingWithArchive(db: Db) {
  return await versionsInPacks(db)
    .select(['pack_versions.id', 'publishers.id as publisher', 'publishers.created_by as account'])
    .where('pack_versions.status', '=', 'pending')
    .where('pack_versions.file_hash', 'is not', null)
    .orderBy('pack_versions.created_at')
    .execute();
}

/** Deletes all versions but banned ones, whose ban stays visible. Refused versions lose that mark. */
export async function deleteVersionsOf(
  db: Db,
  packId: string,
  changes: { status_reason: string; updated_at: number },
): Promise<void> {
  await db
    .updateTable('pack_versions')
    .set({ ...changes, status: 'deleted', review_requested_at: null })
    .where('pack_id', '=', packId)
    .where('status', 'in', ['pending', 'active', 'flagged'])
    .execute();
  await db
    .updateTable('pack_versions')
    .set({ refused_at: null })
    .where('pack_id', '=', packId)
    .where('refused_at', 'is not', null)
    .execute();
}

export async function listNeverUploaded(db: Db, before: number): Promise<PackVersionRow[]> {
  const waiting = versions(db).where('status', '=', 'pending').where('file_hash', 'is', null);
  return await waiting.where('created_at', '<', before).limit(1000).execute();
}

export interface VersionFilter {
  readonly packId?: string | undefined;
  readonly statuses: readonly VersionStatus[];
  readonly reasonContains?: string | undefined;
  readonly reviewRequested?: boolean | undefined;
  /** Also versions of packs and publishers that are banned or deleted. */
  readonly anyPack?: boolean | undefined;
}

export async function pageOfVersions(db: Db, filter: VersionFilter, page: { offset: number; limit: number }) {
  let query = versionsInPacks(db).where('pack_versions.status', 'in', filter.statuses);
  if (!filter.anyPack) {
    query = query.where('packs.status', '=', 'active').where('publishers.status', '=', 'active');
  }
  if (filter.packId !== undefined) query = query.where('packs.id_key', '=', packIdKey(filter.packId));
  if (filter.reviewRequested) query = query.where('pack_versions.review_requested_at', 'is not', null);
  const { reasonContains } = filter;
  if (reasonContains !== undefined) {
    const pattern = likePattern(reasonContains.toLowerCase());
    query = query.where(sql<SqlBool>`lower(pack_versions.status_reason) like ${pattern} escape '\\'`);
  }
  const newest = query
    .select('pack_versions.id')
    .orderBy('pack_versions.created_at', 'desc')
    .orderBy('pack_versions.id', 'desc')
    .offset(page.offset)
    .limit(page.limit);
  const [counted, found] = await Promise.all([
    slowRead(db, READERS, query.select(sql<number>`count(*)`.as('total'))),
    slowRead(db, READERS, newest),
  ]);
  const ids = found.map(({ id }) => id);
  const rows = ids.length === 0 ? [] : await versions(db).where('id', 'in', ids).execute();
  const byId = new Map(rows.map((row) => [row.id, row]));
  return { total: counted[0]?.total ?? 0, rows: ids.flatMap((id) => byId.get(id) ?? []) };
}

export async function putReadme(db: Db, versionId: string, readme: string): Promise<void> {
  await db
    .insertInto('pack_readmes')
    .values({ version_id: versionId, readme })
    .onConflict((conflict) => conflict.column('version_id').doUpdateSet({ readme }))
    .execute();
}

export async function findReadme(db: Db, versionId: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('pack_readmes')
    .select('readme')
    .where('version_id', '=', versionId)
    .executeTakeFirst();
  return row?.readme;
}
