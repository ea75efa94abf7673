import type { PlaceInLine } from './jobs.repo.ts';

/**
 * Estimates when a waiting job starts: each job of its owner is assumed to take the median time, and the next one starts when one ends.
 * A job that has already run for longer is assumed to be half done. `undefined` when no job of the owner runs or was ever completed,
 * because the result would be a guess.
 */
export function estimateStart({ position, runningSince, recentMs }: PlaceInLine, now: number) {
  const medianMs = median(recentMs);
  const running = runningSince.length;
  if (medianMs === undefined || running === 0) return undefined;
  const remaining = runningSince
    .map((since) => (now - since < medianMs ? since + medianMs - now : now - since))
    .toSorted((left, right) => left - right);
  const rounds = Math.floor((position - 1) / running);
  const startInMs = (remaining[(position - 1) % running] ?? 0) + rounds * medianMs;
  return { startInMs, recentJobs: recentMs.length, medianMs, running };
}

function median(values: readonly number[]): number | undefined {
  return values.toSorted((left, right) => left - right)[values.length >> 1];
}
