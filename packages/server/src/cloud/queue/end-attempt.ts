import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { type Writing, writeTogether, writingIn } from '../../platform/db/prepared-query.ts';
import type { ChangedJob, EndedJob, JobEnd, OwnAttempt, QueueCounts, QueueParts } from './job-queue.ts';
import { type AttemptResult, endAttemptNow, hasEnded, type JobSelection, takeBack } from './jobs.repo.ts';
import { endOneNow, findCounts, moveBehind, shiftLine } from './lines.repo.ts';
import { endAttempt as endOnPostgres } from './postgres-attempts.repo.ts';

export async function finishAttempt(
  { db, clock, runner, onChanged }: QueueParts,
  { id, userId, attempt }: OwnAttempt,
  { status, ...results }: JobEnd,
): Promise<QueueCounts | undefined> {
  const own = { id, userId, attempt, runner };
  const end = { ...own, ...results, now: clock(), resultBytes: resultBytesOf(results) };
  const isPostgres = engineOf(db) === 'postgres';
  const plain = isPostgres
    ? await endOnPostgres(db, 'plain', status, end)
    : await writeTogether(db, (writing) => endNow(writing, 'plain', status, end)?.counts);
  if (plain) return { waiting: plain.waiting, running: plain.running };
  return await withTransaction(db, async (tx) => {
    const ended = isPostgres
      ? await endOnPostgres(tx, 'any', status, end)
      : endNow(writingIn(tx), 'any', status, end)?.ended;
    if (ended) await onChanged(tx, ended);
    else if (!(await hasEnded(tx, own, status))) return undefined;
    return await findCounts(tx, userId);
  });
}

/** On SQLite. `undefined`, and nothing is done, when the attempt no longer belongs to this runner. */
function endNow(writing: Writing, selection: JobSelection, status: JobEnd['status'], end: AttemptResult) {
  const ended = endAttemptNow(writing, selection, status, end);
  return ended && { ended, counts: endOneNow(writing, end.userId, end.resultBytes) };
}

/** The size of a job's results in the database, which counts against its owner's quota. */
export function resultBytesOf({
  outputs,
  events,
  timeline,
}: Pick<JobEnd, 'outputs' | 'events' | 'timeline'>): number {
  return Buffer.byteLength(outputs) + Buffer.byteLength(events) + Buffer.byteLength(timeline ?? '');
}

export async function giveBackAttempt(
  { db, clock, runner }: QueueParts,
  { id, userId, attempt }: OwnAttempt,
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

/** Changes the counts of the line that these jobs have just left. */
export async function leaveLine(
  tx: Db,
  userId: string,
  ended: readonly ChangedJob[],
  shift: Parameters<typeof shiftLine>[2],
): Promise<EndedJob[]> {
  const counts = await shiftLine(tx, userId, shift);
  if (!counts) throw new Error(`User ${userId} has jobs but no line.`);
  return ended.map(({ id, attempt, status }) => ({ id, userId, attempt, status, counts }));
}
