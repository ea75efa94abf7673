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

/** Limits how often people may be wrong. `sentence` is the message of the refusal. */
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
    /** Called before a check and again after a successful one, because parallel guesses all pass the first call. */
    refuseWhenLimited: async (limits: readonly Limit[]): Promise<void> => await refuseWhenLimited(limits),

    /** Counts failures one at a time, so that parallel guesses cannot exceed the limit. */
    async noteFailure(limits: readonly Limit[], scopes: readonly string[]): Promise<void> {
      await withTransaction(db, async (tx) => {
        for (const scope of scopes) await lockByName(tx, scope);
        await refuseWhenLimited(limits, tx);
        await insertFailures(tx, scopes, clock());
      });
    },
  };
}
