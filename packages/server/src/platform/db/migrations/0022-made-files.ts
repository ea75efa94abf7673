import type { Kysely } from 'kysely';

/** What attempts and upload addresses kept in folders that several servers had to share. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('made_files')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('folder', 'text', (column) => column.notNull())
    .addColumn('subfolder', 'text', (column) => column.notNull())
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('blake3', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('media_type', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('made_files_place', ['user_id', 'folder', 'subfolder', 'file_name'])
    .execute();
  await db.schema
    .createTable('made_parts')
    .addColumn('job_id', 'text', (column) => column.notNull())
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('start', 'bigint', (column) => column.notNull())
    .addColumn('content_hash', 'text', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('made_parts_key', ['name', 'start'])
    .execute();
  for (const table of ['made_files', 'made_parts']) {
    await db.schema.createIndex(`${table}_by_content`).on(table).column('content_hash').execute();
    await db.schema.createIndex(`${table}_by_age`).on(table).column('created_at').execute();
  }
  await db.schema
    .createTable('used_upload_grants')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
}
