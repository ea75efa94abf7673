import { type Kysely, sql } from 'kysely';

import { addSequence } from './portable-columns.ts';

export async function up(db: Kysely<never>): Promise<void> {
  await createTasks(db);
  await createTaskFiles(db);
  await db.schema
    .createTable('task_keys')
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('key', 'text', (column) => column.notNull())
    .addColumn('task_id', 'text', (column) => column.notNull())
    .addColumn('body_hash', 'text', (column) => column.notNull())
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addPrimaryKeyConstraint('task_keys_key', ['user_id', 'key'])
    .execute();
  await db.schema.createIndex('task_keys_by_age').on('task_keys').columns(['created_at']).execute();
}

async function createTasks(db: Kysely<never>): Promise<void> {
  await addSequence(db.schema.createTable('tasks'), db)
    .addColumn('id', 'text', (column) => column.notNull().unique())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id'))
    .addColumn('kind', 'text', (column) => column.notNull())
    .addColumn('adapter', 'text', (column) => column.notNull())
    .addColumn('state', 'text', (column) => column.notNull())
    .addColumn('stage', 'text', (column) => column.notNull())
    .addColumn('is_put_off', 'bigint', (column) => column.notNull())
    .addColumn('credits', 'bigint', (column) => column.notNull())
    .addColumn('progress', 'bigint', (column) => column.notNull())
    .addColumn('lease', 'text')
    .addColumn('due_at', 'bigint')
    .addColumn('deadline_at', 'bigint', (column) => column.notNull())
    .addColumn('losses', 'bigint', (column) => column.notNull())
    .addColumn('troubles', 'bigint', (column) => column.notNull())
    .addColumn('looks', 'bigint', (column) => column.notNull())
    .addColumn('sent_at', 'bigint')
    .addColumn('vendor_task_id', 'text')
    .addColumn('error_code', 'text')
    .addColumn('error_message', 'text')
    .addColumn('webhook_url', 'text')
    .addColumn('created_at', 'bigint', (column) => column.notNull())
    .addColumn('updated_at', 'bigint', (column) => column.notNull())
    .addColumn('ended_at', 'bigint')
    .addColumn('seed', 'bigint', (column) => column.notNull())
    .addColumn('settings', 'text', (column) => column.notNull())
    .addColumn('shown', 'text', (column) => column.notNull())
    // Last, so that SQLite reads the rest of a row without the pages of a large one.
    .addColumn('payload', 'text')
    .execute();
  await db.schema.createIndex('tasks_by_user').on('tasks').columns(['user_id', 'seq']).execute();
  await sql`create index tasks_due on tasks (stage, adapter, is_put_off, due_at)
    where due_at is not null`.execute(db);
  await sql`create index tasks_open_by_user on tasks (user_id, is_put_off) where due_at is not null`.execute(
    db,
  );
  await sql`create index tasks_by_end on tasks (ended_at) where ended_at is not null`.execute(db);
}

async function createTaskFiles(db: Kysely<never>): Promise<void> {
  await addSequence(db.schema.createTable('task_files'), db)
    .addColumn('task_seq', 'bigint', (column) => column.notNull().references('tasks.seq'))
    .addColumn('role', 'text', (column) => column.notNull())
    .addColumn('is_input', 'bigint', (column) => column.notNull())
    .addColumn('url', 'text')
    .addColumn('hash', 'text')
    .addColumn('media_type', 'text')
    .addColumn('size', 'bigint')
    .execute();
  await db.schema.createIndex('task_files_by_task').on('task_files').columns(['task_seq']).execute();
  await sql`create index task_files_by_hash on task_files (hash) where hash is not null`.execute(db);
}
