import type { Db } from '../platform/db/database.ts';
import type { SubscriptionRow } from '../platform/db/schema/accounts.ts';

export async function putSubscription(db: Db, subscription: SubscriptionRow): Promise<void> {
  const { user_id: _key, ...changes } = subscription;
  await db
    .insertInto('subscriptions')
    .values(subscription)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute();
}
