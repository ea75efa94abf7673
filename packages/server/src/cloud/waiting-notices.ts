import type { JobStatus } from '../platform/db/schema/cloud.ts';
import type { QueueCounts } from './queue/job-queue.ts';

/** After this a waiting job's owner is told that it waits. */
const NOTICE_MS = 1000;

interface Parts {
  readonly statusOf: (userId: string, jobId: string) => Promise<JobStatus | undefined>;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly limitOf: (userId: string) => Promise<number>;
  readonly hasListeners: (userId: string) => boolean;
  readonly notify: (userId: string, jobId: string, text: string) => void;
  readonly onError: (error: unknown) => void;
}

export interface WaitingNotices {
  accepted(job: { readonly id: string; readonly userId: string }): void;
  started(jobId: string): void;
  close(): void;
}

/** Tells the owners of jobs that have waited for a second why they wait. */
export function createWaitingNotices(parts: Parts): WaitingNotices {
  const timers = new Map<string, NodeJS.Timeout>();

  async function notice(userId: string, jobId: string): Promise<void> {
    if (!parts.hasListeners(userId)) return;
    if ((await parts.statusOf(userId, jobId)) !== 'pending') return;
    const [{ running }, limit] = await Promise.all([parts.countsOf(userId), parts.limitOf(userId)]);
    const text =
      running >= limit
        ? `Waiting for your other jobs: ${limit === 1 ? 'one runs' : `${limit} run`} at a time.`
        : 'Waiting for a machine to be free.';
    parts.notify(userId, jobId, text);
  }

  return {
    accepted({ id, userId }) {
      const timer = setTimeout(() => {
        timers.delete(id);
        notice(userId, id).catch(parts.onError);
      }, NOTICE_MS);
      timer.unref();
      timers.set(id, timer);
    },
    started(jobId) {
      clearTimeout(timers.get(jobId));
      timers.delete(jobId);
    },
    close() {
      for (const timer of timers.values()) clearTimeout(timer);
      timers.clear();
    },
  };
}
