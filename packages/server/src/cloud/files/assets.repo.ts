import type { Db } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import { prepareQuery, type Writing } from '../../platform/db/prepared-query.ts';
import type { AssetRow, StorageUseRow } from '../../platform/db/schema/cloud.ts';
import { slowRead } from '../../platform/db/slow-read.ts';
import type { FilePlace, FolderName } from './file-place.ts';

/** An access is recorded at most this often: not every read should be a write. */
const ACCESS_STEP_MS = 3_600_000;
const MAX_NEWEST = 1000;

export function assetsOf(db: Db, userId: string) {
  return db.selectFrom('assets').selectAll().where('user_id', '=', userId);
}

export function isExpired({ expires_at: expiresAt }: AssetRow, now: number): boolean {
  return expiresAt !== null && expiresAt <= now;
}

/**
 * Locks the user's storage until the transaction ends. Every transaction that adds or removes assets takes this lock first, before
 * the lock on the content.
 */
export async function lockStorageUse(tx: Db, userId: string): Promise<void> {
  await countStorage(tx, userId, { files: 0, bytes: 0 });
}

/** Taken by every transaction that adds or removes references to these bytes, so that they happen one after the other. */
export async function lockContent(tx: Db, hash: string): Promise<void> {
  await lockByName(tx, contentLock(hash));
}

export const contentLock = (hash: string): string => `asset-content:${hash}`;

/** The columns that a new asset fills. */
export const ASSET_COLUMNS = [
  'id',
  'user_id',
  'folder',
  'subfolder',
  'file_name',
  'name',
  'content_hash',
  'blake3',
  'size',
  'media_type',
  'user_metadata',
  'metadata',
  'preview_id',
  'job_id',
  'node_id',
  'output_key',
  'output_index',
  'created_at',
  'updated_at',
  'last_access_at',
  'expires_at',
] as const satisfies readonly (keyof AssetRow)[];

/** Lists the columns explicitly, because the record that a query is prepared with has no keys. */
function valuesOf(asset: AssetRow) {
  const values: Partial<AssetRow> = Object.fromEntries(
    ASSET_COLUMNS.map((column) => [column, asset[column]]),
  );
  return values as AssetRow;
}

const newAt = (db: Db, asset: AssetRow) =>
  db
    .insertInto('assets')
    .values(valuesOf(asset))
    .onConflict((conflict) => conflict.columns(['user_id', 'folder', 'subfolder', 'file_name']).doNothing());

const insertAt = prepareQuery((db, asset: AssetRow) => newAt(db, asset).returning('id'));
const insertOnly = prepareQuery(newAt);

/** Adds a file that is already counted, tagged with its folder and `tags`. Returns false and changes nothing when its place is taken. */
export async function insertAsset(tx: Db, asset: AssetRow, tags: readonly string[] = []): Promise<boolean> {
  const [inserted] = await insertAt(tx, asset);
  if (inserted) await insertTags(tx, asset, tagsOf(asset, tags));
  return inserted !== undefined;
}

export interface NewAsset {
  readonly tags: readonly string[];
  /** How many bytes the user's other files may take. */
  readonly maxOthers: number;
}

/** Adds a file and counts it, within `writeTogether`. Returns false and changes nothing when its place is taken or there is no room. */
export function addAssetNow(writing: Writing, asset: AssetRow, { tags, maxOthers }: NewAsset): boolean {
  const { id, user_id, size } = asset;
  const [use] = selectStorageUse.now(writing, { userId: user_id });
  if (usedBytes(use) > maxOthers) return false;
  if (insertOnly.insertNow(writing, asset) === undefined) return false;
  addToUse.now(writing, { user_id, files: 1, bytes: size });
  for (const tag of tags) insertTag.now(writing, { asset_id: id, user_id, tag });
  return true;
}

/** The name of the folder is always a tag. */
export function tagsOf({ folder }: AssetRow, tags: readonly string[] = []): string[] {
  return [...new Set([folder, ...tags])];
}

const insertTag = prepareQuery(
  (db, { asset_id, user_id, tag }: Record<'asset_id' | 'user_id' | 'tag', string>) =>
    db
      .insertInto('asset_tags')
      .values({ asset_id, user_id, tag })
      .onConflict((conflict) => conflict.doNothing()),
);

export async function insertTags(
  db: Db,
  { id, user_id }: Pick<AssetRow, 'id' | 'user_id'>,
  tags: readonly string[],
): Promise<void> {
  for (const tag of tags) await insertTag(db, { asset_id: id, user_id, tag });
}

/** Removes a file and its count; with `expiredAt` only if it has expired by then. `undefined` when it is already gone. */
export async function deleteAsset(
  tx: Db,
  { id, user_id: userId }: Pick<AssetRow, 'id' | 'user_id'>,
  { expiredAt }: { readonly expiredAt?: number } = {},
): Promise<AssetRow | undefined> {
  let deleting = tx.deleteFrom('assets').where('id', '=', id).where('user_id', '=', userId);
  if (expiredAt !== undefined) deleting = deleting.where('expires_at', '<=', expiredAt);
  const deleted = await deleting.returningAll().executeTakeFirst();
  if (deleted) await countStorage(tx, userId, { files: -1, bytes: -deleted.size });
  return deleted;
}

export interface StorageChange {
  readonly files: number;
  readonly bytes: number;
}

const addToUse = prepareQuery((db, { user_id, files, bytes }: StorageUseRow) =>
  db
    .insertInto('storage_use')
    .values({ user_id, files, bytes })
    .onConflict((conflict) =>
      conflict.column('user_id').doUpdateSet((eb) => ({
        files: eb('storage_use.files', '+', eb.ref('excluded.files')),
        bytes: eb('storage_use.bytes', '+', eb.ref('excluded.bytes')),
      })),
    )
    .returningAll(),
);

/** Returns the new totals and locks them until the transaction ends. */
export async function countStorage(
  tx: Db,
  userId: string,
  { files, bytes }: StorageChange,
): Promise<StorageUseRow> {
  const [use] = await addToUse(tx, { user_id: userId, files, bytes });
  if (!use) throw new Error('Nothing was counted.');
  return use;
}

const selectAssetAt = prepareQuery((db, place: FilePlace & { readonly userId: string }) =>
  assetsOf(db, place.userId)
    .where('folder', '=', place.folder)
    .where('subfolder', '=', place.subfolder)
    .where('file_name', '=', place.fileName),
);

export async function findAssetAt(
  db: Db,
  userId: string,
  { folder, subfolder, fileName }: FilePlace,
): Promise<AssetRow | undefined> {
  return (await selectAssetAt(db, { userId, folder, subfolder, fileName }))[0];
}

export async function listContentsAt(
  db: Db,
  place: Omit<FilePlace, 'fileName'> & { readonly userId: string },
  fileNames: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db
    .selectFrom('assets')
    .select(['file_name', 'content_hash'])
    .where('user_id', '=', place.userId)
    .where('folder', '=', place.folder)
    .where('subfolder', '=', place.subfolder)
    .where('file_name', 'in', [...fileNames])
    .execute();
  return new Map(rows.map((row) => [row.file_name, row.content_hash]));
}

export async function findAsset(db: Db, userId: string, id: string): Promise<AssetRow | undefined> {
  return await assetsOf(db, userId).where('id', '=', id).executeTakeFirst();
}

/** The user's newest file with these bytes. */
export async function findAssetWithBlake3(db: Db, userId: string, blake3: string) {
  return await assetsOf(db, userId)
    .where('blake3', '=', blake3)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** The names of the files directly in one of a user's folders, newest first. */
export async function listNewestFiles(db: Db, userId: string, folder: FolderName): Promise<string[]> {
  const newest = db
    .selectFrom('assets')
    .select('file_name')
    .where('user_id', '=', userId)
    .where('folder', '=', folder)
    .where('subfolder', '=', '')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(MAX_NEWEST);
  return (await slowRead(db, userId, newest)).map((row) => row.file_name);
}

export async function listTags(db: Db, assetId: string): Promise<string[]> {
  const rows = await db.selectFrom('asset_tags').select('tag').where('asset_id', '=', assetId).execute();
  return rows.map(({ tag }) => tag).toSorted();
}

/** Assets of all users, in the order of their ids. */
export async function listAssetsAfter(db: Db, id: string, limit: number): Promise<AssetRow[]> {
  const query = db.selectFrom('assets').selectAll().where('id', '>', id).orderBy('id').limit(limit);
  return await query.execute();
}

/** Whether a file of a user has these bytes, or a file that an attempt has made so far. */
export async function isContentInUse(db: Db, hash: string): Promise<boolean> {
  for (const table of ['assets', 'made_files', 'made_parts'] as const) {
    const row = await db
      .selectFrom(table)
      .select('size')
      .where('content_hash', '=', hash)
      .limit(1)
      .executeTakeFirst();
    if (row !== undefined) return true;
  }
  return false;
}

/** What is known of these bytes, from any file of this user. */
export async function findContentOf(db: Db, userId: string, hash: string) {
  return await db
    .selectFrom('assets')
    .select(['size', 'blake3', 'media_type'])
    .where('content_hash', '=', hash)
    .where('user_id', '=', userId)
    .limit(1)
    .executeTakeFirst();
}

export async function setExpiry(db: Db, id: string, expiresAt: number | null): Promise<void> {
  await db.updateTable('assets').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

export async function noteAccess(db: Db, asset: AssetRow, now: number): Promise<void> {
  if (now - asset.last_access_at < ACCESS_STEP_MS) return;
  await db
    .updateTable('assets')
    .set({ last_access_at: now })
    .where('id', '=', asset.id)
    .where('last_access_at', '<', now)
    .execute();
}

export async function listExpired(db: Db, now: number, limit: number): Promise<AssetRow[]> {
  return await db
    .selectFrom('assets')
    .selectAll()
    .where('expires_at', '<=', now)
    .orderBy('expires_at')
    .limit(limit)
    .execute();
}

/** Not raw SQL: a statement that is not known to be a read invalidates all cached rows. */
const selectStorageUse = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectNoFrom((eb) => {
    const use = eb.selectFrom('storage_use').where('user_id', '=', userId);
    return [
      use.select('files').as('files'),
      use.select('bytes').as('bytes'),
      eb.selectFrom('job_queues').select('result_bytes').where('user_id', '=', userId).as('result_bytes'),
    ];
  }),
);

function usedBytes(use: { readonly bytes: number | null; readonly result_bytes: number | null } | undefined) {
  return (use?.bytes ?? 0) + (use?.result_bytes ?? 0);
}

/** What counts against the user's quota: files, and the results of jobs in the database. */
export async function readStorageUse(
  db: Db,
  userId: string,
): Promise<{ readonly files: number; readonly bytes: number }> {
  const [use] = await selectStorageUse(db, { userId });
  return { files: use?.files ?? 0, bytes: usedBytes(use) };
}
