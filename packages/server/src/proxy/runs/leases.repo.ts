import type { TaskState } from '@atelier/contracts';
import { sql, type Updateable } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import type { TaskRow } from '../../platform/db/schema/proxy.ts';
import { sourcesOf } from '../../platform/transitions.ts';
import { TASK_TRANSITIONS } from '../task.state.ts';
import type { Task } from '../tasks.repo.ts';

interface ClaimOptions {
  /** Absent: tasks of all adapters whose pictures have to be fetched. */
  readonly adapter?: string | undefined;
  readonly now: number;
  readonly limit: number;
  /** 1: only tasks that wait for an idle queue. Absent: all. */
  readonly putOff?: 0 | 1 | undefined;
  /** Only tasks whose deadline is before this. */
  readonly deadlineBefore?: number | undefined;
}

export type Due = Pick<Task, 'seq' | 'lease'>;

/** Tasks that are due, the longest waiting first. On PostgreSQL they are locked, and tasks locked by others are skipped. */
export async function listDue(tx: Db, options: ClaimOptions): Promise<Due[]> {
  const { adapter, now, limit, putOff, deadlineBefore } = options;
  let query = tx
    .selectFrom('tasks')
    .select(['seq', 'lease'])
    .where('stage', '=', adapter === undefined ? 'fetch' : 'work')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('seq')
    .limit(limit);
  if (adapter !== undefined) query = query.where('adapter', '=', adapter);
  if (putOff !== undefined) query = query.where('is_put_off', '=', putOff);
  if (deadlineBefore !== undefined) query = query.where('deadline_at', '<', deadlineBefore);
  if (engineOf(tx) === 'postgres') query = query.forUpdate().skipLocked();
  return await query.execute();
}

/** Whether a task that was not put off is under way or waits. */
export async function isBusy(db: Db, adapter: string): Promise<boolean> {
  const row = await db
    .selectFrom('tasks')
    .select('seq')
    .where('stage', '=', 'work')
    .where('adapter', '=', adapter)
    .where('is_put_off', '=', 0)
    .where('due_at', 'is not', null)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** When the next task of an adapter is due. Without an adapter: the next task whose pictures have to be fetched. */
export async function nextDueAt(db: Db, adapter: string | undefined): Promise<number | undefined> {
  let query = db
    .selectFrom('tasks')
    .select((eb) => eb.fn.min('due_at').as('at'))
    .where('stage', '=', adapter === undefined ? 'fetch' : 'work')
    .where('due_at', 'is not', null);
  if (adapter !== undefined) query = query.where('adapter', '=', adapter).where('is_put_off', '=', 0);
  return (await query.executeTakeFirst())?.at ?? undefined;
}

export async function leaseTasks(
  tx: Db,
  seqs: readonly number[],
  { lease, leaseUntil, putOff }: { readonly lease: string; readonly leaseUntil: number; readonly putOff?: 0 },
): Promise<Task[]> {
  return await tx
    .updateTable('tasks')
    .set({
      lease,
      due_at: leaseUntil,
      ...(putOff !== undefined && { is_put_off: putOff }),
      losses: sql<number>`losses + case when lease is null then 0 else 1 end`,
    })
    .where('seq', 'in', seqs)
    .returningAll()
    .execute();
}

export async function renewLeases(
  db: Db,
  held: readonly { readonly seq: number; readonly lease: string }[],
  leaseUntil: number,
): Promise<ReadonlySet<number>> {
  const rows = await db
    .updateTable('tasks')
    .set({ due_at: leaseUntil })
    .where(
      'seq',
      'in',
      held.map(({ seq }) => seq),
    )
    .where('lease', 'in', [...new Set(held.map(({ lease }) => lease))])
    .where('due_at', 'is not', null)
    .returning('seq')
    .execute();
  return new Set(rows.map(({ seq }) => seq));
}

/** Another server has the task now. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** Throws `LeaseLost` when the lease no longer holds the task, or when the state may not follow. */
export async function changeTask(
  tx: Db,
  { seq, lease }: { readonly seq: number; readonly lease: string },
  change: Omit<Updateable<TaskRow>, 'state'>,
  state?: TaskState,
): Promise<Task> {
  let query = tx
    .updateTable('tasks')
    .set(state === undefined ? change : { ...change, state })
    .where('seq', '=', seq)
    .where('lease', '=', lease);
  query =
    state === undefined
      ? query.where('due_at', 'is not', null)
      : query.where('state', 'in', sourcesOf(TASK_TRANSITIONS, state));
  const task = await query.returningAll().executeTakeFirst();
  if (!task) throw new LeaseLost();
  return task;
}

/** For a database with one server, which has just started: no lease has a holder. */
export async function endAllLeases(db: Db, now: number): Promise<void> {
  await db
    .updateTable('tasks')
    .set({ due_at: now })
    .where('due_at', 'is not', null)
    .where('lease', 'is not', null)
    .execute();
}

/** Makes a task that waits at its vendor due now, unless a step is under way. */
export async function makeDueNow(db: Db, id: string, now: number): Promise<boolean> {
  const result = await db
    .updateTable('tasks')
    .set({ due_at: now })
    .where('id', '=', id)
    .where('lease', 'is', null)
    .where('vendor_task_id', 'is not', null)
    .where('due_at', '>', now)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}
