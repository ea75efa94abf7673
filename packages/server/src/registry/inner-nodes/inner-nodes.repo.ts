import { sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import type { InnerNodeRow } from '../../platform/db/schema/registry.ts';
import { slowRead } from '../../platform/db/slow-read.ts';
import { packIdKey } from '../packs/pack-id.ts';
import type { Pack } from '../packs/packs.repo.ts';

/** Names are searched without regard to case. */
export function innerNodeKey(name: string): string {
  return name.toLowerCase();
}

/** Keeps the parameters of a statement well below the limit of either engine. */
const BATCH_SIZE = 200;

export type NewInnerNode = Omit<InnerNodeRow, 'name_key'>;

export async function putInnerNodes(db: Db, versionId: string, nodes: readonly NewInnerNode[]) {
  await db.deleteFrom('inner_nodes').where('version_id', '=', versionId).execute();
  for (let start = 0; start < nodes.length; start += BATCH_SIZE) {
    const batch = nodes.slice(start, start + BATCH_SIZE);
    const rows = batch.map((node) => ({ ...node, name_key: innerNodeKey(node.name) }));
    await db.insertInto('inner_nodes').values(rows).execute();
  }
}

export async function pageOfInnerNodes(db: Db, versionId: string, page: { offset: number; limit: number }) {
  const query = db.selectFrom('inner_nodes').where('version_id', '=', versionId);
  const { total } = await query
    .select((eb) => eb.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow();
  const rows = await query.selectAll().orderBy('name').offset(page.offset).limit(page.limit).execute();
  return { total, rows };
}

export async function findInnerNode(db: Db, versionId: string, name: string) {
  return await db
    .selectFrom('inner_nodes')
    .selectAll()
    .where('version_id', '=', versionId)
    .where('name', '=', name)
    .executeTakeFirst();
}

export async function namesOfInnerNodes(db: Db, versionId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('inner_nodes')
    .select('name')
    .where('version_id', '=', versionId)
    .orderBy('name')
    .execute();
  return rows.map((row) => row.name);
}

/** Active packs whose newest version has a node of that name, by ranking and downloads. */
export async function packsWithInnerNode(db: Db, name: string): Promise<Pack[]> {
  return await db
    .selectFrom('inner_nodes')
    .innerJoin('packs', 'packs.latest_version_id', 'inner_nodes.version_id')
    .innerJoin('publishers', 'publishers.id', 'packs.publisher_id')
    .selectAll('packs')
    .where('inner_nodes.name', '=', name)
    .where('packs.status', '=', 'active')
    .where('publishers.status', '=', 'active')
    .orderBy('packs.search_ranking')
    .orderBy('packs.downloads', 'desc')
    .orderBy('packs.id')
    .limit(100)
    .execute();
}

export interface InnerNodeFilter {
  readonly packId?: string | undefined;
  readonly version?: string | undefined;
  readonly name?: string | undefined;
}

/** Inner nodes of all active packs. Without `version`, of their newest versions only. */
export async function findInnerNodes(
  db: Db,
  { packId, version, name }: InnerNodeFilter,
  page: { offset: number; limit: number },
): Promise<{ total: number; rows: InnerNodeRow[] }> {
  let query = db
    .selectFrom('inner_nodes')
    .innerJoin('pack_versions', 'pack_versions.id', 'inner_nodes.version_id')
    .innerJoin('packs', 'packs.id', 'pack_versions.pack_id')
    .innerJoin('publishers', 'publishers.id', 'packs.publisher_id')
    .where('packs.status', '=', 'active')
    .where('publishers.status', '=', 'active');
  if (packId !== undefined) query = query.where('packs.id_key', '=', packIdKey(packId));
  if (name !== undefined) query = query.where('inner_nodes.name', '=', name);
  query =
    version === undefined
      ? query.whereRef('packs.latest_version_id', '=', 'pack_versions.id')
      : query.where('pack_versions.version', '=', version).where('pack_versions.status', '!=', 'deleted');
  const inOrder = query
    .selectAll('inner_nodes')
    .orderBy('inner_nodes.name')
    .orderBy('inner_nodes.version_id')
    .offset(page.offset)
    .limit(page.limit);
  // All readers of the catalogue take turns as one account.
  const [counted, rows] = await Promise.all([
    slowRead(db, 'registry', query.select(sql<number>`count(*)`.as('total'))),
    slowRead(db, 'registry', inOrder),
  ]);
  return { total: counted[0]?.total ?? 0, rows };
}
