import { setTimeout as rest, setImmediate as turn } from 'node:timers/promises';

const MAX_REST_MS = 100;

/** Repeats `slice` until it returns false, and yields to the event loop in between: SQLite never does by itself. */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  while (await slice()) await turn();
}

/**
 * The same for deleting and tidying, which may take minutes: it rests after each slice for as long as the slice took, so
 * that it uses at most half of the event loop, or of PostgreSQL. The signal ends it after a slice.
 */
export async function inRestedSlices(slice: () => Promise<boolean>, signal?: AbortSignal): Promise<void> {
  for (;;) {
    const begin = performance.now();
    if (!(await slice()) || signal?.aborted) return;
    await rest(Math.min(performance.now() - begin, MAX_REST_MS));
  }
}
