import type { Release } from './semaphore.ts';

export type FairSemaphore = ReturnType<typeof createFairSemaphore>;

/**
 * At most `places` holders at a time. Accounts take turns, however much each has waiting: the next place goes to the
 * account that holds the fewest, and among those to the one whose last turn is the longest ago.
 */
export function createFairSemaphore(places: number) {
  /** Waiting calls by account; the account whose last turn is the longest ago comes first. */
  const waiting = new Map<string, Set<() => void>>();
  const held = new Map<string, number>();
  let free = places;

  const heldBy = (account: string): number => held.get(account) ?? 0;

  function fill(): void {
    while (free > 0 && waiting.size > 0) {
      const account = waiting.keys().reduce((next, each) => (heldBy(each) < heldBy(next) ? each : next));
      const [begin] = waiting.get(account) ?? [];
      if (!begin) return;
      leave(account, begin);
      free -= 1;
      held.set(account, heldBy(account) + 1);
      begin();
    }
  }

  function leave(account: string, begin: () => void): void {
    const queue = waiting.get(account);
    queue?.delete(begin);
    if (queue?.size === 0) waiting.delete(account);
  }

  function releaseOnce(account: string): Release {
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      free += 1;
      if (heldBy(account) > 1) held.set(account, heldBy(account) - 1);
      else held.delete(account);
      const queue = waiting.get(account);
      if (queue && waiting.delete(account)) waiting.set(account, queue);
      fill();
    };
  }

  return {
    /** Resolves when it is this account's turn, or rejects when the signal aborts first. */
    async acquire(account: string, signal?: AbortSignal): Promise<Release> {
      signal?.throwIfAborted();
      const { promise, resolve, reject } = Promise.withResolvers<void>();
      waiting.getOrInsertComputed(account, () => new Set()).add(resolve);
      const onAbort = (): void => {
        leave(account, resolve);
        reject(signal?.reason);
      };
      signal?.addEventListener('abort', onAbort, { once: true });
      fill();
      try {
        await promise;
      } finally {
        signal?.removeEventListener('abort', onAbort);
      }
      return releaseOnce(account);
    },
  };
}
