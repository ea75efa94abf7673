import { Interrupted } from '../node-error.ts';

/** Awaits the promise, but throws `Interrupted` as soon as the signal fires. */
export async function untilAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  // A failure after the abort must not become an unhandled rejection.
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
