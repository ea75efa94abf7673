import type { Kysely } from 'kysely';

/** Goes and moves with its file. Apart from it, because SQLite would read the whole content to reach a column behind it. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('workflow_descriptions')
    .addColumn('user_id', 'text', (column) => column.notNull())
    .addColumn('path', 'text', (column) => column.notNull())
    .addColumn('description', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('workflow_descriptions_key', ['user_id', 'path'])
    .addForeignKeyConstraint(
      'workflow_descriptions_file',
      ['user_id', 'path'],
      'user_data',
      ['user_id', 'path'],
      (constraint) => constraint.onDelete('cascade').onUpdate('cascade'),
    )
    .execute();
}
