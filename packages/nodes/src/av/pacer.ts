import { setImmediate } from 'node:timers/promises';
import type { Pace, Work } from './ffmpeg.ts';

const SLICE_MS = 15;

/** Lets the event loop run every few milliseconds, and ends the loop of a cancelled job. */
export function pacer({ checkpoint }: Pick<Work, 'checkpoint'>): Pace {
  let since = performance.now();
  async function yieldTurn(): Promise<void> {
    await setImmediate();
    since = performance.now();
    checkpoint();
  }
  return () => {
    checkpoint();
    return performance.now() - since < SLICE_MS ? undefined : yieldTurn();
  };
}
