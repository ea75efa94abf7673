import { setTimeout as delay } from 'node:timers/promises';

import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { claimAtOnce } from './at-once.repo.ts';
import type { ClaimedJob, QueueCounts } from './job-queue.ts';
import { type StartedJob, startNext } from './jobs.repo.ts';
import { mayAnyStart, nextTurn, recountLine } from './lines.repo.ts';
import type { QueueParts } from './queue-parts.ts';

/** How often, and how long after each other, a claim tries again when others have the lines that may start. */
const TRIES = 20;
const PAUSE_MS = 3;

export async function claimJob(parts: QueueParts): Promise<ClaimedJob | undefined> {
  return engineOf(parts.db) === 'sqlite' ? await claimAlone(parts) : await claimBesideOthers(parts);
}

async function claimAlone(parts: QueueParts): Promise<ClaimedJob | undefined> {
  for (let tries = 0; tries < TRIES; tries += 1) {
    const turn = await takeTurn(parts);
    if (turn !== 'wrong line') return turn === 'no line' ? undefined : turn;
  }
  return undefined;
}

async function claimBesideOthers(parts: QueueParts): Promise<ClaimedJob | undefined> {
  const { db, clock, runner, leaseMs } = parts;
  for (let tries = 0; tries < TRIES; tries += 1) {
    const now = clock();
    const job = await claimAtOnce(db, { runner, now, leaseUntil: now + leaseMs });
    if (job) return toClaimedJob(job, job);
    if (!(await mayAnyStart(db))) return undefined;
    const turn = await takeTurn(parts);
    if (typeof turn === 'object') return turn;
    // A line that somebody is changing was passed over. Nobody would come back for it, so this claim does; but it does
    // not wait for the lock, which a server that has stopped dead could hold for long.
    if (turn === 'no line') await delay(PAUSE_MS);
  }
  return undefined;
}

async function takeTurn(parts: QueueParts): Promise<ClaimedJob | 'no line' | 'wrong line'> {
  const { db, clock, runner, leaseMs, changed } = parts;
  const now = clock();
  return await withTransaction(db, async (tx: Db) => {
    const line = await nextTurn(tx, now);
    if (!line) return 'no line';
    const { userId } = line;
    const job = await startNext(tx, { userId, runner, now, leaseUntil: now + leaseMs });
    if (!job) {
      // The line says that a job waits, and none does: without this it would be first for ever.
      await recountLine(tx, userId);
      return 'wrong line';
    }
    await changed(tx, job);
    return toClaimedJob(job, line);
  });
}

function toClaimedJob(job: StartedJob, { waiting, running }: QueueCounts): ClaimedJob {
  return {
    id: job.id,
    userId: job.user_id,
    seq: job.seq,
    attempt: job.attempt,
    putBacks: job.put_backs,
    createdAt: job.created_at,
    graph: job.graph,
    targets: job.targets,
    nodeOrder: job.node_order,
    extraData: job.extra_data,
    partnerKey: job.partner_key,
    counts: { waiting, running },
  };
}
