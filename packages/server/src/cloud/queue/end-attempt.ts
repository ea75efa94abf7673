import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { writeTogether } from '../../platform/db/prepared-query.ts';
import type { ChangedRow } from './job-columns.ts';
import type { JobEnd, QueueCounts } from './job-queue.ts';
import {
  type Attempt,
  type AttemptResult,
  endAttempt,
  endPlainNow,
  forgetKeys,
  hasEnded,
  insertResult,
  takeBack,
} from './jobs.repo.ts';
import { endOneNow, findCounts, moveBehind, shiftLine } from './lines.repo.ts';
import { endAttempt as endOnPostgres } from './postgres-attempts.repo.ts';
import type { QueueParts } from './queue-parts.ts';

export async function finishAttempt(
  { db, clock, runner, changed }: QueueParts,
  { id, userId, attempt }: Omit<Attempt, 'runner'>,
  { status, ...results }: JobEnd,
): Promise<QueueCounts | undefined> {
  const own = { id, userId, attempt, runner };
  const end = { ...own, ...results, now: clock(), resultBytes: resultBytesOf(results) };
  const isPostgres = engineOf(db) === 'postgres';
  const plain = isPostgres
    ? await endOnPostgres(db, 'plain', status, end)
    : await writeTogether(db, (writing) =>
        endPlainNow(writing, status, end) ? endOneNow(writing, userId, end.resultBytes) : undefined,
      );
  if (plain) return { waiting: plain.waiting, running: plain.running };
  return await withTransaction(db, async (tx) => {
    const ended = isPostgres
      ? await endOnPostgres(tx, 'any', status, end)
      : await endOnSqlite(tx, status, end);
    if (ended) await changed(tx, ended);
    else if (!(await hasEnded(tx, own, status))) return undefined;
    return await findCounts(tx, userId);
  });
}

async function endOnSqlite(
  tx: Db,
  status: JobEnd['status'],
  end: AttemptResult,
): Promise<ChangedRow | undefined> {
  const ended = await endAttempt(tx, status, end);
  if (!ended) return undefined;
  const { outputs, meta, events, timeline, userId, resultBytes } = end;
  await insertResult(tx, { job_seq: ended.seq, outputs, meta, events, timeline });
  await forgetKeys(tx, [ended.seq]);
  await shiftLine(tx, userId, { running: -1, resultBytes });
  return ended;
}

/** What the results of a job take in the database, which counts against the quota of its owner. */
export function resultBytesOf({
  outputs,
  events,
  timeline,
}: Pick<JobEnd, 'outputs' | 'events' | 'timeline'>): number {
  return Buffer.byteLength(outputs) + Buffer.byteLength(events) + Buffer.byteLength(timeline ?? '');
}

export async function giveBackAttempt(
  { db, clock, runner }: QueueParts,
  { id, userId, attempt }: Omit<Attempt, 'runner'>,
  { makesRoom = false }: { readonly makesRoom?: boolean } = {},
): Promise<boolean> {
  const now = clock();
  return await withTransaction(db, async (tx) => {
    await shiftLine(tx, userId);
    if (!(await takeBack(tx, { id, userId, attempt, runner }, { now, makesRoom }))) return false;
    await shiftLine(tx, userId, { waiting: 1, running: -1 });
    if (makesRoom) await moveBehind(tx, userId, now);
    return true;
  });
}
