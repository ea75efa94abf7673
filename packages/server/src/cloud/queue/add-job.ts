import type { Clock } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { JobQueue, NewJob } from './job-queue.ts';
import { insertJob, insertRequest } from './jobs.repo.ts';
import { joinLine, MAX_WAITING } from './lines.repo.ts';

/** Not when there is room, which nobody knows, but soon enough to be worth a try. */
const RETRY_SECONDS = 5;

export async function addJob(db: Db, clock: Clock, job: NewJob): ReturnType<JobQueue['add']> {
  // Within the caller's transaction an error must undo it: the line has been counted up already.
  return await withTransaction(db, async (tx) => {
    const [counts] = await joinLine(tx, job);
    if (!counts) throw queueIsFull();
    const [row] = await insertJob(tx, jobRow(job, clock()));
    if (!row) throw idIsTaken(job);
    await insertRequest(tx, requestRow(job, row.seq));
    return { seq: row.seq, counts };
  });
}

function jobRow(job: NewJob, now: number): Parameters<typeof insertJob>[1] {
  return {
    id: job.id,
    user_id: job.userId,
    created_at: now,
    client_id: job.clientId,
    workflow_id: job.workflowId,
    webhook_url: job.webhookUrl,
    webhook_events: job.webhookEvents && JSON.stringify(job.webhookEvents),
  };
}

function requestRow(job: NewJob, seq: number): Parameters<typeof insertRequest>[1] {
  return {
    job_seq: seq,
    graph: job.graph,
    targets: job.targets,
    node_order: job.nodeOrder,
    extra_data: job.extraData,
    partner_key: job.partnerKey,
  };
}

function queueIsFull(): AppError {
  return new AppError(
    'cloud.queue_limit',
    `${MAX_WAITING} jobs of yours are waiting. Send the next one when some have run.`,
    { retryAfterSeconds: RETRY_SECONDS },
  );
}

function idIsTaken({ id }: NewJob): AppError {
  return new AppError('cloud.job_exists', `There is a job "${id}" already. Take another prompt_id.`);
}
