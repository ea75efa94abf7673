import type { Clock } from './clock.ts';

const POLL_MS = 1000;

interface Parts {
  readonly clock: Clock;
  /** A longer gap counts as a stall. */
  readonly stallMs: number;
  /** Called before `hasResumed` returns. */
  readonly onResume: () => void;
}

/**
 * Detects that this process stalled: it was suspended, its machine slept, or its event loop was blocked. Uses the clock of
 * leases, which does not stop while the machine sleeps.
 */
export function createStallDetector({ clock, stallMs, onResume }: Parts) {
  let seenAt = clock();
  let timer: NodeJS.Timeout | undefined;

  const hasResumed = (): boolean => {
    const now = clock();
    const hasStalled = now - seenAt > stallMs;
    seenAt = now;
    if (hasStalled) onResume();
    return hasStalled;
  };

  return {
    /** True once after a stall. Checked before sending what may be stale: after a stall, sockets may fire before timers. */
    hasResumed,
    start(): void {
      seenAt = clock();
      timer = setInterval(hasResumed, POLL_MS).unref();
    },
    close: (): void => clearInterval(timer),
  };
}
