import { present } from '@atelier/contracts/present';
import { type Expression, type SqlBool, sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import { CHANGED, type ChangedRow, mayBecome, WAITING } from './job-columns.ts';
import type { AttemptId } from './job-queue.ts';

const RUNNING = sql<boolean>`status = 'in_progress'`;

/** Selects the running jobs that have lost their runner. */
export type Lost = Expression<SqlBool>;

export function leaseEnded(now: number): Lost {
  return sql`lease_until <= ${now}`;
}

/** An earlier server ran it on this machine. An attempt on another machine keeps its lease, because its worker may come back. */
export function ranHere(runner: string): Lost {
  return sql`runner <> ${runner} and worker is null`;
}

export function isAttempt({ id, attempt }: AttemptId, runner: string): Lost {
  return sql`id = ${id} and attempt = ${attempt} and runner = ${runner}`;
}

export async function listUsersWithLost(db: Db, lost: Lost, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('user_id')
    .where(RUNNING)
    .where(lost)
    .limit(limit)
    .execute();
  return [...new Set(rows.map((row) => row.user_id))];
}

export async function listLostOf(tx: Db, userId: string, lost: Lost) {
  return await tx
    .selectFrom('jobs')
    .select(['id', 'attempt', 'put_backs'])
    .where('user_id', '=', userId)
    .where(RUNNING)
    .where(lost)
    .orderBy('seq')
    .execute();
}

/** False when the runner came back in time. */
export async function returnLost(
  tx: Db,
  id: string,
  lost: Lost,
  { now, needs }: { readonly now: number; readonly needs: string | null | undefined },
): Promise<boolean> {
  const row = await tx
    .updateTable('jobs')
    .set({ ...WAITING, updated_at: now, ...present({ needs }) })
    .where('id', '=', id)
    .where(mayBecome('pending'))
    .where(lost)
    .returning('id')
    .executeTakeFirst();
  return row !== undefined;
}

export async function failLost(
  tx: Db,
  id: string,
  lost: Lost,
  { error, now }: { readonly error: string; readonly now: number },
): Promise<ChangedRow | undefined> {
  return await tx
    .updateTable('jobs')
    .set({
      status: 'failed',
      error,
      updated_at: now,
      ended_at: now,
      execution_ms: sql<number>`cast(${now} as bigint) - started_at`,
      lease_until: null,
    })
    .where('id', '=', id)
    .where(mayBecome('failed'))
    .where(lost)
    .returning(CHANGED)
    .executeTakeFirst();
}

export async function noteWorker(db: Db, attempt: Lost, worker: string): Promise<void> {
  await db.updateTable('jobs').set({ worker }).where(RUNNING).where(attempt).execute();
}

/** Skips locked rows: a renewal locks jobs of many users without their lines, so it must not wait for other transactions. */
export async function renewLeases(
  db: Db,
  own: { readonly runner: string; readonly ids: readonly string[]; readonly leaseUntil: number },
): Promise<void> {
  const jobs = selectOwn(db, own.runner, own.ids).select('seq');
  await db
    .updateTable('jobs')
    .set({ lease_until: own.leaseUntil })
    .where('seq', 'in', engineOf(db) === 'postgres' ? jobs.forUpdate().skipLocked() : jobs)
    .execute();
}

export async function listOwn(db: Db, runner: string, ids: readonly string[]): Promise<string[]> {
  const rows = await selectOwn(db, runner, ids).select('id').execute();
  return rows.map((row) => row.id);
}

function selectOwn(db: Db, runner: string, ids: readonly string[]) {
  return db.selectFrom('jobs').where('id', 'in', ids).where('runner', '=', runner).where(RUNNING);
}
