import { type Kysely, sql } from 'kysely';

import { addSequence, isPostgres } from './portable-columns.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await createPublishers(db);
  await createPacks(db);
  await createVersions(db);
  await createReviewsAndAudit(db);
  await createSearch(db);
}

async function createPublishers(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('publishers')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('name', 'text')
    .addColumn('description', 'text')
    .addColumn('logo', 'text')
    .addColumn('website', 'text')
    .addColumn('support', 'text')
    .addColumn('source_code_repo', 'text')
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('ban_reason', 'text')
    .addColumn('had_packs', 'integer', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();

  await db.schema
    .createTable('publisher_members')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('publisher_id', 'text', (column) =>
      column.notNull().references('publishers.id').onDelete('cascade'),
    )
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('publisher_members_once', ['publisher_id', 'user_id'])
    .execute();
  await db.schema
    .createIndex('publisher_members_by_user')
    .on('publisher_members')
    .columns(['user_id', 'publisher_id'])
    .execute();

  await db.schema
    .createTable('publisher_tokens')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('publisher_id', 'text', (column) =>
      column.notNull().references('publishers.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('token_prefix', 'text', (column) => column.notNull())
    .addColumn('token_hash', 'text', (column) => column.notNull().unique())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('publisher_tokens_by_publisher')
    .on('publisher_tokens')
    .column('publisher_id')
    .execute();
}

async function createPacks(db: Kysely<never>): Promise<void> {
  await addSequence(db.schema.createTable('packs'), db)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('id_key', 'text', (column) => column.notNull().unique())
    .addColumn('publisher_id', 'text', (column) => column.notNull().references('publishers.id'))
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('description', 'text')
    .addColumn('author', 'text')
    .addColumn('banner_url', 'text')
    .addColumn('icon', 'text')
    .addColumn('category', 'text')
    .addColumn('license', 'text')
    .addColumn('repository', 'text')
    .addColumn('repository_key', 'text')
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('tags_admin', 'text', (column) => column.notNull())
    .addColumn('supported_os', 'text', (column) => column.notNull())
    .addColumn('supported_accelerators', 'text', (column) => column.notNull())
    .addColumn('supported_version', 'text')
    .addColumn('supported_frontend_version', 'text')
    .addColumn('preempted_node_names', 'text', (column) => column.notNull())
    .addColumn('translations', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_detail', 'text')
    .addColumn('search_ranking', 'bigint', (column) => column.notNull())
    .addColumn('github_stars', 'bigint', (column) => column.notNull())
    .addColumn('downloads', 'bigint', (column) => column.notNull())
    .addColumn('star_sum', 'bigint', (column) => column.notNull())
    .addColumn('star_count', 'bigint', (column) => column.notNull())
    .addColumn('latest_version_id', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  for (const columns of [
    ['publisher_id', 'id'],
    ['status', 'created_at', 'id'],
    ['status', 'downloads', 'id'],
    ['status', 'updated_at', 'id'],
    ['repository_key'],
  ]) {
    await db.schema
      .createIndex(`packs_by_${columns.filter((name) => name !== 'id' && name !== 'status').join('_')}`)
      .on('packs')
      .columns(columns)
      .execute();
  }
}

async function createVersions(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('pack_versions')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('pack_id', 'text', (column) => column.notNull().references('packs.id').onDelete('cascade'))
    .addColumn('version', 'text', (column) => column.notNull())
    .addColumn('version_key', 'text', (column) => column.notNull())
    .addColumn('changelog', 'text')
    .addColumn('dependencies', 'text', (column) => column.notNull())
    .addColumn('deprecated', 'integer', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('status_reason', 'text')
    .addColumn('extract_status', 'text', (column) => column.notNull())
    .addColumn('tags', 'text', (column) => column.notNull())
    .addColumn('tags_admin', 'text', (column) => column.notNull())
    .addColumn('supported_os', 'text', (column) => column.notNull())
    .addColumn('supported_accelerators', 'text', (column) => column.notNull())
    .addColumn('supported_version', 'text')
    .addColumn('supported_frontend_version', 'text')
    .addColumn('file_hash', 'text')
    .addColumn('file_size', 'bigint')
    .addColumn('review_requested_at', 'bigint')
    .addColumn('review_note', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('pack_versions_once', ['pack_id', 'version'])
    .execute();
  for (const [name, columns] of [
    ['pack_versions_by_order', ['pack_id', 'version_key']],
    ['pack_versions_by_status', ['status', 'created_at']],
    ['pack_versions_by_time', ['created_at', 'id']],
    ['pack_versions_by_file', ['file_hash']],
  ] as const) {
    await db.schema
      .createIndex(name)
      .on('pack_versions')
      .columns([...columns])
      .execute();
  }

  await db.schema
    .createTable('inner_nodes')
    .addColumn('version_id', 'text', (column) =>
      column.notNull().references('pack_versions.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('category', 'text')
    .addColumn('description', 'text')
    .addColumn('function', 'text')
    .addColumn('deprecated', 'integer', (column) => column.notNull())
    .addColumn('experimental', 'integer', (column) => column.notNull())
    .addColumn('input_types', 'text')
    .addColumn('return_types', 'text')
    .addColumn('return_names', 'text')
    .addColumn('output_is_list', 'text')
    .addPrimaryKeyConstraint('inner_nodes_key', ['version_id', 'name'])
    .execute();
  await db.schema.createIndex('inner_nodes_by_name').on('inner_nodes').column('name').execute();
}

async function createReviewsAndAudit(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('pack_reviews')
    .addColumn('pack_id', 'text', (column) => column.notNull().references('packs.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('star', 'integer', (column) => column.notNull())
    .addColumn('version', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('pack_reviews_key', ['pack_id', 'user_id'])
    .execute();

  await addSequence(db.schema.createTable('audit_entries'), db)
    .addColumn('at', 'bigint', (column) => column.notNull())
    .addColumn('actor', 'text', (column) => column.notNull())
    .addColumn('action', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('details', 'text', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('audit_entries_by_subject')
    .on('audit_entries')
    .columns(['subject', 'seq'])
    .execute();

  await db.schema
    .createTable('catalogue')
    .addColumn('id', 'integer', (column) => column.primaryKey())
    .addColumn('revision', 'bigint', (column) => column.notNull())
    .execute();
  await sql`insert into catalogue (id, revision) values (1, 1)`.execute(db);
}

/** The words of a pack, by the sequence number of its row. Each engine has its own kind of index. */
async function createSearch(db: Kysely<never>): Promise<void> {
  if (isPostgres(db)) {
    await sql`create table pack_search (seq bigint primary key, words tsvector not null)`.execute(db);
    await sql`create index pack_search_words on pack_search using gin (words)`.execute(db);
    return;
  }
  await sql`create virtual table pack_search using fts5(
    id, name, tags, publisher, inner_nodes, description,
    content = '', contentless_delete = 1, prefix = '2 3', tokenize = 'unicode61 remove_diacritics 2'
  )`.execute(db);
}
