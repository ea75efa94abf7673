import type { Clock } from '../platform/clock.ts';
import { AppError } from '../platform/errors/app-error.ts';

/** Throws when the account has asked too often. */
export type RedeliveryLimit = (userId: string) => void;

const WINDOW_MS = 60_000;

/** So many redeliveries a minute for each account, counted by each server for itself. */
export function createRedeliveryLimit(clock: Clock, max = 60): RedeliveryLimit {
  let startedAt = 0;
  const asked = new Map<string, number>();
  return (userId) => {
    const now = clock();
    if (now - startedAt >= WINDOW_MS) {
      startedAt = now;
      asked.clear();
    }
    const count = asked.get(userId) ?? 0;
    if (count >= max) {
      throw new AppError('webhooks.limit', `At most ${max} redeliveries a minute are made.`, {
        retryAfterSeconds: Math.ceil((startedAt + WINDOW_MS - now) / 1000),
      });
    }
    asked.set(userId, count + 1);
  };
}
