import { type Db, withTransaction } from '../../platform/db/database.ts';
import { leaveLine } from './end-attempt.ts';
import { jobFailure } from './job-failure.ts';
import type { ChangedJob, EndedJob, QueueParts, Recovered, Retry } from './job-queue.ts';
import { forgetKey, insertResult } from './jobs.repo.ts';
import { failLost, type Lost, listLostOf, listUsersWithLost, returnLost } from './leases.repo.ts';
import { shiftLine } from './lines.repo.ts';

/** A job that is lost this often fails. */
const MAX_ATTEMPTS = 3;
/** How many lost jobs one sweep looks at; the next one finds the rest. */
const MAX_SWEPT_JOBS = 1000;

/** `retry` applies to a single attempt. */
export async function recoverJobs(parts: QueueParts, lost: Lost, retry?: Retry): Promise<Recovered> {
  let returned = 0;
  const failed: EndedJob[] = [];
  for (const userId of await listUsersWithLost(parts.db, lost, MAX_SWEPT_JOBS)) {
    const of = await withTransaction(
      parts.db,
      async (tx) => await recoverOf(tx, parts, userId, { lost, retry }),
    );
    returned += of.returned;
    failed.push(...of.failed);
  }
  return { returned, failed };
}

async function recoverOf(
  tx: Db,
  parts: QueueParts,
  userId: string,
  { lost, retry }: { readonly lost: Lost; readonly retry: Retry | undefined },
): Promise<Recovered> {
  const now = parts.clock();
  await shiftLine(tx, userId);
  let returned = 0;
  const failed: ChangedJob[] = [];
  for (const { id, attempt, put_backs } of await listLostOf(tx, userId, lost)) {
    if (attempt - put_backs < MAX_ATTEMPTS && retry?.giveUp === undefined) {
      if (await returnLost(tx, id, lost, { now, needs: retry?.needs })) returned += 1;
      continue;
    }
    const why = retry?.giveUp ?? 'The job was lost with its runner three times.';
    const data = jobFailure(id, {
      exception_type: 'ServiceError',
      exception_message: `${why}\n`,
      timestamp: now,
    });
    const job = await failLost(tx, id, lost, { error: JSON.stringify(data), now });
    if (!job) continue;
    failed.push(job);
    // After every event of the lost attempt.
    const events = JSON.stringify([{ id: `${attempt + 1}-1`, type: 'execution_error', data }]);
    await insertResult(tx, { job_seq: job.seq, outputs: '{}', meta: '{}', events, timeline: null });
    await forgetKey(tx, { seq: job.seq });
    await parts.onChanged(tx, job);
  }
  const shift = { waiting: returned, running: -returned - failed.length };
  return { returned, failed: await leaveLine(tx, userId, failed, shift) };
}
