import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('metadata', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
