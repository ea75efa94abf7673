import { type Kysely, sql } from 'kysely';

export async function up(db: Kysely<never>): Promise<void> {
  // What was kept of earlier jobs is not counted: it goes with them.
  for (const table of ['jobs', 'job_queues']) {
    await db.schema
      .alterTable(table)
      .addColumn('result_bytes', 'bigint', (column) => column.notNull().defaultTo(0))
      .execute();
  }
  // Jobs that were cancelled before they began. Lists sort by it, and rows with nulls cannot be compared.
  await sql`update jobs set execution_ms = 0 where ended_at is not null and execution_ms is null`.execute(db);

  // Lists read jobs that have ended from these two. An entry is written once, when the job ends, so the index of the queue
  // does not need what only lists read: it is written three times for each job.
  await db.schema.dropIndex('jobs_by_user').execute();
  await db.schema.createIndex('jobs_by_user').on('jobs').columns(['user_id', 'status', 'seq']).execute();
  await sql`create index jobs_ended on jobs (user_id, seq, status, output_types, workflow_id)
    where hidden = 0 and ended_at is not null`.execute(db);
  await sql`create index jobs_by_duration on jobs (user_id, execution_ms, seq, status, output_types, workflow_id)
    where hidden = 0 and ended_at is not null`.execute(db);
}
