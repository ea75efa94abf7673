import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  await db.schema
    .createTable('sign_in_addresses')
    .addColumn('hash', 'text', (column) => column.primaryKey())
    .addColumn('user_id', 'text', (column) => column.notNull().references('users.id').onDelete('cascade'))
    .addColumn('used_at', 'bigint', (column) => column.notNull())
    .execute();
  await db.schema
    .createIndex('sign_in_addresses_by_user')
    .on('sign_in_addresses')
    .columns(['user_id', 'used_at'])
    .execute();
  // The files of tasks count towards what an account may store.
  await sql`insert into storage_use (user_id, files, bytes)
    select tasks.user_id, count(*), coalesce(sum(task_files.size), 0)
    from task_files join tasks on tasks.seq = task_files.task_seq
    where task_files.hash is not null
    group by tasks.user_id
    on conflict (user_id) do update
    set files = storage_use.files + excluded.files, bytes = storage_use.bytes + excluded.bytes`.execute(db);
}
