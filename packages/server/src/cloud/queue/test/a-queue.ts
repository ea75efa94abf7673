import { aUser } from '../../../../test/support/a-user.ts';
import { type Db, withTransaction } from '../../../platform/db/database.ts';
import { newId } from '../../../platform/ids.ts';
import { createJobQueue, type JobQueue } from '../create-job-queue.ts';
import type { ChangedJob, NewJob } from '../job-queue.ts';

export interface TestQueue {
  readonly db: Db;
  readonly queue: JobQueue;
  readonly told: ChangedJob[];
  now: number;
  /** The queue of another server on the same database, with the same clock. */
  other(runner: string): JobQueue;
  add(userId: string, job?: Partial<NewJob>): Promise<string>;
  /** Claims what must be there. */
  start(): Promise<NonNullable<Awaited<ReturnType<JobQueue['claim']>>>>;
  row(id: string): Promise<Awaited<ReturnType<typeof readRow>>>;
}

/** An empty queue on a database that others have used before. */
export async function aQueue(db: Db): Promise<TestQueue> {
  for (const table of ['job_results', 'job_requests', 'jobs', 'job_queues'] as const) {
    await db.deleteFrom(table).execute();
  }
  const told: ChangedJob[] = [];
  const other = (runner: string) =>
    createJobQueue({
      db,
      clock: () => test.now,
      runner,
      onChanged: async (_tx, job) => {
        told.push(job);
      },
    });
  const test: TestQueue = {
    db,
    queue: other('here'),
    told,
    now: 1_000_000,
    other,
    add: async (userId, job) => await addTo(db, test.queue, userId, job),
    async start() {
      const job = await test.queue.claim();
      if (!job) throw new Error('nothing may start');
      return job;
    },
    row: async (id) => await readRow(db, id),
  };
  return test;
}

export async function addTo(
  db: Db,
  queue: JobQueue,
  userId: string,
  job: Partial<NewJob> = {},
): Promise<string> {
  const id = job.id ?? newId();
  const whole: NewJob = {
    userId,
    clientId: null,
    workflowId: null,
    workflowName: null,
    tags: [],
    metadata: '',
    webhookUrl: null,
    webhookEvents: null,
    graph: '{"1":{}}',
    targets: '["1"]',
    nodeOrder: '["1"]',
    extraData: '{}',
    partnerKey: null,
    needs: null,
    maxRunning: 3,
    ...job,
    id,
  };
  await withTransaction(db, async (tx) => await queue.add(tx, whole));
  return id;
}

/** Ids in the order in which they break ties. */
export async function someUsers(db: Db, count: number): Promise<string[]> {
  const users = [];
  for (let index = 0; index < count; index += 1) users.push((await aUser(db)).id);
  return users.sort();
}

/** Accounts in bulk: rows like one that was made properly. */
export async function manyUsers(db: Db, count: number): Promise<string[]> {
  const model = await aUser(db);
  const users = Array.from({ length: count }, newId).sort();
  for (let from = 0; from < count; from += 1000) {
    const rows = users.slice(from, from + 1000).map((id) => ({ ...model, id, email: id, email_key: id }));
    await db.insertInto('users').values(rows).execute();
  }
  return users;
}

async function readRow(db: Db, id: string) {
  return await db
    .selectFrom('jobs')
    .innerJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .selectAll('jobs')
    .select(['partner_key', 'outputs', 'meta', 'events'])
    .where('jobs.id', '=', id)
    .executeTakeFirstOrThrow();
}
