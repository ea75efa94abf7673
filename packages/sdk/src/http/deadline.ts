import { TimeoutError } from '../errors.ts';

/** A signal that aborts when the caller's does, or when nothing has happened for the given time. */
export function createDeadline(ms: number, signal?: AbortSignal) {
  const controller = new AbortController();
  const onAbort = (): void => controller.abort(signal?.reason);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const touch = (): void => {
    clearTimeout(timer);
    timer = setTimeout(() => controller.abort(new TimeoutError(ms)), ms);
  };
  if (signal?.aborted) onAbort();
  else signal?.addEventListener('abort', onAbort, { once: true });
  touch();
  return {
    signal: controller.signal,
    /** Something has happened: restarts the timer. */
    touch,
    end(): void {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}

/** Waits. Rejects with the reason of the signal when it aborts. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted();
  await new Promise<void>((resolve, reject) => {
    const onAbort = (): void => {
      clearTimeout(timer);
      reject(signal?.reason as Error);
    };
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', onAbort);
      resolve();
    }, ms);
    signal?.addEventListener('abort', onAbort, { once: true });
  });
}
