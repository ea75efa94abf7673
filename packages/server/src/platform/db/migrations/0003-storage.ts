import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('stored_uploads')
    .addColumn('id', 'text', (column) => column.primaryKey())
    // No cascade: the bytes would stay behind without anybody who knows of them.
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('file_name', 'text', (column) => column.notNull())
    .addColumn('content_type', 'text')
    .addColumn('announced_hash', 'text')
    .addColumn('content_hash', 'text')
    .addColumn('size', 'bigint')
    .addColumn('media_type', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .addColumn('uploaded_at', 'bigint')
    .execute();
  for (const [name, columns] of Object.entries({
    stored_uploads_by_user: ['user_id', 'expires_at'],
    stored_uploads_by_content: ['content_hash', 'expires_at'],
    stored_uploads_by_expiry: ['expires_at'],
  })) {
    await db.schema.createIndex(name).on('stored_uploads').columns(columns).execute();
  }
}
