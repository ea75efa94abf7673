import { type Fraction, fraction, roundHalfEven } from '../../values/arithmetic.ts';
import type { VideoWindow } from '../../values/video.ts';

/** The rate of files, to a thousandth. */
export function fileRate(fps: number): Fraction {
  return fraction(Math.max(1, roundHalfEven(fps * 1000)), 1000);
}

/**
 * The pictures inside the window. Times are counted in ticks of the MP4 file that would hold the pictures, so that the same
 * frames are chosen as from that file.
 */
export function framesWithin(
  { count, fps }: { readonly count: number; readonly fps: number },
  window: VideoWindow | null,
): { readonly first: number; readonly count: number } {
  if (!window) return { first: 0, count };
  const { num, den } = fileRate(fps);
  let scale = num;
  while (scale < 10_000) scale *= 2;
  const step = (scale / num) * den;
  const { start, duration } = window;
  const startTick = Math.trunc(start / (1 / scale));
  const endTick = duration > 0 ? Math.trunc((start + duration) / (1 / scale)) : Number.POSITIVE_INFINITY;
  const first = Math.min(count, Math.ceil(startTick / step));
  const end = Math.min(count, Math.ceil(endTick / step));
  return { first, count: Math.max(0, end - first) };
}
