import type { QueueCounts } from '../queue/job-queue.ts';
import { statusEvent } from './messages.ts';
import type { MessageEvent } from './user-event.ts';

const CHECK_MS = 500;

interface Parts {
  readonly countsOf: (userId: string) => Promise<QueueCounts>;
  readonly isHeard: (userId: string) => boolean;
  readonly tell: (userId: string, event: MessageEvent) => void;
  readonly onError: (error: unknown) => void;
}

/** Counts from two servers may arrive in the wrong order. The row, read a moment later, has the right ones. */
export function createStatusCheck({ countsOf, isHeard, tell, onError }: Parts) {
  const pending = new Map<string, { timer: NodeJS.Timeout; last: string | undefined }>();

  /** Checks soon whether the counts sent to the watchers here are still right. */
  function recheck(userId: string): void {
    if (pending.has(userId)) return;
    const timer = setTimeout(() => {
      check(userId).catch(onError);
    }, CHECK_MS).unref();
    pending.set(userId, { timer, last: undefined });
  }

  async function check(userId: string): Promise<void> {
    const entry = pending.get(userId);
    const before = entry?.last;
    try {
      if (!entry || !isHeard(userId)) return;
      const event = statusEvent(await countsOf(userId));
      if (entry.last === before && event.data !== before) tell(userId, event);
    } finally {
      pending.delete(userId);
      // Other counts were sent while the row was read, and it is unknown which are newer.
      if (entry && entry.last !== before) recheck(userId);
    }
  }

  return {
    /** Records the counts that were sent to the watchers on this server. */
    told(userId: string, { data }: MessageEvent): void {
      const entry = pending.get(userId);
      if (entry) entry.last = data;
    },
    recheck,
    close(): void {
      for (const { timer } of pending.values()) clearTimeout(timer);
      pending.clear();
    },
  };
}
