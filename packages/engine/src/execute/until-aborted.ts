import { Interrupted } from '../node-error.ts';

/** The promise, or `Interrupted` as soon as the signal fires: a wait outside must not hold up a cancel. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // Nobody else hears of a failure that comes after the abort.
  promise.catch(() => {});
  if (signal.aborted) throw new Interrupted();
  const aborted = Promise.withResolvers<never>();
  const stop = (): void => aborted.reject(new Interrupted());
  signal.addEventListener('abort', stop, { once: true });
  try {
    return await Promise.race([promise, aborted.promise]);
  } finally {
    signal.removeEventListener('abort', stop);
  }
}
