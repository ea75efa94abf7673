import { type Db, withTransaction } from '../../platform/db/database.ts';
import { leaveLine, resultBytesOf } from './end-attempt.ts';
import type { ChangedRow } from './job-columns.ts';
import type { EndedJob, JobStory, QueueParts } from './job-queue.ts';
import { cancelJob, findJobs, forgetKey, insertResult } from './jobs.repo.ts';
import { shiftLine } from './lines.repo.ts';

interface Cancellation {
  readonly userId: string;
  readonly ids: readonly string[];
  readonly storyOf: (id: string) => JobStory;
  readonly note: ((tx: Db) => Promise<void>) | undefined;
}

export async function cancelInLine(
  { db, clock, onChanged }: QueueParts,
  { userId, ids, storyOf, note }: Cancellation,
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
      await forgetKey(tx, { seq: job.seq });
      await onChanged(tx, job);
    }
    if (cancelled.length === 0) return [];
    await note?.(tx);
    const shift = { waiting: -waited, running: waited - cancelled.length, resultBytes: allBytes };
    return await leaveLine(tx, userId, cancelled, shift);
  });
}
