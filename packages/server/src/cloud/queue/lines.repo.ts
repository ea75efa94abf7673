import { sql } from 'kysely';

import { type Db, type Engine, engineOf } from '../../platform/db/database.ts';
import { prepareQuery, type Writing } from '../../platform/db/prepared-query.ts';
import { canRun, mayBecome } from './job-columns.ts';
import type { QueueCounts, WaitingLine } from './job-queue.ts';

export const MAX_WAITING = 100;

/** Must be the exact condition of the index `job_queues_next`. */
export const MAY_START = sql<boolean>`waiting > 0 and running < max_running`;

interface NewWaiter {
  readonly userId: string;
  readonly maxRunning: number;
}

const join = prepareQuery((db, { userId, maxRunning }: NewWaiter) =>
  db
    .insertInto('job_queues')
    .values({
      user_id: userId,
      waiting: sql.lit(1),
      running: sql.lit(0),
      max_running: maxRunning,
      last_started: sql.lit(0),
    })
    .onConflict((conflict) =>
      conflict
        .column('user_id')
        .doUpdateSet((eb) => ({
          waiting: eb('job_queues.waiting', '+', 1),
          max_running: eb.ref('excluded.max_running'),
        }))
        .where('job_queues.waiting', '<', MAX_WAITING),
    ),
);

/** On SQLite: counts one more waiting job, and creates the line if there is none. `undefined` when the queue is full. */
export function joinLineNow(writing: Writing, values: NewWaiter): QueueCounts | undefined {
  return join.insertNow(writing, values) === undefined ? undefined : find.now(writing, values)[0];
}

/** Whether the line has a job that a worker of this server can run. */
const hasAble = (unable: string, engine: Engine) => sql<boolean>`exists (select 1 from jobs
  where jobs.user_id = job_queues.user_id and ${mayBecome('in_progress')} and ${canRun(unable, engine)})`;

/** The lines that can start: those with a job and room for it, and with `unable` only those with a job that workers can run. */
export const mayStart = (unable: string | undefined, engine: Engine) =>
  unable === undefined ? MAY_START : sql<boolean>`${MAY_START} and ${hasAble(unable, engine)}`;

const next = (db: Db, unable?: string) =>
  db
    .selectFrom('job_queues')
    .select('user_id')
    .where(mayStart(unable, 'sqlite'))
    .orderBy('last_started')
    .orderBy('user_id')
    .limit(sql.lit(1));
const nextLine = prepareQuery((db) => next(db));
const nextAbleLine = prepareQuery((db, { unable }: { unable: string }) => next(db, unable));

/** On SQLite: the user whose last turn is the longest ago. */
export function nextUserNow(writing: Writing, unable: string | undefined): string | undefined {
  const [line] = unable === undefined ? nextLine.now(writing, {}) : nextAbleLine.now(writing, { unable });
  return line?.user_id;
}

const takeTurn = prepareQuery((db, { userId, now }: { userId: string; now: number }) =>
  db
    .updateTable('job_queues')
    .set((eb) => ({
      waiting: eb('waiting', '-', 1),
      running: eb('running', '+', 1),
      last_started: behindAll(now),
    }))
    .where('user_id', '=', userId)
    .returning(['waiting', 'running']),
);

/** On SQLite: counts a job of the user as running. */
export function takeTurnNow(writing: Writing, turn: { readonly userId: string; readonly now: number }) {
  const [counts] = takeTurn.now(writing, turn);
  if (!counts) throw new Error('The line of a job is missing.');
  return counts;
}

/** A turn after all waiting lines, even if their last starts are in the same millisecond or a clock is ahead. */
export function behindAll(now: number) {
  return sql<number>`(select max(at) from (
    select cast(${now} as bigint) as at
    union all select max(last_started) + 1 from job_queues where ${MAY_START}) as starts)`;
}

const someone = prepareQuery((db) =>
  db
    .selectFrom('job_queues')
    .select('user_id')
    .where(MAY_START)
    // Makes PostgreSQL use the index; it assumes that every third line can start, and would scan the table.
    .orderBy('last_started')
    .limit(sql.lit(1)),
);

export async function mayAnyStart(db: Db): Promise<boolean> {
  return (await someone(db, {})).length > 0;
}

/** The accounts that could start a job, the next turn first, and since when. */
export async function listWaitingLines(
  db: Db,
  limit: number,
  unable: string | undefined,
): Promise<WaitingLine[]> {
  const rows = await db
    .selectFrom('job_queues')
    .select((eb) => [
      'user_id',
      'last_started',
      eb
        .selectFrom('jobs')
        .select('created_at')
        .whereRef('jobs.user_id', '=', 'job_queues.user_id')
        .where(mayBecome('in_progress'))
        .$if(unable !== undefined, (query) => query.where(canRun(unable ?? '', engineOf(db))))
        .orderBy('seq')
        .limit(sql.lit(1))
        .as('created_at'),
    ])
    .where(mayStart(unable, engineOf(db)))
    .orderBy('last_started')
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    since: Math.max(row.last_started, row.created_at ?? Number.POSITIVE_INFINITY),
  }));
}

/** Moves the line behind all others that wait. */
export async function moveBehind(tx: Db, userId: string, now: number): Promise<void> {
  await tx
    .updateTable('job_queues')
    .set({ last_started: behindAll(now) })
    .where('user_id', '=', userId)
    .execute();
}

interface Shift {
  readonly waiting?: number;
  readonly running?: number;
  readonly resultBytes?: number;
}

const shift = prepareQuery(
  (db, { userId, waiting, running, resultBytes }: Required<Shift> & { readonly userId: string }) =>
    db
      .updateTable('job_queues')
      .set((eb) => ({
        waiting: eb('waiting', '+', waiting),
        running: eb('running', '+', running),
        result_bytes: eb('result_bytes', '+', resultBytes),
        list_revision: eb('list_revision', '+', 1),
      }))
      .where('user_id', '=', userId)
      .returning(['waiting', 'running']),
);

/** On SQLite: counts one job less as running. */
export function endOneNow(writing: Writing, userId: string, resultBytes: number): QueueCounts | undefined {
  return shift.now(writing, { userId, waiting: 0, running: -1, resultBytes })[0];
}

/** Locks the line and changes its counts; without a shift it only locks. `undefined` when the user has no line. */
export async function shiftLine(
  tx: Db,
  userId: string,
  { waiting = 0, running = 0, resultBytes = 0 }: Shift = {},
): Promise<QueueCounts | undefined> {
  return (await shift(tx, { userId, waiting, running, resultBytes }))[0];
}

const find = prepareQuery((db, { userId }: { userId: string }) =>
  db.selectFrom('job_queues').select(['waiting', 'running']).where('user_id', '=', userId),
);

export async function findCounts(db: Db, userId: string): Promise<QueueCounts | undefined> {
  return (await find(db, { userId }))[0];
}

export async function setMaxRunning(db: Db, userId: string, maxRunning: number): Promise<void> {
  await db.updateTable('job_queues').set({ max_running: maxRunning }).where('user_id', '=', userId).execute();
}

/** Counts the jobs themselves, using the index `jobs_by_user`. */
const countOf = (status: 'pending' | 'in_progress') => sql<number>`(select count(*) from jobs
  where jobs.user_id = job_queues.user_id and jobs.status = ${sql.lit(status)})`;

/** A page of lines in the order of user ids; a line is wrong when its counts differ from its jobs. */
export async function readLines(
  db: Db,
  after: string,
  limit: number,
): Promise<{ readonly userId: string; readonly wrong: boolean }[]> {
  const rows = await db
    .selectFrom('job_queues')
    .select(['user_id', 'waiting', 'running'])
    .select([countOf('pending').as('pending'), countOf('in_progress').as('in_progress')])
    .where('user_id', '>', after)
    .orderBy('user_id')
    .limit(limit)
    .execute();
  return rows.map((row) => ({
    userId: row.user_id,
    wrong: row.waiting !== row.pending || row.running !== row.in_progress,
  }));
}

/**
 * Counts the jobs of a line again: a line that promises a job it does not have would be first forever. Lock the line before: on
 * PostgreSQL, a statement that waits for the lock has already counted.
 */
export async function recountLine(tx: Db, userId: string): Promise<void> {
  await tx
    .updateTable('job_queues')
    .set({ waiting: countOf('pending'), running: countOf('in_progress') })
    .where('user_id', '=', userId)
    .execute();
}
