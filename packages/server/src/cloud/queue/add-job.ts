import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { JobQueue, NewJob } from './job-queue.ts';
import { insertJob, insertRequest } from './jobs.repo.ts';
import { joinLine, MAX_WAITING } from './lines.repo.ts';

/** Not when there is room, which nobody knows, but soon enough to be worth a try. */
const RETRY_SECONDS = 5;

/** Whoever gets an error must let the transaction fail: the line has been counted up already. */
export async function addJob(tx: Db, clock: Clock, job: NewJob): ReturnType<JobQueue['add']> {
  const counts = await joinLine(tx, job.userId, job.maxRunning);
  if (!counts) {
    throw new AppError(
      'cloud.queue_limit',
      `${MAX_WAITING} jobs of yours are waiting. Send the next one when some have run.`,
      { retryAfterSeconds: RETRY_SECONDS },
    );
  }
  const seq = await insertJob(tx, {
    id: job.id,
    user_id: job.userId,
    created_at: clock(),
    client_id: job.clientId,
    workflow_id: job.workflowId,
    webhook_url: job.webhookUrl,
    webhook_events: job.webhookEvents && JSON.stringify(job.webhookEvents),
  });
  if (seq === undefined) {
    throw new AppError('cloud.job_exists', `There is a job "${job.id}" already. Take another prompt_id.`);
  }
  await insertRequest(tx, {
    job_id: job.id,
    graph: job.graph,
    targets: job.targets,
    node_order: job.nodeOrder,
    extra_data: job.extraData,
    partner_key: job.partnerKey,
  });
  return { seq, counts };
}
