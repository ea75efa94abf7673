import type { FairSemaphore } from '../../platform/fair-semaphore.ts';

/** Who wants it, and until when. */
export interface Want {
  readonly account: string;
  readonly signal: AbortSignal;
}

interface Shared {
  wanted: number;
  /** Fires when one of those who want it has the turn: the others leave the line. */
  readonly begun: AbortController;
  readonly done: PromiseWithResolvers<void>;
}

export type SharedWork = ReturnType<typeof createSharedWork>;

/**
 * Work that several may want at once is done once for all of them, at the first turn that one of their accounts has.
 * What nobody wants any more when its turn comes is not begun.
 */
export function createSharedWork(turns: FairSemaphore) {
  const open = new Map<string, Shared>();

  function close(key: string, shared: Shared): void {
    if (open.get(key) === shared) open.delete(key);
  }

  async function takeTurn(key: string, shared: Shared, want: Want, work: () => Promise<void>): Promise<void> {
    const { begun, done } = shared;
    const signal = AbortSignal.any([want.signal, begun.signal]);
    const release = await turns.acquire(want.account, signal).catch(() => undefined);
    if (!release) return;
    if (!begun.signal.aborted && shared.wanted > 0) {
      begun.abort();
      await work().then(done.resolve, done.reject);
      close(key, shared);
    }
    release();
  }

  return async (key: string, want: Want, work: () => Promise<void>): Promise<void> => {
    const { signal } = want;
    signal.throwIfAborted();
    const shared = open.get(key) ?? {
      wanted: 0,
      begun: new AbortController(),
      done: Promise.withResolvers<void>(),
    };
    open.set(key, shared);
    shared.wanted += 1;
    const gone = Promise.withResolvers<never>();
    const leave = (): void => {
      shared.wanted -= 1;
      if (shared.wanted === 0 && !shared.begun.signal.aborted) close(key, shared);
      gone.reject(signal.reason);
    };
    signal.addEventListener('abort', leave, { once: true });
    if (!shared.begun.signal.aborted) void takeTurn(key, shared, want, work);
    try {
      await Promise.race([shared.done.promise, gone.promise]);
    } finally {
      signal.removeEventListener('abort', leave);
    }
  };
}
