import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('job_results').addColumn('timeline', 'text').execute();
}
