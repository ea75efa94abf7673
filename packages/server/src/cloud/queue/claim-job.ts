import { setTimeout as delay } from 'node:timers/promises';

import { engineOf, withTransaction } from '../../platform/db/database.ts';
import { type Writing, writeTogether, writingIn } from '../../platform/db/prepared-query.ts';
import type { ClaimedJob, QueueCounts, QueueParts } from './job-queue.ts';
import { type JobSelection, type Start, type StartedJob, startNextNow, takeAttempt } from './jobs.repo.ts';
import { findCounts, nextUserNow, recountLine, takeTurnNow } from './lines.repo.ts';
import { claimNext } from './postgres-attempts.repo.ts';

/** How often, and after which pause, a claim tries again when other claims hold the lines that could start. */
const MAX_TRIES = 20;
const PAUSE_MS = 3;

export async function claimJob(
  parts: QueueParts,
  unable: readonly string[],
): Promise<ClaimedJob | undefined> {
  const skipped = unable.length === 0 ? undefined : JSON.stringify(unable);
  return engineOf(parts.db) === 'sqlite'
    ? await claimOnSqlite(parts, skipped)
    : await claimOnPostgres(parts, skipped);
}

async function claimOnSqlite({ db, clock, runner, leaseMs, onChanged }: QueueParts, unable?: string) {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const now = clock();
    const start = { runner, now, leaseUntil: now + leaseMs };
    const turn = await writeTogether(db, (writing) => claimNow(writing, 'plain', start, unable));
    if (!turn) return undefined;
    if (turn.job) return toClaimedJob(turn.job, turn.counts);
    // The job has a webhook, or the line does not have the job that its counts promise.
    const claimed = await withTransaction(db, async (tx) => {
      const own = claimNow(writingIn(tx), 'any', start, unable);
      if (!own) return 'no line';
      if (!own.job) return await recountLine(tx, own.userId);
      await onChanged(tx, own.job);
      return toClaimedJob(own.job, own.counts);
    });
    if (claimed) return claimed === 'no line' ? undefined : claimed;
  }
  return undefined;
}

/** `undefined` when no line may start. Changes nothing when there is no job. */
function claimNow(writing: Writing, selection: JobSelection, start: Start, unable: string | undefined) {
  const userId = nextUserNow(writing, unable);
  if (userId === undefined) return undefined;
  const job = startNextNow(writing, selection, { ...start, userId }, unable);
  return job ? { job, counts: takeTurnNow(writing, { userId, now: start.now }) } : { userId };
}

async function claimOnPostgres({ db, clock, runner, leaseMs, onChanged }: QueueParts, unable?: string) {
  for (let tries = 0; tries < MAX_TRIES; tries += 1) {
    const now = clock();
    const start = { runner, now, leaseUntil: now + leaseMs };
    const turn = await claimNext(db, 'plain', start, unable);
    if (turn.id !== null) return toClaimedJob(turn, turn);
    if (turn.line !== null) {
      const claimed = await withTransaction(db, async (tx) => {
        const job = await claimNext(tx, 'any', start, unable);
        if (job.line === null) return undefined;
        if (job.id === null) return await recountLine(tx, job.line);
        await onChanged(tx, job);
        return toClaimedJob(job, job);
      });
      if (claimed) return claimed;
    } else {
      if (!turn.is_busy) return undefined;
      // Another transaction holds a line that could start. Nobody else would come back for it, so this claim does. It does
      // not wait for the lock, which a server that hangs could hold for long.
      await delay(PAUSE_MS);
    }
  }
  return undefined;
}

/** The worker of the attempt has connected to this server. The previous server notices when it renews its leases. */
export async function adoptAttempt(
  { db, runner }: QueueParts,
  attempt: { readonly id: string; readonly attempt: number; readonly leaseUntil: number },
): Promise<ClaimedJob | undefined> {
  const job = await takeAttempt(db, { ...attempt, runner });
  const counts = job && (await findCounts(db, job.user_id));
  return counts && toClaimedJob(job, counts);
}

function toClaimedJob(job: StartedJob, { waiting, running }: QueueCounts): ClaimedJob {
  return {
    id: job.id,
    userId: job.user_id,
    seq: job.seq,
    attempt: job.attempt,
    putBacks: job.put_backs,
    hasWebhook: job.webhook_url !== null,
    createdAt: job.created_at,
    graph: job.graph,
    targets: job.targets,
    nodeOrder: job.node_order,
    extraData: job.extra_data,
    partnerKey: job.partner_key,
    needs: job.needs,
    counts: { waiting, running },
  };
}
