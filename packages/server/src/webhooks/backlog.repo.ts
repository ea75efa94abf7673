import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';

const PENDING = sql.lit('pending' as const);
const PAUSED = sql.lit('paused' as const);

/** Deliveries whose time has come and that nobody has taken yet, from the index `webhook_deliveries_due`. */
export async function countDue(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.count<number>('due_at').as('count'))
    .where('status', '=', PENDING)
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Paused endpoints that a delivery is held for, from an index of open deliveries: endpoints have none of the paused. */
export async function countHeldEndpoints(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.count<number>('endpoint_id').distinct().as('count'))
    // Word for word the condition of the index `webhook_deliveries_by_endpoint`.
    .where('status', 'in', [PENDING, PAUSED])
    .where('status', '=', PAUSED)
    .executeTakeFirstOrThrow();
  return count;
}
