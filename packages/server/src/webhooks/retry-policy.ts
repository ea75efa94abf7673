import { readRetryAfter } from '../platform/net/retry-after.ts';

const SECOND_MS = 1000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** The delays after the first failure, the second and so on. After the last one the delivery is given up. */
export const RETRY_DELAYS_MS = [
  5 * SECOND_MS,
  30 * SECOND_MS,
  5 * MINUTE_MS,
  30 * MINUTE_MS,
  2 * HOUR_MS,
  5 * HOUR_MS,
  10 * HOUR_MS,
  10 * HOUR_MS,
] as const;

const JITTER = 0.1;
const MAX_RETRY_AFTER_MS = 24 * HOUR_MS;
const GONE = 410;

export type Outcome =
  | { readonly kind: 'answered'; readonly status: number; readonly retryAfter?: string | undefined }
  | { readonly kind: 'failed'; readonly error: string }
  /** Ended by this server, so it says nothing about the receiver. */
  | { readonly kind: 'called_off' };

export type RetryDecision =
  | { readonly status: 'delivered' }
  | { readonly status: 'failed' }
  | { readonly status: 'pending'; readonly dueAt: number; readonly counts: boolean };

interface Situation {
  /** Failed tries before this one. */
  readonly failures: number;
  readonly now: number;
  readonly random: number;
}

export function classifyTry(outcome: Outcome, { failures, now, random }: Situation): RetryDecision {
  if (outcome.kind === 'called_off') return { status: 'pending', dueAt: now, counts: false };
  if (outcome.kind === 'answered') {
    if (outcome.status >= 200 && outcome.status < 300) return { status: 'delivered' };
    if (outcome.status === GONE) return { status: 'failed' };
  }
  const delay = RETRY_DELAYS_MS[failures];
  if (delay === undefined) return { status: 'failed' };
  const jittered = Math.round(delay * (1 + JITTER * (2 * random - 1)));
  const asked = outcome.kind === 'answered' ? outcome.retryAfter : undefined;
  const askedMs = readRetryAfter(asked, { now, maxMs: MAX_RETRY_AFTER_MS }) ?? 0;
  return { status: 'pending', dueAt: now + Math.max(jittered, askedMs), counts: true };
}
