import type { Db } from '../../platform/db/database.ts';
import { keepRows } from '../../platform/db/kept-rows.ts';
import { prepareQuery } from '../../platform/db/prepared-query.ts';
import type { SubscriptionRow } from '../../platform/db/schema/accounts.ts';

export async function putSubscription(db: Db, subscription: SubscriptionRow): Promise<void> {
  const { user_id: _key, ...changes } = subscription;
  await db
    .insertInto('subscriptions')
    .values(subscription)
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet(changes))
    .execute();
}

const subscriptionOf = keepRows(
  prepareQuery((db, { userId }: { userId: string }) =>
    db
      .selectFrom('subscriptions')
      .innerJoin('users', 'users.id', 'subscriptions.user_id')
      .selectAll('subscriptions')
      .select('users.status as user_status')
      .where('user_id', '=', userId),
  ),
  { by: 'userId', from: ['subscriptions', 'users'] },
);

export async function findSubscription(db: Db, userId: string) {
  return (await subscriptionOf(db, { userId }))[0];
}
