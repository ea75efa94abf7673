import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('jobs').addColumn('workflow_name', 'text').execute();
  await db.schema
    .alterTable('jobs')
    .addColumn('tags', 'text', (column) => column.notNull().defaultTo(''))
    .execute();
}
