import type { Clock } from '../../platform/clock.ts';
import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { writeTogether } from '../../platform/db/prepared-query.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { JobQueue, NewJob, QueueCounts } from './job-queue.ts';
import { insertJob, insertJobOnly, insertRequest } from './jobs.repo.ts';
import { joinLine, joinLineNow, MAX_WAITING } from './lines.repo.ts';

/** Not when there is room, which nobody knows, but soon enough to be worth a try. */
const RETRY_SECONDS = 5;

interface Added {
  readonly seq: number;
  readonly counts: QueueCounts;
}

export async function addJob(db: Db, clock: Clock, job: NewJob): ReturnType<JobQueue['add']> {
  if (db.isTransaction || engineOf(db) === 'postgres') {
    return await withTransaction(db, async (tx) => await addWithin(tx, job, clock()));
  }
  const added = await addAtOnce(db, job, clock());
  if (!added) throw queueIsFull();
  return added;
}

/** Whoever gets an error must let the transaction fail: the line has been counted up already. */
async function addWithin(tx: Db, job: NewJob, now: number): Promise<Added> {
  const [counts] = await joinLine(tx, job);
  if (!counts) throw queueIsFull();
  const [row] = await insertJob(tx, jobRow(job, now));
  if (!row) throw idIsTaken(job);
  await insertRequest(tx, requestRow(job, row.seq));
  return { seq: row.seq, counts };
}

/** `undefined` when as many wait as may: thrown inside, that would make all others of this commit begin again. */
async function addAtOnce(db: Db, job: NewJob, now: number): Promise<Added | undefined> {
  return await writeTogether(db, (writing) => {
    const counts = joinLineNow(writing, job);
    if (!counts) return undefined;
    const seq = insertJobOnly.insertNow(writing, jobRow(job, now));
    if (seq === undefined) throw idIsTaken(job);
    insertRequest.now(writing, requestRow(job, seq));
    return { seq, counts };
  });
}

function jobRow(job: NewJob, now: number): Parameters<typeof insertJob>[1] {
  return {
    id: job.id,
    user_id: job.userId,
    created_at: now,
    client_id: job.clientId,
    workflow_id: job.workflowId,
    workflow_name: job.workflowName,
    tags: job.tags.length === 0 ? '' : `,${job.tags.join(',')},`,
    metadata: job.metadata,
    webhook_url: job.webhookUrl,
    webhook_events: job.webhookEvents && JSON.stringify(job.webhookEvents),
    needs: job.needs,
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
