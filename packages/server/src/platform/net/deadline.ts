import { OutboundError } from './outbound-error.ts';

export type Deadline = ReturnType<typeof startDeadline>;

interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One signal for "too late" and "called off", whose reason is the error to throw. */
export function startDeadline({ timeoutMs, signal }: DeadlineOptions) {
  const controller = new AbortController();
  const timer = setTimeout(() => {
    controller.abort(new OutboundError('timeout', `There was no complete answer within ${timeoutMs} ms.`));
  }, timeoutMs);
  const onAbort = () => {
    controller.abort(new OutboundError('aborted', 'The request was called off.', { cause: signal?.reason }));
  };
  if (signal?.aborted) onAbort();
  signal?.addEventListener('abort', onAbort, { once: true });
  return {
    signal: controller.signal,
    abort: (error: OutboundError): void => controller.abort(error),
    /** Must be called when the work is over, or the timer and the listener stay. */
    clear: (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
