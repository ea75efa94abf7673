import { setImmediate } from 'node:timers/promises';
import type { Pace, Work } from './ffmpeg.ts';

const SLICE_MS = 15;

/** Lets the event loop run every few milliseconds, and ends the loop of a cancelled job. */
export function pacer({ checkpoint }: Pick<Work, 'checkpoint'>): Pace {
  let since = performance.now();
  return () => {
    checkpoint();
    if (performance.now() - since < SLICE_MS) return undefined;
    return setImmediate().then(() => {
      since = performance.now();
      checkpoint();
    });
  };
}
