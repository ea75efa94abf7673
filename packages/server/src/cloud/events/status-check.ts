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

/** Counts of two servers may overtake each other on their way. A moment later the row says which is right. */
export function createStatusCheck({ countsOf, isHeard, tell, onError }: Parts) {
  const pending = new Map<string, { timer: NodeJS.Timeout; last: string | undefined }>();

  /** What the watchers here were told last may be old. */
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
      // Something was told while the row was read, and nobody knows which of them is newer.
      if (entry && entry.last !== before) recheck(userId);
    }
  }

  return {
    /** Notes what the watchers on this server were sent. */
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
