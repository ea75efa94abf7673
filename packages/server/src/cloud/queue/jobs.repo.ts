import { type Selectable, sql } from 'kysely';

import type { Db } from '../../platform/db/database.ts';
import { prepareQuery, type Writing } from '../../platform/db/prepared-query.ts';
import type { JobRequestRow, JobResultRow, JobRow } from '../../platform/db/schema/cloud.ts';
import { CHANGED, type ChangedRow, canRun, mayBecome, WAITING } from './job-columns.ts';
import type { JobEnd, OutputsDescription, OwnAttempt } from './job-queue.ts';

export type NewJobRow = Selectable<
  Pick<JobRow, 'id' | 'user_id' | 'created_at' | 'client_id' | 'workflow_id' | 'workflow_name' | 'needs'> &
    Pick<JobRow, 'tags' | 'metadata' | 'filter_hashes' | 'webhook_url' | 'webhook_events'>
>;

const insertJob = prepareQuery((db, job: NewJobRow) =>
  db
    .insertInto('jobs')
    .values({
      id: job.id,
      user_id: job.user_id,
      status: sql.lit('pending' as const),
      created_at: job.created_at,
      updated_at: job.created_at,
      attempt: sql.lit(0),
      client_id: job.client_id,
      workflow_id: job.workflow_id,
      workflow_name: job.workflow_name,
      tags: job.tags,
      metadata: job.metadata,
      filter_hashes: job.filter_hashes,
      webhook_url: job.webhook_url,
      webhook_events: job.webhook_events,
      needs: job.needs,
      outputs_count: sql.lit(0),
      previewable_outputs_count: sql.lit(0),
      output_types: sql.lit(''),
      hidden: sql.lit(0),
    })
    .onConflict((conflict) => conflict.column('id').doNothing()),
);

const insertRequest = prepareQuery((db, request: JobRequestRow) =>
  db.insertInto('job_requests').values({
    job_seq: request.job_seq,
    graph: request.graph,
    targets: request.targets,
    node_order: request.node_order,
    extra_data: request.extra_data,
    partner_key: request.partner_key,
  }),
);

/** On SQLite: returns the `seq` of the new job; `undefined` when its id is taken. */
export function insertJobNow(
  writing: Writing,
  job: NewJobRow,
  request: Omit<JobRequestRow, 'job_seq'>,
): number | undefined {
  const seq = insertJob.insertNow(writing, job);
  if (seq !== undefined) insertRequest.now(writing, { job_seq: seq, ...request });
  return seq;
}

/** `plain` selects only jobs without a webhook, whose changes need no delivery. */
export type JobSelection = 'plain' | 'any';

export interface Start {
  readonly runner: string;
  readonly now: number;
  readonly leaseUntil: number;
}
type UserStart = Start & { readonly userId: string };

const begin = (
  db: Db,
  selection: JobSelection,
  { userId, runner, now, leaseUntil }: UserStart,
  unable?: string,
) =>
  db
    .updateTable('jobs')
    .$if(selection === 'plain', (update) => update.where('webhook_url', 'is', null))
    .set((eb) => ({
      status: sql.lit('in_progress' as const),
      attempt: eb('attempt', '+', 1),
      runner,
      lease_until: leaseUntil,
      started_at: now,
      updated_at: now,
    }))
    .where('seq', '=', (eb) =>
      eb
        .selectFrom('jobs as waiting')
        .select('waiting.seq')
        .where('waiting.user_id', '=', userId)
        .where(mayBecome('in_progress'))
        .$if(unable !== undefined, (query) => query.where(canRun(unable ?? '', 'sqlite')))
        .orderBy('waiting.seq')
        .limit(sql.lit(1)),
    )
    .returning([...CHANGED, 'put_backs', 'created_at', 'needs'])
    // SQLite cannot return columns of a joined table, but accepts subqueries.
    .returning((eb) => {
      const request = eb.selectFrom('job_requests').whereRef('job_seq', '=', 'jobs.seq');
      return [
        request.select('graph').$asScalar().$notNull().as('graph'),
        request.select('targets').$asScalar().$notNull().as('targets'),
        request.select('node_order').$asScalar().$notNull().as('node_order'),
        request.select('extra_data').$asScalar().$notNull().as('extra_data'),
        request.select('partner_key').$asScalar().as('partner_key'),
      ];
    });

const startOf = (selection: JobSelection) => ({
  first: prepareQuery((db, to: UserStart) => begin(db, selection, to)),
  firstAble: prepareQuery((db, to: UserStart & { unable: string }) => begin(db, selection, to, to.unable)),
});
const START = { plain: startOf('plain'), any: startOf('any') };

export type StartedJob = Pick<JobRow, 'id' | 'user_id' | 'attempt' | 'created_at' | 'needs' | 'webhook_url'> &
  Omit<JobRequestRow, 'job_seq'> & { readonly seq: number; readonly put_backs: number };

/** On SQLite: starts the user's oldest waiting job. */
export function startNextNow(
  writing: Writing,
  selection: JobSelection,
  to: UserStart,
  unable: string | undefined,
): (StartedJob & ChangedRow) | undefined {
  const { first, firstAble } = START[selection];
  const [job] = unable === undefined ? first.now(writing, to) : firstAble.now(writing, { ...to, unable });
  return job;
}

/** Gives a running attempt to another server. */
export async function takeAttempt(
  db: Db,
  to: { readonly id: string; readonly attempt: number; readonly runner: string; readonly leaseUntil: number },
): Promise<StartedJob | undefined> {
  const taken = await db
    .updateTable('jobs')
    .set({ runner: to.runner, lease_until: to.leaseUntil })
    .where('id', '=', to.id)
    .where('attempt', '=', to.attempt)
    .where('status', '=', 'in_progress')
    .returning(['seq', 'id', 'user_id', 'attempt', 'put_backs', 'created_at', 'needs', 'webhook_url'])
    .executeTakeFirst();
  if (!taken) return undefined;
  const request = await db
    .selectFrom('job_requests')
    .select(['graph', 'targets', 'node_order', 'extra_data', 'partner_key'])
    .where('job_seq', '=', taken.seq)
    .executeTakeFirstOrThrow();
  return { ...taken, ...request };
}

/** An attempt and its runner, the only one that may end it. */
export interface Attempt extends OwnAttempt {
  readonly runner: string;
}

export interface AttemptResult extends Attempt, Omit<JobEnd, 'status'> {
  readonly now: number;
  readonly resultBytes: number;
}

const isOwn = ({ id, userId, attempt, runner }: Attempt) =>
  sql<boolean>`id = ${id} and user_id = ${userId} and runner = ${runner} and attempt = ${attempt}`;

const described = (end: OutputsDescription) => ({
  outputs_count: end.outputsCount,
  previewable_outputs_count: end.previewableOutputsCount,
  preview_output: end.previewOutput,
  output_types: end.outputTypes,
});

const ending = (selection: JobSelection, status: JobEnd['status']) =>
  prepareQuery((db, end: AttemptResult) =>
    db
      .updateTable('jobs')
      .set({
        status: sql.lit(status),
        updated_at: end.now,
        ended_at: end.now,
        execution_ms: sql<number>`cast(${end.now} as bigint) - started_at`,
        lease_until: null,
        error: end.error,
        result_bytes: end.resultBytes,
        ...described(end),
      })
      .where(isOwn(end))
      .where(mayBecome(status))
      .$if(selection === 'plain', (update) => update.where('webhook_url', 'is', null))
      .returning(CHANGED),
  );

const END = {
  plain: { completed: ending('plain', 'completed'), failed: ending('plain', 'failed') },
  any: { completed: ending('any', 'completed'), failed: ending('any', 'failed') },
};

/** On SQLite: ends an attempt and stores its results. `undefined`, and nothing is done, when it no longer belongs to this runner. */
export function endAttemptNow(
  writing: Writing,
  selection: JobSelection,
  status: JobEnd['status'],
  end: AttemptResult,
): ChangedRow | undefined {
  const [ended] = END[selection][status].now(writing, end);
  if (!ended) return undefined;
  const { outputs, meta, events, timeline } = end;
  insertResult.now(writing, { job_seq: ended.seq, outputs, meta, events, timeline });
  forgetKey.now(writing, { seq: ended.seq });
  return ended;
}

/** Whether the attempt has already ended this way: then only the answer of the database was lost. */
export async function hasEnded(tx: Db, attempt: Attempt, status: JobEnd['status']): Promise<boolean> {
  const row = await tx
    .selectFrom('jobs')
    .select('id')
    .where(isOwn(attempt))
    .where('status', '=', status)
    .executeTakeFirst();
  return row !== undefined;
}

export const insertResult = prepareQuery((db, result: JobResultRow) =>
  db.insertInto('job_results').values({
    job_seq: result.job_seq,
    outputs: result.outputs,
    meta: result.meta,
    events: result.events,
    timeline: result.timeline,
  }),
);

export const forgetKey = prepareQuery((db, { seq }: { seq: number }) =>
  db
    .updateTable('job_requests')
    .set({ partner_key: null })
    .where('job_seq', '=', seq)
    .where('partner_key', 'is not', null),
);

/** Returns a job to its place in the line. An attempt that makes room for others keeps its number, because watchers have seen it. */
export async function takeBack(
  tx: Db,
  own: Attempt,
  { now, makesRoom }: { readonly now: number; readonly makesRoom: boolean },
): Promise<boolean> {
  const row = await tx
    .updateTable('jobs')
    .set((eb) => ({
      ...WAITING,
      ...(makesRoom ? { put_backs: eb('put_backs', '+', 1) } : { attempt: own.attempt - 1 }),
      updated_at: now,
    }))
    .where(isOwn(own))
    .where(mayBecome('pending'))
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

/** In order of arrival, the order in which several jobs are locked everywhere. */
export async function findJobs(
  tx: Db,
  userId: string,
  ids: readonly string[],
): Promise<Pick<JobRow, 'id' | 'status'>[]> {
  return await tx
    .selectFrom('jobs')
    .select(['id', 'status'])
    .where('user_id', '=', userId)
    .where('id', 'in', ids)
    .orderBy('seq')
    .execute();
}

/** `undefined` when it has ended. */
export async function cancelJob(
  tx: Db,
  id: string,
  {
    now,
    resultBytes,
    ...outputs
  }: OutputsDescription & { readonly now: number; readonly resultBytes: number },
): Promise<ChangedRow | undefined> {
  return await tx
    .updateTable('jobs')
    .set({
      status: 'cancelled',
      updated_at: now,
      ended_at: now,
      execution_ms: sql<number>`coalesce(cast(${now} as bigint) - started_at, 0)`,
      lease_until: null,
      result_bytes: resultBytes,
      ...described(outputs),
    })
    .where('id', '=', id)
    .where(mayBecome('cancelled'))
    .returning(CHANGED)
    .executeTakeFirst();
}
