import type { PlaceInLine } from './jobs.repo.ts';

/**
 * When a waiting job begins, if its owner's jobs go on as they did: each takes the median, and whenever one ends the next
 * begins. One that has run for longer than that is not a usual one, and is taken to be half way. Nothing is told when nothing of the owner's runs or was ever completed: it would be a guess.
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
