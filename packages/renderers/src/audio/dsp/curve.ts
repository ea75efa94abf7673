import type { Random } from './random.ts';
import { CONTROL_STEP, SAMPLE_RATE } from './sample-rate.ts';

/** A number that changes with the time in seconds. */
export type Curve = (seconds: number) => number;

/** A smooth walk between `low` and `high` that turns about `rate` times a second. */
export function wander(
  random: Random,
  { seconds, rate, low, high }: { seconds: number; rate: number; low: number; high: number },
): Curve {
  const points = Float64Array.from({ length: Math.ceil(seconds * rate) + 5 }, () => random());
  return (at) => {
    const place = Math.max(0, at) * rate;
    const index = Math.min(Math.floor(place), points.length - 4);
    const part = Math.min(place - index, 1);
    const rest = 1 - part;
    const square = part * part;
    const cube = square * part;
    // A cubic B-spline never leaves the range of its points.
    const value =
      ((points[index] ?? 0) * rest * rest * rest +
        (points[index + 1] ?? 0) * (3 * cube - 6 * square + 4) +
        (points[index + 2] ?? 0) * (-3 * cube + 3 * square + 3 * part + 1) +
        (points[index + 3] ?? 0) * cube) /
      6;
    // The spline stays near the middle: stretch it to use the range.
    const wide = Math.min(1, Math.max(0, 0.5 + (value - 0.5) * 1.9));
    return low + (high - low) * wide;
  };
}

/** Multiplies the samples by the curve, in place. */
export function shape(samples: Float32Array, curve: Curve): Float32Array {
  let gain = curve(0);
  for (let start = 0; start < samples.length; start += CONTROL_STEP) {
    const end = Math.min(start + CONTROL_STEP, samples.length);
    const step = (curve((start + CONTROL_STEP) / SAMPLE_RATE) - gain) / CONTROL_STEP;
    for (let n = start; n < end; n += 1) {
      samples[n] = (samples[n] ?? 0) * gain;
      gain += step;
    }
  }
  return samples;
}

/** From 0 to 1 between the two moments, without corners. */
export function smoothStep(from: number, to: number, at: number): number {
  const part = Math.min(1, Math.max(0, (at - from) / (to - from)));
  return part * part * (3 - 2 * part);
}
