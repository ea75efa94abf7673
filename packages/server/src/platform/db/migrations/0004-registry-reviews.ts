import { type Kysely, sql } from 'kysely';

import { isPostgres } from './portable-columns.ts';

/** What people need to know besides the status: who made a publisher, and what the checks found. */
export async function up(db: Kysely<never>): Promise<void> {
  await addCreators(db);
  await addReports(db);
  await addRefusals(db);
  await deleteVersionsOfDeletedPacks(db);
  await addNameKeys(db);
}

async function addCreators(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('publishers').addColumn('created_by', 'text').execute();
  await sql`update publishers set created_by = (
    select substr(actor, 6) from audit_entries
    where action = 'publisher.create' and subject = 'publisher:' || publishers.id and actor like 'user:%'
    order by seq desc limit 1)`.execute(db);
}

/** So far the report stood in the reason alone, where a decision takes its place. */
async function addReports(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('pack_versions').addColumn('report', 'text').execute();
  await sql`update pack_versions set report = status_reason
    where status_reason like '{%"findings":%'`.execute(db);
}

/** Versions that the checks deleted, told from those that their publisher did. */
async function addRefusals(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('pack_versions').addColumn('refused_at', 'bigint').execute();
  await sql`update pack_versions set refused_at = updated_at
    where status = 'deleted' and extract_status = 'failed'`.execute(db);
}

async function deleteVersionsOfDeletedPacks(db: Kysely<never>): Promise<void> {
  await sql`update pack_versions set status = 'deleted', status_reason = 'The node was deleted.'
    where status not in ('deleted', 'banned')
    and pack_id in (select id from packs where status = 'deleted')`.execute(db);
  await sql`update packs set latest_version_id = null where status = 'deleted'`.execute(db);
}

/** Inner nodes are searched by the beginning of this, so it is compared byte by byte on both engines. */
async function addNameKeys(db: Kysely<never>): Promise<void> {
  const type = isPostgres(db) ? sql`text collate "C"` : sql`text`;
  await db.schema
    .alterTable('inner_nodes')
    .addColumn('name_key', type, (column) => column.notNull().defaultTo(''))
    .execute();
  await sql`update inner_nodes set name_key = lower(name)`.execute(db);
  // SQLite knows the cases of ASCII only.
  const { rows } = await sql<{
    name: string;
    name_key: string;
  }>`select distinct name, name_key from inner_nodes`.execute(db);
  for (const { name, name_key: key } of rows) {
    const whole = name.toLowerCase();
    if (whole !== key) await sql`update inner_nodes set name_key = ${whole} where name = ${name}`.execute(db);
  }
  await db.schema
    .createIndex('inner_nodes_by_name_key')
    .on('inner_nodes')
    .columns(['name_key', 'version_id'])
    .execute();
}
