import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { assetsOf } from '../files/assets.repo.ts';
import type { ContentHash } from './asset-hash.ts';

type AssetChange = Partial<Pick<AssetRow, 'id' | 'name' | 'user_metadata' | 'preview_id' | 'updated_at'>>;

export async function findAssets(db: Db, userId: string, ids: readonly string[]): Promise<AssetRow[]> {
  return ids.length === 0 ? [] : await assetsOf(db, userId).where('id', 'in', ids).execute();
}

/** The user's assets with these bytes, sorted by folder, so that temporary files come last. */
export async function findByContent(
  db: Db,
  userId: string,
  { column, digits }: ContentHash,
): Promise<AssetRow[]> {
  return await assetsOf(db, userId)
    .where(column, '=', digits)
    .orderBy('folder')
    .orderBy('created_at')
    .limit(100)
    .execute();
}

/** Locks the asset and its tags until the transaction ends. */
export async function lockAsset(tx: Db, userId: string, id: string): Promise<AssetRow | undefined> {
  return await updateAsset(tx, userId, id, { id });
}

export async function updateAsset(
  db: Db,
  userId: string,
  id: string,
  change: AssetChange,
): Promise<AssetRow | undefined> {
  return await db
    .updateTable('assets')
    .set(change)
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .returningAll()
    .executeTakeFirst();
}

export async function readTags(db: Db, assetIds: readonly string[]): Promise<Map<string, string[]>> {
  const tagsOf = new Map<string, string[]>(assetIds.map((id) => [id, []]));
  if (assetIds.length === 0) return tagsOf;
  const rows = await db
    .selectFrom('asset_tags')
    .select(['asset_id', 'tag'])
    .where('asset_id', 'in', assetIds)
    .execute();
  for (const { asset_id: id, tag } of rows) tagsOf.get(id)?.push(tag);
  return tagsOf;
}

export async function deleteTags(db: Db, assetId: string, tags: readonly string[]): Promise<void> {
  if (tags.length === 0) return;
  await db.deleteFrom('asset_tags').where('asset_id', '=', assetId).where('tag', 'in', tags).execute();
}
