import { engineOf, withTransaction } from '../../platform/db/database.ts';
import { endAtOnce } from './at-once.repo.ts';
import type { JobEnd, JobQueue, QueueCounts } from './job-queue.ts';
import { endAttempt, forgetKeys, hasEnded, insertResult, takeBack } from './jobs.repo.ts';
import { moveBehind, shiftLine } from './lines.repo.ts';
import type { QueueParts } from './queue-parts.ts';

type Attempt = Parameters<JobQueue['finish']>[0];

export async function finishAttempt(
  { db, clock, runner, changed }: QueueParts,
  { id, userId, attempt }: Attempt,
  end: JobEnd,
): Promise<QueueCounts | undefined> {
  const own = { id, userId, attempt, runner, now: clock() };
  const resultBytes = resultBytesOf(end);
  if (engineOf(db) === 'postgres') {
    const counts = await endAtOnce(db, { ...own, resultBytes }, end);
    if (counts) return counts;
  }
  return await withTransaction(db, async (tx) => {
    const counts = await shiftLine(tx, userId, { running: -1, resultBytes });
    const ended = await endAttempt(tx, end.status, {
      ...own,
      error: end.error,
      outputs_count: end.outputsCount,
      previewable_outputs_count: end.previewableOutputsCount,
      preview_output: end.previewOutput,
      output_types: end.outputTypes,
      result_bytes: resultBytes,
    });
    if (!ended) {
      const unchanged = await shiftLine(tx, userId, { running: 1, resultBytes: -resultBytes });
      return (await hasEnded(tx, own, end.status)) ? unchanged : undefined;
    }
    const { outputs, meta, events } = end;
    await insertResult(tx, { job_seq: ended.seq, outputs, meta, events });
    if (ended.keys !== 0) await forgetKeys(tx, [ended.seq]);
    await changed(tx, ended);
    return counts;
  });
}

/** What the results of a job take in the database, which counts against the quota of its owner. */
export function resultBytesOf({ outputs, events }: Pick<JobEnd, 'outputs' | 'events'>): number {
  return Buffer.byteLength(outputs) + Buffer.byteLength(events);
}

export async function giveBackAttempt(
  { db, clock, runner }: QueueParts,
  { id, userId, attempt }: Attempt,
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
