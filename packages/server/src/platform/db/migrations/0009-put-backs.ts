import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .alterTable('jobs')
    .addColumn('put_backs', 'bigint', (column) => column.notNull().defaultTo(0))
    .execute();
}
