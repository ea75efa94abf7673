import type { Kysely } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema.alterTable('api_keys').addColumn('scopes', 'text').execute();
  await db.schema
    .createTable('device_sign_ins')
    .addColumn('device_code_hash', 'text', (column) => column.primaryKey())
    .addColumn('user_code_hash', 'text', (column) => column.notNull().unique())
    .addColumn('client_id', 'text', (column) => column.notNull())
    .addColumn('device_name', 'text')
    .addColumn('scopes', 'text', (column) => column.notNull())
    .addColumn('address', 'text', (column) => column.notNull())
    .addColumn('network', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('user_id', 'text', (column) => column.references('users.id').onDelete('cascade'))
    .addColumn('allowed_at', 'bigint')
    .addColumn('polled_at', 'bigint', (column) => column.notNull())
    .addColumn('interval_ms', 'bigint', (column) => column.notNull())
    .addColumn('expires_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('device_sign_ins_by_network')
    .on('device_sign_ins')
    .columns(['network', 'expires_at'])
    .execute();
  await db.schema.createIndex('device_sign_ins_by_user').on('device_sign_ins').column('user_id').execute();
  await db.schema.createIndex('device_sign_ins_by_end').on('device_sign_ins').column('expires_at').execute();
}
