import { type Kysely, sql } from 'kysely';

/**
 * Lists leave temporary files out, so these indexes do too: what a user looks at is not behind thousands of previews, and a preview is
 * written into seven indexes instead of ten.
 */
export async function up(db: Kysely<never>): Promise<void> {
  for (const [name, column] of [
    ['assets_by_change', 'updated_at'],
    ['assets_by_name', 'name'],
    ['assets_by_size', 'size'],
  ] as const) {
    await db.schema.dropIndex(name).execute();
    await sql`create index ${sql.ref(name)} on assets (user_id, ${sql.ref(column)}, id) where folder <> 'temp'`.execute(
      db,
    );
  }
}
