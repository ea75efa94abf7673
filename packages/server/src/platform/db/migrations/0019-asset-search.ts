import type { Kysely } from 'kysely';

/** Also with what lists search in: 50 000 names were looked up row by row, in 200 ms. */
export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.dropIndex('assets_by_age').execute();
  await db.schema
    .createIndex('assets_by_age')
    .on('assets')
    .columns(['user_id', 'created_at', 'id', 'folder', 'media_type', 'name'])
    .execute();
}
