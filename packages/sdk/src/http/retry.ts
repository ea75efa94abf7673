import { AtelierError } from '../errors.ts';
import { sleep } from './deadline.ts';

const FIRST_MS = 500;
const LONGEST_MS = 8000;
/** A server that asks for a longer pause is not waited for: the call fails. */
const LONGEST_ASKED_MS = 60_000;

/** The pause before a repetition: growing, and spread so that many clients do not come back at once. */
export function pauseBefore(repetition: number, error: unknown, random = Math.random): number {
  const asked = error instanceof AtelierError ? error.retryAfterMs : undefined;
  const longest = Math.min(LONGEST_MS, FIRST_MS * 2 ** repetition);
  return Math.max(asked ?? 0, longest / 2 + (random() * longest) / 2);
}

interface RetryOptions {
  readonly retries: number;
  readonly signal?: AbortSignal | undefined;
  /** Whether a repetition after this does no harm. */
  readonly isSafe: (error: AtelierError) => boolean;
  /** Whether it goes on although all retries are used; by for how long it has failed. */
  readonly isAwaited?: (error: AtelierError, failingMs: number) => boolean;
}

export async function withRetries<T>(
  work: (attempt: number) => Promise<T>,
  { retries, signal, isSafe, isAwaited }: RetryOptions,
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
        (attempt < retries || isAwaited?.(error, performance.now() - failedAt) === true) &&
        error.isRetryable &&
        (error.retryAfterMs ?? 0) <= LONGEST_ASKED_MS &&
        isSafe(error);
      if (!mayRepeat) throw error;
      await sleep(pauseBefore(attempt, error), signal);
    }
  }
}
