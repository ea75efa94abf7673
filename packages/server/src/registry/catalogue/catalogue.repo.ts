import type { NODE_SORT_COLUMNS } from '@atelier/contracts';
import { type SqlBool, sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import { likePattern } from '../../platform/db/like-pattern.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import { innerNodeKey } from '../inner-nodes/inner-nodes.repo.ts';
import { packIdKey } from '../packs/pack-id.ts';
import type { Pack } from '../packs/packs.repo.ts';
import type { SearchColumns } from './pack-search-text.ts';

/** Called in every transaction that changes the catalogue. */
export async function bumpRevision(db: Db): Promise<void> {
  await db
    .updateTable('catalogue')
    .set((eb) => ({ revision: eb('revision', '+', 1) }))
    .execute();
}

const revisionRows = prepareQuery((db) => db.selectFrom('catalogue').select('revision'));

export async function readRevision(db: Db): Promise<number> {
  const [row] = await revisionRows(db, {});
  if (!row) throw new Error('the catalogue has no revision');
  return row.revision;
}

/** Behind a prefix, it sorts after every text with that prefix. */
const LAST_CHARACTER = '\u{10FFFF}';

export type SortColumn = (typeof NODE_SORT_COLUMNS)[number];

export interface PackFilter {
  readonly ids?: readonly string[] | undefined;
  readonly publisherId?: string | undefined;
  readonly supportedOs?: string | undefined;
  readonly supportedAccelerator?: string | undefined;
  readonly since?: number | undefined;
  readonly repositoryKey?: string | undefined;
  /** The newest version has a node whose name begins with this, in any case. */
  readonly innerNode?: string | undefined;
  readonly includeBanned: boolean;
}

export interface PackPage {
  readonly offset: number;
  readonly limit: number;
}

export type PackSort = readonly { readonly column: SortColumn; readonly direction: 'asc' | 'desc' }[];

export async function listPacks(
  db: Db,
  filter: PackFilter,
  { offset, limit, sort }: PackPage & { readonly sort: PackSort },
): Promise<{ total: number; packs: Pack[] }> {
  const total = await countPacks(db, filter);
  const packs = await orderedPacks(db, filter, sort).selectAll('packs').offset(offset).limit(limit).execute();
  return { total, packs };
}

export async function listPackKeys(db: Db, filter: PackFilter): Promise<number[]> {
  const rows = await orderedPacks(db, filter, []).select('packs.seq').execute();
  return rows.map(({ seq }) => seq);
}

/** The packs with these keys that are still in the list, in the order of the keys. */
export async function findListedPacks(db: Db, filter: PackFilter, seqs: readonly number[]): Promise<Pack[]> {
  if (seqs.length === 0) return [];
  const packs = await filteredPacks(db, filter).selectAll('packs').where('packs.seq', 'in', seqs).execute();
  const packOf = new Map(packs.map((pack) => [pack.seq, pack]));
  return seqs.flatMap((seq) => packOf.get(seq) ?? []);
}

/** Oldest first unless sorted otherwise, so that new packs do not shift pages. */
function orderedPacks(db: Db, filter: PackFilter, sort: PackSort) {
  let query = filteredPacks(db, filter);
  if (filter.innerNode !== undefined) {
    query = query.orderBy(nearnessOf(filter.innerNode));
    // Packs that claim the name come first.
    const claim = likePattern(JSON.stringify(filter.innerNode));
    query = query.orderBy(
      sql`case when packs.preempted_node_names like ${claim} escape '\\' then 0 else 1 end`,
    );
  }
  for (const { column, direction } of sort) {
    query =
      column === 'rating'
        ? query.orderBy(sql`packs.star_sum * 1.0 / nullif(packs.star_count, 0)`, (order) =>
            direction === 'desc' ? order.desc().nullsLast() : order.asc().nullsFirst(),
          )
        : query.orderBy(`packs.${column}`, direction);
  }
  if (sort.length === 0) query = query.orderBy('packs.created_at');
  return query.orderBy('packs.id');
}

async function countPacks(db: Db, filter: PackFilter): Promise<number> {
  const row = await filteredPacks(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

function filteredPacks(db: Db, filter: PackFilter) {
  let query = db.selectFrom('packs');
  // Keeps SQLite, which has no statistics, from scanning all active packs when there are ids to look up.
  const status =
    filter.ids === undefined
      ? sql.ref<Pack['status']>('packs.status')
      : sql<Pack['status']>`coalesce(packs.status, '')`;
  if (filter.includeBanned) {
    query = query.where(status, 'in', ['active', 'banned']);
  } else {
    const banned = db
      .selectFrom('publishers')
      .select('publishers.id')
      .where('publishers.status', '=', 'banned');
    query = query.where(status, '=', 'active').where((eb) =>
      // While no publisher is banned, the index is enough and no rows are read.
      eb.or([eb.not(eb.exists(banned)), eb('packs.publisher_id', 'not in', banned)]),
    );
  }
  const { ids, publisherId, supportedOs, supportedAccelerator, since, repositoryKey, innerNode } = filter;
  if (ids !== undefined) query = query.where('packs.id_key', 'in', ids.map(packIdKey));
  if (publisherId !== undefined) query = query.where('packs.publisher_id', '=', publisherId);
  if (since !== undefined) query = query.where('packs.updated_at', '>', since);
  if (innerNode !== undefined) {
    const key = innerNodeKey(innerNode);
    query = query.where('packs.latest_version_id', 'in', (eb) =>
      eb
        .selectFrom('inner_nodes')
        .select('inner_nodes.version_id')
        .where('inner_nodes.name_key', '>=', key)
        .where('inner_nodes.name_key', '<', `${key}${LAST_CHARACTER}`),
    );
  }
  if (repositoryKey !== undefined) query = query.where('packs.repository_key', '=', repositoryKey);
  if (supportedOs !== undefined) query = query.where(listHolds('supported_os', supportedOs));
  if (supportedAccelerator !== undefined) {
    query = query.where(listHolds('supported_accelerators', supportedAccelerator));
  }
  return query;
}

/** Exact names first, then names in another case, then names that only begin with it. */
function nearnessOf(innerNode: string) {
  const versions = (column: 'name' | 'name_key', value: string) =>
    sql`select version_id from inner_nodes where ${sql.ref(column)} = ${value}`;
  return sql`case
    when packs.latest_version_id in (${versions('name', innerNode)}) then 0
    when packs.latest_version_id in (${versions('name_key', innerNodeKey(innerNode))}) then 1
    else 2 end`;
}

/** An empty list is no restriction. */
function listHolds(column: 'supported_os' | 'supported_accelerators', value: string) {
  const wanted = likePattern(JSON.stringify(value.toLowerCase()));
  const list = sql.ref(`packs.${column}`);
  return sql<SqlBool>`(${list} = '[]' or lower(${list}) like ${wanted} escape '\\')`;
}

export async function putSearchWords(db: Db, seq: number, columns: SearchColumns): Promise<void> {
  await deleteSearchWords(db, seq);
  const { id, name, tags, publisher, inner_nodes: inner, description } = columns;
  if (engineOf(db) === 'postgres') {
    await sql`insert into pack_search (seq, words) values (${seq},
      setweight(to_tsvector('simple', ${`${id} ${name}`}), 'A') ||
      setweight(to_tsvector('simple', ${tags}), 'B') ||
      setweight(to_tsvector('simple', ${`${publisher} ${inner}`}), 'C') ||
      setweight(to_tsvector('simple', ${description}), 'D'))`.execute(db);
    return;
  }
  await sql`insert into pack_search (rowid, id, name, tags, publisher, inner_nodes, description)
    values (${seq}, ${id}, ${name}, ${tags}, ${publisher}, ${inner}, ${description})`.execute(db);
}

export async function deleteSearchWords(db: Db, seq: number): Promise<void> {
  const key = sql.ref(engineOf(db) === 'postgres' ? 'seq' : 'rowid');
  await sql`delete from pack_search where ${key} = ${seq}`.execute(db);
}

/** Packs that have every word, each matched by prefix, best first. */
export async function searchPacks(db: Db, words: readonly string[], filter: PackFilter, page: PackPage) {
  const isPostgres = engineOf(db) === 'postgres';
  // The words have only letters and digits, so they contain no operator of the query language.
  const match = isPostgres
    ? sql<SqlBool>`pack_search.words @@ to_tsquery('simple', ${words.map((word) => `${word}:*`).join(' & ')})`
    : sql<SqlBool>`pack_search match ${words.map((word) => `"${word}"*`).join(' ')}`;
  const rank = isPostgres
    ? sql`ts_rank(pack_search.words, to_tsquery('simple', ${words.map((word) => `${word}:*`).join(' & ')})) desc`
    : sql`bm25(pack_search, 10, 8, 4, 2, 2, 1)`;
  const key = sql.ref(isPostgres ? 'pack_search.seq' : 'pack_search.rowid');
  const query = filteredPacks(db, filter)
    .innerJoin(sql`pack_search`.as('pack_search'), (join) => join.on(sql<SqlBool>`packs.seq = ${key}`))
    .where(match);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const packs = await query
    .selectAll('packs')
    .orderBy(rank)
    .orderBy('packs.search_ranking')
    .orderBy('packs.downloads', 'desc')
    .orderBy('packs.id')
    .offset(page.offset)
    .limit(page.limit)
    .execute();
  return { total, packs };
}
