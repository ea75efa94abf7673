import { AtelierError } from '../errors.ts';
import { sleep } from './deadline.ts';

const FIRST_WAIT_MS = 500;
const MAX_WAIT_MS = 8000;
/** If the server asks for a longer pause, the call fails instead. */
const MAX_RETRY_AFTER_MS = 60_000;

/** Exponential back-off with jitter, so that many clients do not come back at the same time. */
export function retryDelay(attempt: number, error: unknown, random = Math.random): number {
  const requested = error instanceof AtelierError ? error.retryAfterMs : undefined;
  const maxWait = Math.min(MAX_WAIT_MS, FIRST_WAIT_MS * 2 ** attempt);
  return Math.max(requested ?? 0, maxWait / 2 + (random() * maxWait) / 2);
}

interface RetryOptions {
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether it is safe to retry after this error. */
  readonly isSafe: (error: AtelierError) => boolean;
  /** Whether to continue after the last retry, given for how long it has been failing. */
  readonly shouldWait?: (error: AtelierError, failingMs: number) => boolean;
}

export async function withRetries<T>(
  work: (attempt: number) => Promise<T>,
  { retries, signal, isSafe, shouldWait }: RetryOptions,
): Promise<T> {
  let failedAt: number | undefined;
  for (let attempt = 0; ; attempt += 1) {
    try {
      return await work(attempt);
    } catch (error) {
      signal?.throwIfAborted();
      failedAt ??= performance.now();
      const mayRepeat =
        error instanceof AtelierError &&
        (attempt < retries || shouldWait?.(error, performance.now() - failedAt) === true) &&
        error.isRetryable &&
        (error.retryAfterMs ?? 0) <= MAX_RETRY_AFTER_MS &&
        isSafe(error);
      if (!mayRepeat) throw error;
      await sleep(retryDelay(attempt, error), signal);
    }
  }
}
