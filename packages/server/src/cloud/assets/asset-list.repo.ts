import type { AssetKind } from '@atelier/contracts';
import { type RawBuilder, type SqlBool, sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import { likePattern } from '../../platform/db/like-pattern.ts';
import { slowRead } from '../../platform/db/slow-read.ts';
import { isFolderName } from '../files/file-place.ts';
import type { AssetFilter } from './asset-filter.ts';
import type { TagListQuery } from './asset-queries.ts';
import { metadataConditions } from './matches-metadata.ts';

export type SortColumn = 'name' | 'created_at' | 'updated_at' | 'size' | 'last_access_at';

export interface PageOf {
  readonly sort: SortColumn;
  readonly order: 'asc' | 'desc';
  readonly limit: number;
  readonly offset: number;
  /** Begins after the position of this row. */
  readonly after?: { readonly value: string | number; readonly id: string };
}

export async function listAssetIds(
  db: Db,
  userId: string,
  filter: AssetFilter,
  { sort, order, limit, offset, after }: PageOf,
): Promise<string[]> {
  let query = filteredAssets(db, userId, filter);
  const column = sql.ref<string | number>(`assets.${sort}`);
  if (after) {
    const direction = order === 'asc' ? sql`>` : sql`<`;
    query = query.where(sql<SqlBool>`(${column}, assets.id) ${direction} (${after.value}, ${after.id})`);
  }
  // Ids only: many more rows are skipped or sorted than the page has.
  const page = query
    .select('assets.id')
    .orderBy(column, order)
    .orderBy('assets.id', order)
    .limit(limit)
    .offset(offset);
  return (await slowRead(db, userId, page)).map(({ id }) => id);
}

export async function countAssets(db: Db, userId: string, filter: AssetFilter): Promise<number> {
  const count = filteredAssets(db, userId, filter).select(sql<number>`count(*)`.as('count'));
  return (await slowRead(db, userId, count))[0]?.count ?? 0;
}

export async function countTags(
  db: Db,
  userId: string,
  filter: AssetFilter,
  { prefix = '', order = 'count_desc', limit = 100, offset = 0 }: TagListQuery,
) {
  const counted = tagCounts(db, userId, filter, prefix);
  const all = db.selectFrom(counted.as('counted'));
  // Compared byte by byte on both engines.
  const byName = sql`counted.name collate ${engineOf(db) === 'postgres' ? sql`"C"` : sql`binary`}`;
  const page = all
    .select(['name', 'count', sql<number>`count(*) over ()`.as('total')])
    .$if(order === 'count_desc', (query) => query.orderBy('counted.count', 'desc'))
    .orderBy(byName)
    .limit(limit)
    .offset(offset);
  const rows = await slowRead(db, userId, page);
  const tags = rows.map(({ name, count }) => ({ name, count }));
  if (rows[0] !== undefined || offset === 0) return { tags, total: rows[0]?.total ?? 0 };
  // Past the end there is no row that has the total.
  const [whole] = await slowRead(db, userId, all.select(sql<number>`count(*)`.as('total')));
  return { tags, total: whole?.total ?? 0 };
}

function tagCounts(db: Db, userId: string, filter: AssetFilter, prefix: string) {
  const query = db
    .selectFrom('asset_tags')
    .select((eb) => ['asset_tags.tag as name', eb.fn.countAll<number>().as('count')])
    .where('asset_tags.user_id', '=', userId)
    .where('asset_tags.asset_id', 'in', filteredAssets(db, userId, filter).select('assets.id'))
    .groupBy('asset_tags.tag');
  if (prefix === '') return query;
  // Not `like`, which ignores case on SQLite.
  return query.where(sql<SqlBool>`substr(asset_tags.tag, 1, ${Array.from(prefix).length}) = ${prefix}`);
}

function filteredAssets(db: Db, userId: string, filter: AssetFilter) {
  // Every asset is tagged with its folder. With 50 000 assets, filtering by the column is faster than by the tag.
  const all = filter.all.filter((tag) => !isFolderName(tag));
  const folders = filter.all.filter(isFolderName);
  const { isTempMeant, any, none, kind, nameContains, metadata, hash, path } = filter;
  const tagged = (tags: readonly string[]) =>
    db
      .selectFrom('asset_tags')
      .select('asset_tags.asset_id')
      .where('asset_tags.user_id', '=', userId)
      .where('asset_tags.tag', 'in', tags);
  let query = db.selectFrom('assets').where('assets.user_id', '=', userId);
  if (!isTempMeant && !path) query = query.where('assets.folder', '!=', sql.lit('temp' as const));
  for (const folder of folders) query = query.where('assets.folder', '=', folder);
  if (all.length === 1) query = query.where('assets.id', 'in', tagged(all));
  if (all.length > 1) {
    const withAll = tagged(all)
      .groupBy('asset_tags.asset_id')
      .having((eb) => eb.fn.countAll(), '=', all.length);
    query = query.where('assets.id', 'in', withAll);
  }
  if (any.length > 0) query = query.where('assets.id', 'in', tagged(any));
  if (none.length > 0) query = query.where('assets.id', 'not in', tagged(none));
  if (hash !== undefined) query = query.where('assets.blake3', '=', hash);
  if (path) {
    query = query
      // All folders, so that the index on places is used.
      .where('assets.folder', 'in', ['input', 'output', 'temp'])
      .where('assets.subfolder', '=', path.subfolder)
      .where('assets.file_name', '=', path.fileName);
  }
  if (kind !== undefined) query = query.where(isOfKind(kind));
  if (nameContains !== undefined) query = query.where(contains(nameContains));
  for (const condition of metadata ? metadataConditions(db, metadata) : []) query = query.where(condition);
  return query;
}

const KIND_PREFIXES = { picture: 'image/', video: 'video/', audio: 'audio/' } as const;

/** Not `like`, which distinguishes case on PostgreSQL only. */
function isOfKind(kind: AssetKind): RawBuilder<SqlBool> {
  const is = (prefix: string) => sql<SqlBool>`substr(assets.media_type, 1, ${prefix.length}) = ${prefix}`;
  if (kind !== 'other') return is(KIND_PREFIXES[kind]);
  const kinds = Object.values(KIND_PREFIXES).map((prefix) => is(prefix));
  return sql<SqlBool>`not (${sql.join(kinds, sql` or `)})`;
}

/** Ignores the case of ASCII letters, as in the public system. Neither engine ignores the case of others in this column. */
function contains(part: string): RawBuilder<SqlBool> {
  const lower = part.replaceAll(/[A-Z]/g, (letter) => letter.toLowerCase());
  const pattern = likePattern(lower);
  return sql<SqlBool>`lower(assets.name) like ${pattern} escape '\\'`;
}
