import type { Clock } from '../../platform/clock.ts';
import { type Db, engineOf } from '../../platform/db/database.ts';
import { outageOf } from '../../platform/errors/outages.ts';
import { addJob } from './add-job.ts';
import { cancelInLine } from './cancel-in-line.ts';
import { adoptAttempt, claimJob } from './claim-job.ts';
import { finishAttempt, giveBackAttempt } from './end-attempt.ts';
import { healLines } from './heal-lines.ts';
import type { AttemptId, ChangedJob, JobQueue } from './job-queue.ts';
import { isAttempt, leaseEnded, listOwn, noteWorker, ranHere, renewLeases } from './leases.repo.ts';
import { findCounts, listWaitingLines, mayAnyStart, setMaxRunning } from './lines.repo.ts';
import type { QueueParts } from './queue-parts.ts';
import { recoverJobs } from './recover-jobs.ts';

/** A job whose server is lost waits again after at most the lease and a sweep: 14 seconds. */
export const LEASE_MS = 12_000;
export const HEARTBEAT_MS = 4000;
export const SWEEP_MS = 2000;

interface JobQueueParts {
  readonly db: Db;
  readonly clock: Clock;
  /** Names this process, and no other before or after it. */
  readonly runner: string;
  readonly leaseMs?: number;
  /** Told, inside of the transaction, of every change of a job that has a webhook; not that it waits again. */
  readonly onChanged: (tx: Db, job: ChangedJob) => Promise<void>;
}

/** The queue of this server, in the database that all servers share. See README.md. */
export function createJobQueue({ leaseMs = LEASE_MS, ...given }: JobQueueParts): JobQueue {
  const { db, clock, runner, onChanged } = given;
  const changed: QueueParts['changed'] = async (tx, job) => {
    if (job.webhook_url === null) return;
    // Only this much: what a claim has read besides is nobody else's business.
    const { id, user_id, status, attempt, webhook_url, webhook_events, error } = job;
    await onChanged(tx, { id, user_id, status, attempt, webhook_url, webhook_events, error });
  };
  const parts: QueueParts = { db, clock, runner, leaseMs, changed };
  /** The attempts that were claimed or adopted and are not known to have ended. */
  const held = new Map<string, { readonly attempt: number; readonly until: number }>();
  const letGo = ({ id, attempt }: AttemptId): void => {
    if (held.get(id)?.attempt === attempt) held.delete(id);
  };

  const renew: JobQueue['renew'] = async (running) => {
    const isHeld = ({ id, attempt }: AttemptId): boolean => held.get(id)?.attempt === attempt;
    const before = running.filter(isHeld);
    if (before.length === 0) return new Set();
    const ids = before.map(({ id }) => id);
    const until = clock() + leaseMs;
    await renewLeases(db, { runner, ids, leaseUntil: until });
    const own = new Set(await listOwn(db, runner, ids));
    for (const each of before) {
      if (!own.has(each.id)) letGo(each);
      else if (isHeld(each)) held.set(each.id, { attempt: each.attempt, until });
    }
    return own;
  };

  return {
    add: async (on, job) => await addJob(on, clock, job),
    mayClaim: async () => await mayAnyStart(db),
    async claim(unable = []) {
      const until = clock() + leaseMs;
      const job = await claimJob(parts, unable);
      if (job) held.set(job.id, { attempt: job.attempt, until });
      return job;
    },
    async adopt(id, attempt) {
      const until = clock() + leaseMs;
      const job = await adoptAttempt(parts, { id, attempt, leaseUntil: until });
      if (job) held.set(id, { attempt, until });
      return job;
    },
    renew,
    holds({ id, attempt }) {
      const found = held.get(id);
      return found?.attempt === attempt && (engineOf(db) === 'sqlite' || clock() < found.until);
    },
    async finish(job, end) {
      try {
        const counts = await finishAttempt(parts, job, end);
        letGo(job);
        return counts;
      } catch (error) {
        // It will be tried again, and meanwhile the job is not to be given to somebody else.
        if (!outageOf(error)) letGo(job);
        throw error;
      }
    },
    async giveBack(job, options) {
      letGo(job);
      return await giveBackAttempt(parts, job, options);
    },
    async lose(job, retry) {
      letGo(job);
      return await recoverJobs(parts, isAttempt(job, runner), retry);
    },
    runsAt: async (job, worker) => await noteWorker(db, isAttempt(job, runner), worker),
    listWaiting: async (limit, unable = []) =>
      await listWaitingLines(db, limit, unable.length === 0 ? undefined : JSON.stringify(unable)),
    cancel: async (...args) => await cancelInLine(parts, ...args),
    async recover(running) {
      // A server that was asleep finds its own leases ended first, and it knows better.
      await renew(running);
      return await recoverJobs(parts, leaseEnded(clock()));
    },
    async recoverAll() {
      if (engineOf(db) !== 'sqlite') return { returned: 0, failed: [] };
      return await recoverJobs(parts, ranHere(runner));
    },
    setLimit: async (userId, maxRunning) => await setMaxRunning(db, userId, maxRunning),
    async countsOf(userId) {
      return (await findCounts(db, userId)) ?? { waiting: 0, running: 0 };
    },
    heal: async () => await healLines(db),
  };
}
