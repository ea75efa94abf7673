import { Interrupted } from '@atelier/engine';

/**
 * Does the work for each index, so many at a time, and gives the results in order. The first failure ends the others
 * through their signal, and is thrown once they have stopped.
 */
export async function sideBySide<T>(
  {
    count,
    atOnce,
    signal,
  }: { readonly count: number; readonly atOnce: number; readonly signal: AbortSignal },
  work: (index: number, signal: AbortSignal) => Promise<T>,
): Promise<readonly T[]> {
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const results: T[] = [];
  let next = 0;

  async function takeTurns(): Promise<void> {
    while (next < count && !either.aborted) {
      const index = next++;
      try {
        results[index] = await work(index, either);
      } catch (error) {
        // The reason stays that of the first.
        failure.abort(error);
        throw failure.signal.reason;
      }
    }
  }

  const turns = Array.from({ length: Math.min(count, atOnce) }, takeTurns);
  await Promise.allSettled(turns);
  await Promise.all(turns);
  if (signal.aborted) throw new Interrupted();
  return results;
}
