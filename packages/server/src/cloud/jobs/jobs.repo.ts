import { type Selectable, sql } from 'kysely';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import { keepRows } from '../../platform/db/kept-rows.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import type { AssetRow, JobRow, JobStatus } from '../../platform/db/schema/cloud.ts';
import { ENDED, OPEN } from './job-states.ts';

const LISTED = [
  'jobs.seq',
  'jobs.id',
  'jobs.status',
  'jobs.created_at',
  'jobs.updated_at',
  'jobs.started_at',
  'jobs.ended_at',
  'jobs.error',
  'jobs.outputs_count',
  'jobs.previewable_outputs_count',
  'jobs.preview_output',
  'jobs.workflow_id',
  'jobs.workflow_name',
  'jobs.tags',
  'jobs.metadata',
] as const;

type Listed = (typeof LISTED)[number] extends `jobs.${infer Name}` ? Name : never;

/** What lists show of a job. */
export type ListedJob = Pick<Selectable<JobRow>, Listed>;

/** Cached, because clients poll it, and usually no job has changed in between. */
const stateById = keepRows(
  prepareQuery((db, { id }: { id: string }) =>
    db
      .selectFrom('jobs')
      .select(['id', 'user_id', 'status', 'created_at', 'updated_at', 'runner', 'error'])
      .where('id', '=', id),
  ),
  { by: 'id', from: ['jobs'] },
);

const wholeJobs = (db: Db) =>
  db
    .selectFrom('jobs')
    .leftJoin('job_requests', 'job_requests.job_seq', 'jobs.seq')
    .leftJoin('job_results', 'job_results.job_seq', 'jobs.seq')
    .select(LISTED)
    .select([
      'jobs.hidden',
      'jobs.needs',
      'job_requests.graph',
      'job_requests.targets',
      'job_requests.extra_data',
      'job_results.outputs',
      'job_results.meta',
      'job_results.events',
    ]);

/** A job with its request and, once it has ended, its results. */
export type WholeJob = Awaited<ReturnType<ReturnType<typeof wholeJobs>['execute']>>[number];

const wholeById = prepareQuery((db, { id, userId }: { id: string; userId: string }) =>
  wholeJobs(db).where('jobs.id', '=', id).where('jobs.user_id', '=', userId),
);
const lineOf = keepRows(
  prepareQuery((db, { userId }: { userId: string }) =>
    db.selectFrom('job_queues').select(['waiting', 'running']).where('user_id', '=', userId),
  ),
  { by: 'userId', from: ['job_queues'] },
);

/**
 * Equal to `user_id`, but without its index. When ids or seqs are given, SQLite would otherwise choose that index, which it
 * assumes to be short, and read all of the user's jobs.
 */
const owner = sql<string>`jobs.user_id || ''`;

/** A job of this user. Jobs of other users count as missing. */
export async function findState(db: Db, userId: string, id: string) {
  const [job] = await stateById(db, { id });
  return job?.user_id === userId ? job : undefined;
}

export async function findWholeJob(db: Db, userId: string, id: string): Promise<WholeJob | undefined> {
  return (await wholeById(db, { id, userId }))[0];
}

/** Jobs by their `seq`, in this order. Jobs that were removed since are left out. */
export async function readWholeJobs(db: Db, userId: string, seqs: readonly number[]): Promise<WholeJob[]> {
  return inOrder(seqs, await wholeJobs(db).where(owner, '=', userId).where('jobs.seq', 'in', seqs).execute());
}

export async function readListedJobs(db: Db, userId: string, seqs: readonly number[]): Promise<ListedJob[]> {
  const listed = db.selectFrom('jobs').select(LISTED);
  return inOrder(seqs, await listed.where(owner, '=', userId).where('jobs.seq', 'in', seqs).execute());
}

function inOrder<Job extends ListedJob>(seqs: readonly number[], rows: readonly Job[]): Job[] {
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

export async function countRemaining(db: Db, userId: string): Promise<number> {
  const [line] = await lineOf(db, { userId });
  return line ? line.waiting + line.running : 0;
}

/** The user's jobs in these states, in order of arrival. */
export async function listIds(db: Db, userId: string, statuses: readonly JobStatus[]): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('user_id', '=', userId)
    .where('status', 'in', statuses)
    .orderBy('seq')
    .execute();
  return rows.map(({ id }) => id);
}

/** Running and waiting jobs, from one read, so that a job that starts meanwhile is in one of the lists. */
export async function listOpen(
  db: Db,
  userId: string,
  limit: number,
): Promise<{ running: number[]; pending: number[] }> {
  const rows = await db
    .selectFrom('jobs')
    .select(['seq', 'status'])
    .where('user_id', '=', userId)
    .where('status', 'in', OPEN)
    .orderBy('seq')
    .limit(limit)
    .execute();
  const { in_progress: running = [], pending = [] } = Object.groupBy(rows, ({ status }) => status);
  return { running: running.map(({ seq }) => seq), pending: pending.map(({ seq }) => seq) };
}

/** The ids that are jobs of the user, in these states if given. */
export async function pickIds(
  db: Db,
  userId: string,
  ids: readonly string[],
  statuses?: readonly JobStatus[],
): Promise<string[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where(owner, '=', userId)
    .$if(statuses !== undefined, (query) => query.where('status', 'in', statuses ?? []))
    .orderBy('seq')
    .execute();
  return rows.map(({ id }) => id);
}

export type PlaceInLine = Awaited<ReturnType<typeof readPlace>>;

const countUpTo = prepareQuery((db, { userId, seq }: { userId: string; seq: number }) =>
  db
    .selectFrom('jobs')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('user_id', '=', userId)
    .where('status', '=', 'pending')
    .where('seq', '<=', seq),
);

/** The position of a waiting job among those of its user; 1 is the next. */
export async function readPosition(db: Db, userId: string, seq: number): Promise<number> {
  const [row] = await countUpTo(db, { userId, seq });
  // The job may have started since it was read.
  return Math.max(1, row?.count ?? 1);
}

/** The basis of an estimate. Only the user's own jobs: those of others are private. */
export async function readPlace(db: Db, userId: string, seq: number, recent: number) {
  const own = db.selectFrom('jobs').where('user_id', '=', userId);
  const [position, running, completed] = await Promise.all([
    readPosition(db, userId, seq),
    own.select('started_at').where('status', '=', 'in_progress').execute(),
    own
      .select('execution_ms')
      .where('status', '=', 'completed')
      .orderBy('seq', 'desc')
      .limit(recent)
      .execute(),
  ]);
  return {
    position,
    runningSince: running.flatMap((row) => row.started_at ?? []),
    recentMs: completed.flatMap((row) => row.execution_ms ?? []),
  };
}

export async function listJobAssets(
  db: Db,
  { jobId, userId, now }: { jobId: string; userId: string; now: number },
  { limit, offset }: { limit: number; offset: number },
): Promise<{ readonly assets: readonly AssetRow[]; readonly total: number }> {
  const all = db
    .selectFrom('assets')
    .where('job_id', '=', jobId)
    .where('user_id', '=', userId)
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]));
  const [assets, { total }] = await Promise.all([
    all
      .selectAll()
      .orderBy('created_at')
      .orderBy('node_id')
      .orderBy('output_key')
      .orderBy('output_index')
      .orderBy('id')
      .limit(limit)
      .offset(offset)
      .execute(),
    all.select((eb) => eb.fn.countAll<number>().as('total')).executeTakeFirstOrThrow(),
  ]);
  return { assets, total };
}

/** Hides those of these jobs that have ended from the lists. */
export async function hideJobs(
  db: Db,
  userId: string,
  which: { readonly ids: readonly string[] } | { readonly seqs: readonly number[] },
): Promise<void> {
  const [column, values] = 'ids' in which ? (['id', which.ids] as const) : (['seq', which.seqs] as const);
  if (values.length === 0) return;
  await withTransaction(db, async (tx) => {
    // The line first, as every change of a job.
    await tx
      .updateTable('job_queues')
      .set((eb) => ({ list_revision: eb('list_revision', '+', 1) }))
      .where('user_id', '=', userId)
      .execute();
    await tx
      .updateTable('jobs')
      .set({ hidden: 1 })
      .where(column, 'in', values)
      .where(owner, '=', userId)
      .where('status', 'in', ENDED)
      .where('hidden', '=', 0)
      .execute();
  });
}
