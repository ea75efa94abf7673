import { setTimeout as rest, setImmediate as turn } from 'node:timers/promises';

const MAX_REST_MS = 100;

/**
 * Does long work a slice at a time, as long as `slice` says that there is more, and lets others have their turn between two
 * slices. SQLite waits for nothing, so nobody else would get one.
 */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  while (await slice()) await turn();
}

/**
 * The same for deleting and tidying, which may take minutes: it rests after each slice for as long as the slice took, so that half of
 * the event loop, or of PostgreSQL, stays for others. An aborted signal ends it after a slice.
 */
export async function inRestedSlices(slice: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const begin = performance.now();
    if (!(await slice()) || signal?.aborted) return;
    await rest(Math.min(performance.now() - begin, MAX_REST_MS));
  }
}
