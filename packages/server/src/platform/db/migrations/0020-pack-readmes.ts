import type { Kysely } from 'kysely';

/** Apart from their versions, because SQLite would read all of it to reach a column behind it. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('pack_readmes')
    .addColumn('version_id', 'text', (column) =>
      column.primaryKey().references('pack_versions.id').onDelete('cascade'),
    )
    .addColumn('readme', 'text', (column) => column.notNull())
    .execute();
}
