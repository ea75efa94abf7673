import type { JobMessages } from '@atelier/contracts';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { ChangedJob, EndedJob, Recovered } from './job-queue.ts';
import { forgetKeys, insertResult } from './jobs.repo.ts';
import { failLost, type Lost, listLostOf, listUsersWithLost, returnLost } from './leases.repo.ts';
import { shiftLine } from './lines.repo.ts';
import type { QueueParts } from './queue-parts.ts';

/** How often a job is lost before it is given up. */
const MAX_ATTEMPTS = 3;
/** How many lost jobs are looked at in one go; the rest is found by the next sweep. */
const SWEPT_JOBS = 1000;

export async function recoverJobs(parts: QueueParts, lost: Lost): Promise<Recovered> {
  let returned = 0;
  const failed: EndedJob[] = [];
  for (const userId of await listUsersWithLost(parts.db, lost, SWEPT_JOBS)) {
    const of = await withTransaction(parts.db, async (tx) => await recoverOf(tx, parts, userId, lost));
    returned += of.returned;
    failed.push(...of.failed);
  }
  return { returned, failed };
}

async function recoverOf(tx: Db, parts: QueueParts, userId: string, lost: Lost): Promise<Recovered> {
  const now = parts.clock();
  await shiftLine(tx, userId);
  let returned = 0;
  const failed: ChangedJob[] = [];
  for (const { id, attempt, put_backs } of await listLostOf(tx, userId, lost)) {
    if (attempt - put_backs < MAX_ATTEMPTS) {
      if (await returnLost(tx, id, lost, now)) returned += 1;
      continue;
    }
    const data = lostThreeTimes(id, now);
    const job = await failLost(tx, id, lost, { error: JSON.stringify(data), now });
    if (!job) continue;
    failed.push(job);
    // Behind everything that the lost attempt has told.
    const events = JSON.stringify([{ id: `${attempt + 1}-1`, type: 'execution_error', data }]);
    await insertResult(tx, { job_seq: job.seq, outputs: '{}', meta: '{}', events });
    await forgetKeys(tx, [job.seq]);
    await parts.changed(tx, job);
  }
  const counts = await shiftLine(tx, userId, { waiting: returned, running: -returned - failed.length });
  if (!counts) throw new Error(`User ${userId} has jobs but no line.`);
  return {
    returned,
    failed: failed.map(({ id, attempt, status }) => ({ id, userId, attempt, status, counts })),
  };
}

function lostThreeTimes(jobId: string, timestamp: number): JobMessages['execution_error'] {
  return {
    prompt_id: jobId,
    node_id: '',
    node_type: '',
    executed: [],
    exception_message: 'The job was lost with its runner three times.\n',
    exception_type: 'ServiceError',
    traceback: [],
    current_inputs: {},
    current_outputs: [],
    timestamp,
  };
}
