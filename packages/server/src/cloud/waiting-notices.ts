import type { JobStatus } from '../platform/db/schema/cloud.ts';
import type { QueueCounts } from './queue/job-queue.ts';

/** After this a waiting job's owner is told that it waits. */
const NOTICE_MS = 1000;
/** How often it is looked whether the reason is another one. */
const LOOK_AGAIN_MS = 15_000;
const MAX_TOLD = 10_000;

interface Parts {
  readonly statusOf: (userId: string, jobId: string) => Promise<JobStatus | undefined>;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly limitOf: (userId: string) => Promise<number>;
  /** What no worker has of what such a job needs, as a sentence. */
  readonly whatIsMissing: (needs: string | null) => Promise<string | undefined>;
  readonly hasListeners: (userId: string) => boolean;
  readonly notify: (userId: string, jobId: string, text: string) => void;
  readonly onError: (error: unknown) => void;
}

interface WaitingJob {
  readonly id: string;
  readonly userId: string;
  readonly needs: string | null;
}

export interface WaitingNotices {
  accepted(job: WaitingJob): void;
  started(jobId: string): void;
  close(): void;
}

/** Tells the owners of jobs that have waited for a second why they wait. */
export function createWaitingNotices(parts: Parts): WaitingNotices {
  /** In order of arrival, so the first one is due first. */
  const waiting = new Map<string, Omit<WaitingJob, 'id'> & { readonly dueAt: number }>();
  /** For the first one: a timer for each job costs more than all the rest of this. */
  let timer: NodeJS.Timeout | undefined;

  /** The last notice about each job that still waits. */
  const told = new Map<string, Omit<WaitingJob, 'id'> & { readonly text: string }>();
  const lookAgain = setInterval(() => {
    for (const [id, { userId, needs }] of told) notice({ id, userId, needs }).catch(parts.onError);
  }, LOOK_AGAIN_MS);
  lookAgain.unref();

  async function notice({ id: jobId, userId, needs }: WaitingJob): Promise<void> {
    if (!parts.hasListeners(userId)) return;
    if ((await parts.statusOf(userId, jobId)) !== 'pending') {
      told.delete(jobId);
      return;
    }
    const [{ running }, limit] = await Promise.all([parts.countsOf(userId), parts.limitOf(userId)]);
    // The editor takes "Waiting for a machine" for "almost ready", which a job in line is not.
    const text =
      running >= limit
        ? `Waiting for your other jobs: ${limit === 1 ? 'one runs' : `${limit} run`} at a time.`
        : ((await parts.whatIsMissing(needs)) ?? 'Waiting for a free machine.');
    if (told.get(jobId)?.text === text) return;
    if (told.size < MAX_TOLD) told.set(jobId, { userId, needs, text });
    parts.notify(userId, jobId, text);
  }

  function noticeDue(): void {
    timer = undefined;
    const now = performance.now();
    for (const [id, { userId, needs, dueAt }] of waiting) {
      if (dueAt > now) {
        startTimer(dueAt - now);
        return;
      }
      waiting.delete(id);
      notice({ id, userId, needs }).catch(parts.onError);
    }
  }

  function startTimer(ms: number): void {
    timer = setTimeout(noticeDue, ms);
    timer.unref();
  }

  return {
    accepted({ id, userId, needs }) {
      waiting.set(id, { userId, needs, dueAt: performance.now() + NOTICE_MS });
      if (!timer) startTimer(NOTICE_MS);
    },
    started(jobId) {
      waiting.delete(jobId);
      told.delete(jobId);
    },
    close() {
      clearTimeout(timer);
      clearInterval(lookAgain);
      waiting.clear();
    },
  };
}
