import { percentile } from './median.ts';
import type { Sample } from './row.ts';

/** From how long each piece of work took, and how long all of them took together. */
export function toSample(timesMs: readonly number[], spanMs: number): Sample {
  const sorted = Float64Array.from(timesMs).sort();
  return {
    count: timesMs.length,
    rate: (timesMs.length / spanMs) * 1000,
    p50Ms: percentile(sorted, 50),
    p99Ms: percentile(sorted, 99),
  };
}
