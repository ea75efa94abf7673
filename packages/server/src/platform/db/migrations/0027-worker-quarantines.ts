import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('worker_quarantines')
    .addColumn('token_id', 'text', (column) =>
      column.notNull().references('worker_tokens.id').onDelete('cascade'),
    )
    .addColumn('name', 'text', (column) => column.notNull())
    .addColumn('reason', 'text', (column) => column.notNull())
    .addPrimaryKeyConstraint('worker_quarantines_key', ['token_id', 'name'])
    .execute();
}
