import { type Db, withTransaction } from '../../platform/db/database.ts';
import { resultBytesOf } from './end-attempt.ts';
import type { ChangedRow } from './job-columns.ts';
import type { EndedJob, JobQueue } from './job-queue.ts';
import { cancelJob, findJobs, forgetKeys, insertResult } from './jobs.repo.ts';
import { shiftLine } from './lines.repo.ts';
import type { QueueParts } from './queue-parts.ts';

export async function cancelInLine(
  { db, clock, changed }: QueueParts,
  ...[userId, ids, storyOf, note]: Parameters<JobQueue['cancel']>
): Promise<readonly EndedJob[] | undefined> {
  const wanted = [...new Set(ids)];
  if (wanted.length === 0) return [];
  const now = clock();
  return await withTransaction(db, async (tx) => {
    await shiftLine(tx, userId);
    const found = await findJobs(tx, userId, wanted);
    if (found.length < wanted.length) return undefined;
    const cancelled: ChangedRow[] = [];
    let waited = 0;
    let allBytes = 0;
    for (const { id, status } of found) {
      const { events, outputs, timeline, ...described } = storyOf(id);
      const resultBytes = resultBytesOf({ events, outputs, timeline });
      const job = await cancelJob(tx, id, { now, resultBytes, ...described });
      if (!job) continue;
      cancelled.push(job);
      allBytes += resultBytes;
      if (status === 'pending') waited += 1;
      await insertResult(tx, { job_seq: job.seq, meta: '{}', events, outputs, timeline });
      await changed(tx, job);
    }
    if (cancelled.length === 0) return [];
    await note?.(tx);
    const shift = { waiting: -waited, running: waited - cancelled.length, resultBytes: allBytes };
    return await leaveLine(tx, userId, cancelled, shift);
  });
}

async function leaveLine(
  tx: Db,
  userId: string,
  cancelled: readonly ChangedRow[],
  shift: Parameters<typeof shiftLine>[2],
): Promise<EndedJob[]> {
  await forgetKeys(
    tx,
    cancelled.map(({ seq }) => seq),
  );
  const counts = await shiftLine(tx, userId, shift);
  if (!counts) throw new Error(`User ${userId} has jobs but no line.`);
  return cancelled.map(({ id, attempt, status }) => ({ id, userId, attempt, status, counts }));
}
