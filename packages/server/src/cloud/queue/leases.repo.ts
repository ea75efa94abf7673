import { present } from '@atelier/contracts/present';
import { type Expression, type SqlBool, sql } from 'kysely';

import { type Db, engineOf } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/schema/cloud.ts';
import { CHANGED, type ChangedRow, mayBecome, WAITING } from './job-columns.ts';
import type { AttemptId } from './job-queue.ts';

const RUNNING = sql<boolean>`status = 'in_progress'`;

/** Which of the running jobs have lost their runner. */
export type Lost = Expression<SqlBool>;

export function leaseEnded(now: number): Lost {
  return sql`lease_until <= ${now}`;
}

/** The server before this one ran it on this machine. What runs on another machine may come back with its worker, and has its lease. */
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

export async function listLostOf(
  tx: Db,
  userId: string,
  lost: Lost,
): Promise<(Pick<JobRow, 'id' | 'attempt'> & { readonly put_backs: number })[]> {
  return await tx
    .selectFrom('jobs')
    .select(['id', 'attempt', 'put_backs'])
    .where('user_id', '=', userId)
    .where(RUNNING)
    .where(lost)
    .orderBy('seq')
    .execute();
}

/** False when the runner has come back in time. */
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

/**
 * Passes over what somebody is changing at this moment: a renewal locks jobs of many users without their lines, so it
 * may wait for nobody.
 */
export async function renewLeases(
  db: Db,
  {
    runner,
    ids,
    leaseUntil,
  }: { readonly runner: string; readonly ids: readonly string[]; readonly leaseUntil: number },
): Promise<void> {
  const own = db
    .selectFrom('jobs')
    .select('seq')
    .where('id', 'in', ids)
    .where('runner', '=', runner)
    .where(RUNNING);
  await db
    .updateTable('jobs')
    .set({ lease_until: leaseUntil })
    .where('seq', 'in', engineOf(db) === 'postgres' ? own.forUpdate().skipLocked() : own)
    .execute();
}

export async function listOwn(db: Db, runner: string, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('jobs')
    .select('id')
    .where('id', 'in', ids)
    .where('runner', '=', runner)
    .where(RUNNING)
    .execute();
  return rows.map((row) => row.id);
}
