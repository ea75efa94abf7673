import type { Clock } from './clock.ts';

const LOOK_MS = 1000;

interface Parts {
  readonly clock: Clock;
  /** Longer than this is away. */
  readonly awayMs: number;
  /** Called before `isBack` returns. */
  readonly onBack: () => void;
}

/**
 * Notices that this process stood still: it was stopped, its machine slept, or its event loop was blocked. By the clock that leases
 * run by, which goes on while a machine sleeps.
 */
export function createAwayWatch({ clock, awayMs, onBack }: Parts) {
  let seenAt = clock();
  let timer: NodeJS.Timeout | undefined;

  const isBack = (): boolean => {
    const now = clock();
    const wasAway = now - seenAt > awayMs;
    seenAt = now;
    if (wasAway) onBack();
    return wasAway;
  };

  return {
    /**
     * True when it has just come back, once. Asked before anything is said that may have become wrong meanwhile: after a standstill,
     * sockets and threads may be heard before any timer.
     */
    isBack,
    start(): void {
      seenAt = clock();
      timer = setInterval(isBack, LOOK_MS).unref();
    },
    close: (): void => clearInterval(timer),
  };
}
