import { type Kysely, sql } from 'kysely';

import { bytesType, isPostgres } from './portable-columns.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('user_settings')
    .addColumn('user_id', 'text', (column) => column.primaryKey().references('users.id').onDelete('cascade'))
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createTable('user_data')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('path', bytewiseText(db), (column) => column.notNull())
    .addColumn('size', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('modified_at', 'bigint', (column) => column.notNull())
    // The last one, so that SQLite reads the others without the pages of the bytes.
    .addColumn('content', bytesType(db), (column) => column.notNull())
    .addPrimaryKeyConstraint('user_data_key', ['user_id', 'path'])
    .execute();
  // Counting what a user has reads this alone.
  await db.schema.createIndex('user_data_by_size').on('user_data').columns(['user_id', 'size']).execute();
}

/** Ordered by bytes, as SQLite does, so that what begins alike lies together in the index. */
function bytewiseText(db: Kysely<never>) {
  return isPostgres(db) ? sql`text collate "C"` : 'text';
}
