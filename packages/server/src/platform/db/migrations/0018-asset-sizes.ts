import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  for (const column of ['width', 'height']) {
    await db.schema.alterTable('assets').addColumn(column, 'bigint').execute();
  }
  // With what lists filter by, so that they read no row that they do not show.
  await db.schema.dropIndex('assets_by_age').execute();
  await db.schema
    .createIndex('assets_by_age')
    .on('assets')
    .columns(['user_id', 'created_at', 'id', 'folder', 'media_type'])
    .execute();
}
