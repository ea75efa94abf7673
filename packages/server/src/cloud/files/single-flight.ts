import type { FairSemaphore } from '../../platform/fair-semaphore.ts';

/** A caller that waits for the work until its signal aborts. */
export interface Waiter {
  readonly account: string;
  readonly signal: AbortSignal;
}

interface Shared {
  waiters: number;
  /** Aborts when the first of the waiters gets its turn: the others leave the queue. */
  readonly begun: AbortController;
  readonly done: PromiseWithResolvers<void>;
}

export type SingleFlight = ReturnType<typeof createSingleFlight>;

/**
 * Concurrent calls with the same key share one run of the work, at the first turn that any of their accounts gets.
 * Work that nobody waits for anymore when its turn comes is not begun.
 */
export function createSingleFlight(turns: FairSemaphore) {
  const open = new Map<string, Shared>();

  function close(key: string, shared: Shared): void {
    if (open.get(key) === shared) open.delete(key);
  }

  async function takeTurn(
    key: string,
    shared: Shared,
    waiter: Waiter,
    work: () => Promise<void>,
  ): Promise<void> {
    const { begun, done } = shared;
    const signal = AbortSignal.any([waiter.signal, begun.signal]);
    const release = await turns.acquire(waiter.account, signal).catch(() => undefined);
    if (!release) return;
    if (!begun.signal.aborted && shared.waiters > 0) {
      begun.abort();
      await work().then(done.resolve, done.reject);
      close(key, shared);
    }
    release();
  }

  return async (key: string, waiter: Waiter, work: () => Promise<void>): Promise<void> => {
    const { signal } = waiter;
    signal.throwIfAborted();
    const shared = open.get(key) ?? {
      waiters: 0,
      begun: new AbortController(),
      done: Promise.withResolvers<void>(),
    };
    open.set(key, shared);
    shared.waiters += 1;
    const gone = Promise.withResolvers<never>();
    const leave = (): void => {
      shared.waiters -= 1;
      if (shared.waiters === 0 && !shared.begun.signal.aborted) close(key, shared);
      gone.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (!shared.begun.signal.aborted) void takeTurn(key, shared, waiter, work);
    try {
      await Promise.race([shared.done.promise, gone.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}
