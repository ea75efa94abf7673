import { type Kysely, sql } from 'kysely';

import { addSequence, bytesType } from './portable-columns.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await createDeliveries(db);
  await db.schema
    .createTable('webhook_endpoints')
    .addColumn('id', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('failing_since', 'bigint', (column) => column.notNull())
    .addColumn('last_failed_at', 'bigint', (column) => column.notNull())
    .addColumn('last_error', 'text', (column) => column.notNull())
    .addColumn('paused_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('webhook_endpoints_by_user')
    .on('webhook_endpoints')
    .columns(['user_id', 'last_failed_at'])
    .execute();
  await db.schema
    .createIndex('webhook_endpoints_by_age')
    .on('webhook_endpoints')
    .columns(['last_failed_at'])
    .execute();
  await addSequence(db.schema.createTable('webhook_secrets'), db)
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('sealed', bytesType(db), (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('retires_at', 'bigint')
    .execute();
  await db.schema
    .createIndex('webhook_secrets_by_user')
    .on('webhook_secrets')
    .columns(['user_id', 'seq'])
    .execute();
  await sql`create unique index webhook_secrets_current on webhook_secrets (user_id)
    where retires_at is null`.execute(db);
}

async function createDeliveries(db: Kysely<never>): Promise<void> {
  await addSequence(db.schema.createTable('webhook_deliveries'), db)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('endpoint_id', 'text', (column) => column.notNull())
    .addColumn('host', 'text', (column) => column.notNull())
    .addColumn('url', 'text', (column) => column.notNull())
    .addColumn('subject', 'text', (column) => column.notNull())
    .addColumn('type', 'text', (column) => column.notNull())
    .addColumn('status', 'text', (column) => column.notNull())
    .addColumn('in_order', 'bigint', (column) => column.notNull())
    .addColumn('failures', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('due_at', 'bigint', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('delivered_at', 'bigint')
    .addColumn('tries', 'text', (column) => column.notNull())
    // Last, so that SQLite reads the rest of a row without the pages of a large body.
    .addColumn('body', 'text', (column) => column.notNull())
    .execute();
  for (const [name, columns] of Object.entries({
    webhook_deliveries_by_user: ['user_id', 'seq'],
    webhook_deliveries_by_status: ['user_id', 'status', 'seq'],
    // A subject is one thing's own, so the account adds nothing.
    webhook_deliveries_by_subject: ['subject', 'seq'],
  })) {
    await db.schema.createIndex(name).on('webhook_deliveries').columns(columns).execute();
  }
  // With host and account, so that those of a busy one are passed over without reading their rows.
  await sql`create index webhook_deliveries_due on webhook_deliveries (due_at, seq, host, user_id)
    where status = 'pending'`.execute(db);
  await sql`create index webhook_deliveries_by_endpoint on webhook_deliveries (endpoint_id, status)
    where status in ('pending', 'paused')`.execute(db);
}
