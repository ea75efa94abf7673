import { CONCURRENT_JOBS } from '@atelier/contracts';

import type { SubscriptionRow } from '../../platform/db/schema/accounts.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { findSubscription } from './subscriptions.repo.ts';

/** How many jobs run at once under a subscription; none when it is not active. */
export function concurrentJobs(
  { tier, status, period_end: end }: Pick<SubscriptionRow, 'tier' | 'status' | 'period_end'>,
  now: number,
): number {
  return status === 'active' && (end === null || end > now) ? CONCURRENT_JOBS[tier] : 0;
}

export type Subscriptions = ReturnType<typeof createSubscriptions>;

interface Parts extends ServiceParts {
  /** Called when the number of jobs that a user may run at once may have changed. */
  readonly onLimit: (userId: string, limit: number) => Promise<void>;
}

export function createSubscriptions({ db, clock, onLimit }: Parts) {
  const limitOf = async (userId: string): Promise<number> => {
    const row = await findSubscription(db, userId);
    return row && row.user_status === 'active' ? concurrentJobs(row, clock()) : 0;
  };
  return {
    limitOf,
    changed: async (userId: string): Promise<void> => await onLimit(userId, await limitOf(userId)),
  };
}
