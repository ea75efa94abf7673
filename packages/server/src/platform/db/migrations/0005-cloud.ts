import { type Kysely, sql } from 'kysely';

import { addSequence, addSequenceOf, bytesType, isPostgres } from './portable-columns.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await createJobs(db);
  await createQueues(db);
  await createAssets(db);
}

async function createJobs(db: Kysely<never>): Promise<void> {
  await addSequence(db.schema.createTable('jobs'), db)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('started_at', 'bigint')
    .addColumn('ended_at', 'bigint')
    .addColumn('execution_ms', 'bigint')
    .addColumn('attempt', 'bigint', (column) => column.notNull())
    .addColumn('runner', 'text')
    .addColumn('lease_until', 'bigint')
    .addColumn('client_id', 'text')
    .addColumn('workflow_id', 'text')
    .addColumn('webhook_url', 'text')
    .addColumn('webhook_events', 'text')
    .addColumn('error', 'text')
    .addColumn('outputs_count', 'bigint', (column) => column.notNull())
    .addColumn('previewable_outputs_count', 'bigint', (column) => column.notNull())
    .addColumn('preview_output', 'text')
    .addColumn('output_types', 'text', (column) => column.notNull())
    .addColumn('hidden', 'bigint', (column) => column.notNull())
    .execute();
  // One for the queue and the lists, because each costs every job a page. What follows `seq` lets lists be counted and
  // filtered without the rows: 100 000 in 10 instead of 37 ms.
  await db.schema
    .createIndex('jobs_by_user')
    .on('jobs')
    .columns(['user_id', 'status', 'seq', 'execution_ms', 'output_types', 'workflow_id', 'hidden'])
    .execute();
  await sql`create index jobs_by_lease on jobs (lease_until) where status = 'in_progress'`.execute(db);
  await sql`create index jobs_by_end on jobs (ended_at) where ended_at is not null`.execute(db);

  // By `seq`, so that each is one page at the end of a table and no entry in an index besides.
  const ofJob = { of: 'jobs', db };
  await addSequenceOf(db.schema.createTable('job_requests'), 'job_seq', ofJob)
    .addColumn('graph', 'text', (column) => column.notNull())
    .addColumn('targets', 'text', (column) => column.notNull())
    .addColumn('node_order', 'text', (column) => column.notNull())
    .addColumn('extra_data', 'text', (column) => column.notNull())
    .addColumn('partner_key', bytesType(db))
    .execute();
  await addSequenceOf(db.schema.createTable('job_results'), 'job_seq', ofJob)
    .addColumn('outputs', 'text', (column) => column.notNull())
    .addColumn('meta', 'text', (column) => column.notNull())
    .addColumn('events', 'text', (column) => column.notNull())
    .execute();
}

async function createQueues(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('job_queues')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
    .addColumn('waiting', 'bigint', (column) => column.notNull())
    .addColumn('running', 'bigint', (column) => column.notNull())
    .addColumn('max_running', 'bigint', (column) => column.notNull())
    .addColumn('last_started', 'bigint', (column) => column.notNull())
    .execute();
  // Only who waits and may begin is in it, so that a claim reads one row however many users there are.
  await sql`create index job_queues_next on job_queues (last_started, user_id)
    where waiting > 0 and running < max_running`.execute(db);
  await db.schema
    .createTable('job_keys')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('node_errors', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('job_keys_key', ['user_id', 'key'])
    .execute();
  await db.schema.createIndex('job_keys_by_age').on('job_keys').columns(['created_at']).execute();
}

async function createAssets(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('assets')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No cascade: the bytes would stay behind without anybody who knows of them.
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('subfolder', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    // Lists are sorted by it and searched in it, so it is compared byte by byte on both engines.
    .addColumn('name', isPostgres(db) ? sql`text collate "C"` : sql`text`, (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('blake3', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('user_metadata', 'text', (column) => column.notNull())
    .addColumn('metadata', 'text', (column) => column.notNull())
    .addColumn('preview_id', 'text')
    .addColumn('job_id', 'text')
    .addColumn('node_id', 'text')
    .addColumn('output_key', 'text')
    .addColumn('output_index', 'bigint')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('last_access_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('assets_by_place')
    .on('assets')
    .unique()
    .columns(['user_id', 'folder', 'subfolder', 'file_name'])
    .execute();
  for (const [name, columns] of Object.entries({
    assets_by_age: ['user_id', 'created_at', 'id'],
    assets_by_change: ['user_id', 'updated_at', 'id'],
    assets_by_name: ['user_id', 'name', 'id'],
    assets_by_size: ['user_id', 'size', 'id'],
    assets_by_content: ['content_hash'],
    assets_by_blake3: ['user_id', 'blake3'],
    assets_by_job: ['job_id'],
    assets_by_expiry: ['expires_at'],
  })) {
    await db.schema.createIndex(name).on('assets').columns(columns).execute();
  }
  await db.schema
    .createTable('asset_tags')
    .addColumn('asset_id', 'text', (column) => column.notNull().references('assets.id').onDelete('cascade'))
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('tag', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('asset_tags_key', ['asset_id', 'tag'])
    .execute();
  await db.schema
    .createIndex('asset_tags_by_tag')
    .on('asset_tags')
    .columns(['user_id', 'tag', 'asset_id'])
    .execute();
  await db.schema
    .createTable('storage_use')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id'))
    .addColumn('files', 'bigint', (column) => column.notNull())
    .addColumn('bytes', 'bigint', (column) => column.notNull())
    .execute();
}
