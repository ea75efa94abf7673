import { sql } from 'kysely';

import { type Db, type Engine, engineOf } from '../../platform/db/database.ts';
import { prepareQuery, type Writing } from '../../platform/db/prepared-query.ts';
import { canRun, mayBecome } from './job-columns.ts';
import type { QueueCounts, WaitingLine } from './job-queue.ts';

/** How many jobs of one user may wait. */
export const MAX_WAITING = 100;

/** Word for word the condition of the index `job_queues_next`. */
export const MAY_START = sql<boolean>`waiting > 0 and running < max_running`;

const oneMore = (db: Db, { userId, maxRunning }: { userId: string; maxRunning: number }) =>
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
    );

const join = prepareQuery(oneMore);

/** On SQLite: one job more waits; makes the line when there is none. Returns nothing when as many wait as may. */
export function joinLineNow(
  writing: Writing,
  values: Parameters<typeof oneMore>[1],
): QueueCounts | undefined {
  return join.insertNow(writing, values) === undefined ? undefined : find.now(writing, values)[0];
}

/** The line has a job that workers of this server can run. */
const hasAble = (unable: string, engine: Engine) => sql<boolean>`exists (select 1 from jobs
  where jobs.user_id = job_queues.user_id and ${mayBecome('in_progress')} and ${canRun(unable, engine)})`;

/** Which lines may start: all with a job and room for it or, given what workers are unable to do, those with a job for them. */
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

/** On SQLite: the user who has waited longest since their last turn. */
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

/** On SQLite: a job of the user begins. */
export function takeTurnNow(writing: Writing, turn: { readonly userId: string; readonly now: number }) {
  const [counts] = takeTurn.now(writing, turn);
  if (!counts) throw new Error('The line of a job is missing.');
  return counts;
}

/** Behind everybody who waits too, also when their last starts lie in the same millisecond or a clock is ahead. */
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
    // Only for the index: PostgreSQL thinks that every third line may start, and would look for one in the table.
    .orderBy('last_started')
    .limit(sql.lit(1)),
);

export async function mayAnyStart(db: Db): Promise<boolean> {
  return (await someone(db, {})).length > 0;
}

/** The accounts whose jobs may begin, the next turn first, with how long they have had none that they could use. */
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

/** The line has had its turn: who else waits is next. */
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

/** On SQLite: one job less runs. */
export function endOneNow(writing: Writing, userId: string, resultBytes: number): QueueCounts | undefined {
  return shift.now(writing, { userId, waiting: 0, running: -1, resultBytes })[0];
}

/** Locks the line and moves its counts; without a shift it only locks. `undefined` when the user has none. */
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

/** What the jobs themselves say, through the index `jobs_by_user`. */
const countOf = (status: 'pending' | 'in_progress') => sql<number>`(select count(*) from jobs
  where jobs.user_id = job_queues.user_id and jobs.status = ${sql.lit(status)})`;

/** A page of lines in order of the user's id; a line is wrong when its counts are not those of the jobs. */
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
 * Sets the counts to what the jobs say: a line that promises a job it does not have would be first forever. Only under the lock: on
 * PostgreSQL a statement that waits for it counts too early.
 */
export async function recountLine(tx: Db, userId: string): Promise<void> {
  await tx
    .updateTable('job_queues')
    .set({ waiting: countOf('pending'), running: countOf('in_progress') })
    .where('user_id', '=', userId)
    .execute();
}
