import type { Clock } from '../../platform/clock.ts';
import { type Db, engineOf } from '../../platform/db/database.ts';
import { type Writing, writeTogether, writingIn } from '../../platform/db/prepared-query.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { filterHashes } from '../filter-hashes.ts';
import type { NewJob, QueueCounts } from './job-queue.ts';
import { insertJobNow, type NewJobRow } from './jobs.repo.ts';
import { joinLineNow, MAX_WAITING } from './lines.repo.ts';
import { addToLine, isIdTaken } from './postgres-attempts.repo.ts';

/** Nobody knows when there is room; this is soon enough to be worth a try. */
const RETRY_SECONDS = 5;

interface Added {
  readonly seq: number;
  readonly counts: QueueCounts;
}

export async function addJob(db: Db, clock: Clock, job: NewJob): Promise<Added> {
  const now = clock();
  const added =
    engineOf(db) === 'postgres'
      ? await addOnPostgres(db, job, now)
      : db.isTransaction
        ? addNow(writingIn(db), job, now)
        : await writeTogether(db, (writing) => addNow(writing, job, now));
  if (!added) throw queueIsFull();
  return added;
}

async function addOnPostgres(db: Db, job: NewJob, now: number): Promise<Added | undefined> {
  const { maxRunning } = job;
  try {
    const added = await addToLine(db, { ...jobRow(job, now), ...requestOf(job), maxRunning });
    return added && { seq: added.seq, counts: { waiting: added.waiting, running: added.running } };
  } catch (error) {
    throw isIdTaken(error) ? idIsTaken(job) : error;
  }
}

/** `undefined` when the queue is full; an error would make all other writes of this commit start over. On an error the caller rolls back. */
function addNow(writing: Writing, job: NewJob, now: number): Added | undefined {
  const counts = joinLineNow(writing, job);
  if (!counts) return undefined;
  const seq = insertJobNow(writing, jobRow(job, now), requestOf(job));
  if (seq === undefined) throw idIsTaken(job);
  return { seq, counts };
}

function jobRow(job: NewJob, now: number): NewJobRow {
  return {
    id: job.id,
    user_id: job.userId,
    created_at: now,
    client_id: job.clientId,
    workflow_id: job.workflowId,
    workflow_name: job.workflowName,
    tags: job.tags.length === 0 ? '' : `,${job.tags.join(',')},`,
    metadata: job.metadata,
    filter_hashes: filterHashes(job.tags, job.metadata),
    webhook_url: job.webhookUrl,
    webhook_events: job.webhookEvents && JSON.stringify(job.webhookEvents),
    needs: job.needs,
  };
}

function requestOf(job: NewJob) {
  return {
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
