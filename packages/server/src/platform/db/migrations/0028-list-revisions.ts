import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('job_queues')
    .addColumn('list_revision', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
