import { type Kysely, sql } from 'kysely';

import { bytesType } from './portable-columns.ts';

/** Versions and the share of a workflow go and move with its file. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('workflow_versions')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('version', 'bigint', (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('saved_at', 'bigint', (column) => column.notNull())
    // The last one, so that SQLite reads the others without the pages of the bytes.
    .addColumn('content', bytesType(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('workflow_versions_key', ['user_id', 'path', 'version'])
    .addForeignKeyConstraint(
      'workflow_versions_file',
      ['user_id', 'path'],
      'user_data',
      ['user_id', 'path'],
      (constraint) => constraint.onDelete('cascade').onUpdate('cascade'),
    )
    .execute();
  await db.schema
    .createTable('workflow_shares')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addUniqueConstraint('workflow_shares_one', ['user_id', 'path'])
    .addForeignKeyConstraint(
      'workflow_shares_file',
      ['user_id', 'path'],
      'user_data',
      ['user_id', 'path'],
      (constraint) => constraint.onDelete('cascade').onUpdate('cascade'),
    )
    .execute();
  // The last output of a workflow stands for it. An entry is written once, when the job ends.
  await sql`create index jobs_by_workflow on jobs (user_id, workflow_name, seq)
    where workflow_name is not null and preview_output is not null`.execute(db);
}
