import { type Db, engineOf } from '../../platform/db/database.ts';
import { outageOf } from '../../platform/errors/outages.ts';
import { addJob } from './add-job.ts';
import { cancelInLine } from './cancel-in-line.ts';
import { adoptAttempt, claimJob } from './claim-job.ts';
import { finishAttempt, giveBackAttempt } from './end-attempt.ts';
import { healLines } from './heal-lines.ts';
import type {
  AttemptId,
  ClaimedJob,
  EndedJob,
  JobEnd,
  JobStory,
  NewJob,
  OwnAttempt,
  QueueCounts,
  QueueParts,
  Recovered,
  Retry,
  WaitingLine,
} from './job-queue.ts';
import { isAttempt, leaseEnded, listOwn, noteWorker, ranHere, renewLeases } from './leases.repo.ts';
import { findCounts, listWaitingLines, mayAnyStart, setMaxRunning } from './lines.repo.ts';
import { recoverJobs } from './recover-jobs.ts';

/** A job of a lost server waits again after at most the lease and a sweep: 14 seconds. */
export const LEASE_MS = 12_000;
export const HEARTBEAT_MS = 4000;
export const SWEEP_MS = 2000;

export type JobQueue = ReturnType<typeof createJobQueue>;

/**
 * The durable queue in the database that all servers share: first in, first out for each user, fair between users, and never
 * more running than allowed. Every change locks the user's line first and then the job, so the counts are exact. See README.md.
 */
export function createJobQueue({
  leaseMs = LEASE_MS,
  onChanged,
  ...rest
}: Omit<QueueParts, 'leaseMs'> & { readonly leaseMs?: number }) {
  const { db, clock, runner } = rest;
  const parts: QueueParts = {
    ...rest,
    leaseMs,
    async onChanged(tx, job) {
      if (job.webhook_url === null) return;
      // A claimed row has more columns, which must not leave the queue.
      const { id, user_id, status, attempt, webhook_url, webhook_events, error } = job;
      await onChanged(tx, { id, user_id, status, attempt, webhook_url, webhook_events, error });
    },
  };
  /** The attempts that were claimed or adopted here and have not ended as far as this server knows. */
  const held = new Map<string, { readonly attempt: number; readonly until: number }>();
  const isHeld = ({ id, attempt }: AttemptId): boolean => held.get(id)?.attempt === attempt;
  const release = (job: AttemptId): void => {
    if (isHeld(job)) held.delete(job.id);
  };

  /**
   * Extends the leases of the given attempts and returns the ids of those that still belong to this server. No others are renewed: an
   * attempt whose claim or end was lost on the way to or from the database would otherwise belong to this server forever.
   */
  async function renew(running: readonly AttemptId[]): Promise<ReadonlySet<string>> {
    const before = running.filter(isHeld);
    if (before.length === 0) return new Set();
    const ids = before.map(({ id }) => id);
    const until = clock() + leaseMs;
    await renewLeases(db, { runner, ids, leaseUntil: until });
    const own = new Set(await listOwn(db, runner, ids));
    for (const each of before) {
      if (!own.has(each.id)) release(each);
      else if (isHeld(each)) held.set(each.id, { attempt: each.attempt, until });
    }
    return own;
  }

  return {
    /**
     * Adds a job, durably once this resolves, or within the caller's transaction, which must be rolled back on an error. Throws
     * `cloud.queue_limit` when 100 jobs wait and `cloud.job_exists` when the id is taken.
     */
    add: async (on: Db, job: NewJob) => await addJob(on, clock, job),
    /** Whether a job waits that could start. */
    mayClaim: async (): Promise<boolean> => await mayAnyStart(db),
    /** Takes the next job that can start, skipping jobs with the `unable` needs. */
    async claim(unable: readonly string[] = []): Promise<ClaimedJob | undefined> {
      const until = clock() + leaseMs;
      const job = await claimJob(parts, unable);
      if (job) held.set(job.id, { attempt: job.attempt, until });
      return job;
    },
    /** Takes over an attempt that another server has begun; `undefined` when it no longer runs. */
    async adopt(id: string, attempt: number): Promise<ClaimedJob | undefined> {
      const until = clock() + leaseMs;
      const job = await adoptAttempt(parts, { id, attempt, leaseUntil: until });
      if (job) held.set(id, { attempt, until });
      return job;
    },
    renew,
    /** Whether no other server can have this attempt yet, by this server's clock. Where there is one server, as long as it runs. */
    holds(job: AttemptId): boolean {
      return isHeld(job) && (engineOf(db) === 'sqlite' || clock() < (held.get(job.id)?.until ?? 0));
    },
    /** Ends an attempt; repeating the call changes nothing. `undefined` when it was cancelled or another runner has it. */
    async finish(job: OwnAttempt, end: JobEnd): Promise<QueueCounts | undefined> {
      try {
        const counts = await finishAttempt(parts, job, end);
        release(job);
        return counts;
      } catch (error) {
        // It will be tried again, and until then nobody else may take the job.
        if (!outageOf(error)) release(job);
        throw error;
      }
    },
    /**
     * Returns a job that this server will not finish, because it stops or, with `makesRoom`, to let other accounts run; then the line goes
     * behind theirs. Neither counts as a lost attempt. False when the attempt no longer belongs to this server.
     */
    async giveBack(job: OwnAttempt, options?: { readonly makesRoom?: boolean }): Promise<boolean> {
      release(job);
      return await giveBackAttempt(parts, job, options);
    },
    /**
     * Returns a job whose worker was lost to the queue, or fails it after the third attempt. Does nothing when the attempt no longer
     * belongs to this server.
     */
    async lose(job: AttemptId, retry: Retry): Promise<Recovered> {
      release(job);
      return await recoverJobs(parts, isAttempt(job, runner), retry);
    },
    /** Records the remote worker of an attempt, which can go on there when this server is gone. */
    runsAt: async (job: AttemptId, worker: string) => await noteWorker(db, isAttempt(job, runner), worker),
    /** Accounts with a job that could start, the next turn first. Jobs with the `unable` needs do not count. */
    listWaiting: async (limit: number, unable: readonly string[] = []): Promise<readonly WaitingLine[]> =>
      await listWaitingLines(db, limit, unable.length === 0 ? undefined : JSON.stringify(unable)),
    /**
     * Cancels those of the user's jobs that have not ended, in one transaction. `undefined`, and nothing is cancelled, when one of them is
     * unknown or somebody else's. `storyOf` returns what to keep of a job that runs here; `note` is part of the transaction.
     */
    cancel: async (
      userId: string,
      ids: readonly string[],
      storyOf: (id: string) => JobStory,
      note?: (tx: Db) => Promise<void>,
    ): Promise<readonly EndedJob[] | undefined> => await cancelInLine(parts, { userId, ids, storyOf, note }),
    /** Renews what runs here, then returns the jobs of lost runners to the queue or fails them after the third attempt. */
    async recover(running: readonly AttemptId[]): Promise<Recovered> {
      // A server that was asleep would otherwise find its own leases expired.
      await renew(running);
      return await recoverJobs(parts, leaseEnded(clock()));
    },
    /** Takes the jobs of earlier servers at once, where the database admits only one server. Called at the start. */
    async recoverAll(): Promise<Recovered> {
      if (engineOf(db) !== 'sqlite') return { returned: 0, failed: [] };
      return await recoverJobs(parts, ranHere(runner));
    },
    setLimit: async (userId: string, maxRunning: number) => await setMaxRunning(db, userId, maxRunning),
    countsOf: async (userId: string): Promise<QueueCounts> =>
      (await findCounts(db, userId)) ?? { waiting: 0, running: 0 },
    /** Rebuilds counts that differ from the jobs; returns how many lines were wrong. */
    heal: async (): Promise<number> => await healLines(db),
  };
}
