import { withTransaction } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { insertFailures, nthNewestFailure } from './sign-in.repo.ts';

export const FAILURE_WINDOW_MS = 15 * 60_000;

interface Limit {
  readonly scope: string;
  readonly max: number;
}

/** How often people may be wrong. `sentence` is what those are told who have been wrong too often. */
export function createFailureLimits({ db, clock }: ServiceParts, sentence: string) {
  const refuseWhenLimited = async (limits: readonly Limit[], on = db): Promise<void> => {
    const now = clock();
    for (const { scope, max } of limits) {
      const at = await nthNewestFailure(on, scope, { rank: max, since: now - FAILURE_WINDOW_MS });
      if (at === undefined) continue;
      const retryAfterSeconds = Math.max(1, Math.ceil((at + FAILURE_WINDOW_MS - now) / 1000));
      throw new AppError('auth.too_many_failures', sentence, { retryAfterSeconds });
    }
  };

  return {
    /** Asked before a check and again after a good one, because a flood of guesses passes the first question together. */
    refuseWhenLimited: async (limits: readonly Limit[]): Promise<void> => await refuseWhenLimited(limits),

    /** Counted one after the other, so that of a flood of guesses exactly as many learn something as may. */
    async noteFailure(limits: readonly Limit[], scopes: readonly string[]): Promise<void> {
      await withTransaction(db, async (tx) => {
        for (const scope of scopes) await lockByName(tx, scope);
        await refuseWhenLimited(limits, tx);
        await insertFailures(tx, scopes, clock());
      });
    },
  };
}
