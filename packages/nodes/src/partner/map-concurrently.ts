import { Interrupted } from '@atelier/engine';

/**
 * Works on each index, a few at a time, and returns the results in order. The first failure aborts the others and is thrown
 * when they have stopped.
 */
export async function mapConcurrently<T>(
  options: { readonly count: number; readonly maxConcurrent: number; readonly signal: AbortSignal },
  work: (index: number, signal: AbortSignal) => Promise<T>,
): Promise<readonly T[]> {
  const { count, maxConcurrent, signal } = options;
  const failure = new AbortController();
  const either = AbortSignal.any([signal, failure.signal]);
  const results: T[] = [];
  let next = 0;

  async function takeNext(): Promise<void> {
    while (next < count && !either.aborted) {
      const index = next++;
      try {
        results[index] = await work(index, either);
      } catch (error) {
        // Later failures do not replace the reason.
        failure.abort(error);
        throw failure.signal.reason;
      }
    }
  }

  const workers = Array.from({ length: Math.min(count, maxConcurrent) }, takeNext);
  await Promise.allSettled(workers);
  await Promise.all(workers);
  if (signal.aborted) throw new Interrupted();
  return results;
}
