import { setImmediate as turn } from 'node:timers/promises';

/**
 * Does long work a slice at a time, as long as `slice` says that there is more, and lets others have their turn between two
 * slices. SQLite waits for nothing, so nobody else would get one.
 */
export async function inSlices(slice: () => Promise<boolean>): Promise<void> {
  while (await slice()) await turn();
}
