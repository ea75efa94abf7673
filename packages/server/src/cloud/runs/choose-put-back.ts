import type { WaitingLine } from '../queue/job-queue.ts';

export interface RunningJob {
  readonly userId: string;
  readonly startedAt: number;
  readonly putBacks: number;
}

interface Situation<Job extends RunningJob> {
  readonly lanes: number;
  readonly running: readonly Job[];
  readonly waiting: readonly WaitingLine[];
  readonly sliceMs: number;
  readonly now: number;
}

/**
 * Chooses the job that makes room when all lanes are busy and an account has waited for longer than a time slice. It belongs to the
 * account with the most lanes, if that has all of them or at least two more than the one that waits, and it is the one begun last, so
 * that the least work is lost. A job runs for its slice first, which doubles each time it is put back, so every job ends.
 */
export function choosePutBack<Job extends RunningJob>(situation: Situation<Job>): Job | undefined {
  const { lanes, running, waiting, sliceMs, now } = situation;
  if (running.length < lanes) return undefined;
  const jobsOf = Map.groupBy(running, ({ userId }) => userId);
  const held = (userId: string): number => jobsOf.get(userId)?.length ?? 0;
  const starved = waiting.filter(({ since }) => now - since >= sliceMs);
  const gives = (userId: string): boolean =>
    starved.some(
      (other) =>
        other.userId !== userId && (held(userId) === lanes || held(userId) >= held(other.userId) + 2),
    );
  return [...jobsOf]
    .filter(([userId]) => gives(userId))
    .toSorted(([, some], [, others]) => others.length - some.length)
    .flatMap(([, jobs]) => jobs.toSorted((one, other) => other.startedAt - one.startedAt))
    .find(({ startedAt, putBacks }) => now - startedAt >= sliceMs * 2 ** putBacks);
}
