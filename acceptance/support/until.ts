import { PATIENCE_MS } from '@atelier/testing';

const STEP_MS = 10;

/** Waits until `find` finds something, and returns it. */
export async function until<T>(
  what: string,
  find: () => T | undefined | false | Promise<T | undefined | false>,
  deadlineMs = PATIENCE_MS,
): Promise<T> {
  const deadline = AbortSignal.timeout(deadlineMs);
  for (;;) {
    const found = await find();
    if (found !== undefined && found !== false) return found;
    if (deadline.aborted) throw new Error(`waited in vain for ${what}`);
    await new Promise((resolve) => setTimeout(resolve, STEP_MS));
  }
}
