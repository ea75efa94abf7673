import { OutboundError } from './outbound-error.ts';

export interface Deadline {
  readonly signal: AbortSignal;
  readonly abort: (error: OutboundError) => void;
  /** Must be called when the work is over, or the timer and the listener stay. */
  readonly clear: () => void;
}

interface DeadlineOptions {
  readonly timeoutMs: number;
  readonly signal?: AbortSignal | undefined;
}

/** One signal for "too late" and "called off", whose reason is the error to throw. */
export function startDeadline({ timeoutMs, signal }: DeadlineOptions): Deadline {
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
    abort: (error) => controller.abort(error),
    clear: () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
    },
  };
}
