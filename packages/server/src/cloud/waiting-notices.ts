import type { QueueCounts } from './queue/job-queue.ts';

/** How long a job waits before its owner is told why. */
const NOTICE_MS = 1000;
/** Jobs that become due within this time are looked up together. */
const GATHER_MS = 250;
/** How often to check whether the reason has changed. */
const LOOK_AGAIN_MS = 15_000;
const MAX_TOLD = 10_000;

interface Parts {
  /** The ids of those jobs of the user that still wait. */
  readonly waitingOf: (userId: string, jobIds: readonly string[]) => Promise<readonly string[]>;
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly limitOf: (userId: string) => Promise<number>;
  /** A sentence about what such a job needs and no worker has. */
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

/** Tells the owners of jobs that have waited for a second why they wait. */
export function createWaitingNotices(parts: Parts) {
  /** In order of arrival, so the first one is due first. */
  const waiting = new Map<string, Omit<WaitingJob, 'id'> & { readonly dueAt: number }>();
  /** One timer for the first job: a timer for each would cost more than everything else here. */
  let timer: NodeJS.Timeout | undefined;

  /** The last notice about each job that still waits. */
  const told = new Map<string, Omit<WaitingJob, 'id'> & { readonly text: string }>();
  const lookAgain = setInterval(() => {
    notice([...told].map(([id, { userId, needs }]) => ({ id, userId, needs })));
  }, LOOK_AGAIN_MS);
  lookAgain.unref();

  function notice(jobs: readonly WaitingJob[]): void {
    for (const [userId, own] of Map.groupBy(jobs, (job) => job.userId)) {
      if (parts.hasListeners(userId)) noticeUser(userId, own).catch(parts.onError);
    }
  }

  async function noticeUser(userId: string, jobs: readonly WaitingJob[]): Promise<void> {
    const ids = jobs.map(({ id }) => id);
    const stillWaiting = new Set(await parts.waitingOf(userId, ids));
    for (const id of ids) if (!stillWaiting.has(id)) told.delete(id);
    if (stillWaiting.size === 0) return;
    const [{ running }, limit] = await Promise.all([parts.countsOf(userId), parts.limitOf(userId)]);
    const isOwn = running >= limit;
    for (const { id, needs } of jobs.filter((job) => stillWaiting.has(job.id))) {
      // The editor shows "Waiting for a machine" as "almost ready", which would be wrong for a job in the queue.
      const text = isOwn
        ? `Waiting for your other jobs: ${limit === 1 ? 'one runs' : `${limit} run`} at a time.`
        : ((await parts.whatIsMissing(needs)) ?? 'Waiting for a free machine.');
      if (told.get(id)?.text === text) continue;
      if (told.size < MAX_TOLD) told.set(id, { userId, needs, text });
      parts.notify(userId, id, text);
    }
  }

  function noticeDue(): void {
    timer = undefined;
    const now = performance.now();
    const due: WaitingJob[] = [];
    for (const [id, { userId, needs, dueAt }] of waiting) {
      if (dueAt > now) {
        startTimer(dueAt - now);
        break;
      }
      waiting.delete(id);
      due.push({ id, userId, needs });
    }
    notice(due);
  }

  function startTimer(ms: number): void {
    timer = setTimeout(noticeDue, ms + GATHER_MS);
    timer.unref();
  }

  return {
    accepted({ id, userId, needs }: WaitingJob): void {
      waiting.set(id, { userId, needs, dueAt: performance.now() + NOTICE_MS });
      if (!timer) startTimer(NOTICE_MS);
    },
    started(jobId: string): void {
      waiting.delete(jobId);
      told.delete(jobId);
    },
    close(): void {
      clearTimeout(timer);
      clearInterval(lookAgain);
      waiting.clear();
    },
  };
}
