import { createHash } from 'node:crypto';
import { sql } from 'kysely';

import type { Db } from '../platform/db/database.ts';
import type { WebhookEndpointRow } from '../platform/db/schema/webhooks.ts';

type EndpointFailure = Pick<WebhookEndpointRow, 'id' | 'user_id' | 'url' | 'last_error'>;

interface Patience {
  readonly now: number;
  /** An endpoint that has failed since before this time is paused. */
  readonly pauseBefore: number;
  /** When its last failure is older than this, a new series of failures begins. */
  readonly seriesSince: number;
}

/** Longer ones are not names that a resolver knows. */
const MAX_HOST_LENGTH = 260;

/** The receiver that a URL of an account belongs to. The query does not make it another one. */
export function endpointOf(userId: string, { origin, pathname, host }: URL) {
  const url = `${origin}${pathname}`;
  const id = createHash('sha256').update(`${userId}\n${url}`).digest('base64url').slice(0, 22);
  return { id, url, host: host.slice(0, MAX_HOST_LENGTH) };
}

/** Records that a try failed. True when the endpoint is paused, now or already. Locks its row. */
export async function noteFailure(tx: Db, failure: EndpointFailure, patience: Patience): Promise<boolean> {
  const { now, pauseBefore, seriesSince } = patience;
  const known = sql.table('webhook_endpoints');
  const row = await tx
    .insertInto('webhook_endpoints')
    .values({ ...failure, failing_since: now, last_failed_at: now, paused_at: null })
    .onConflict((conflict) =>
      conflict.column('id').doUpdateSet({
        failing_since: sql`case when ${known}.last_failed_at < ${seriesSince} then ${now}
          else ${known}.failing_since end`,
        paused_at: sql`case when ${known}.paused_at is null and ${known}.last_failed_at >= ${seriesSince}
          and ${known}.failing_since <= ${pauseBefore} then ${now} else ${known}.paused_at end`,
        last_failed_at: now,
        last_error: failure.last_error,
      }),
    )
    .returning('paused_at')
    .executeTakeFirstOrThrow();
  return row.paused_at !== null;
}

/** Endpoints that answer again. A paused one stays paused: its owner has to know that messages were held back. */
export async function forgetFailures(tx: Db, ids: readonly string[]): Promise<void> {
  await tx.deleteFrom('webhook_endpoints').where('id', 'in', ids).where('paused_at', 'is', null).execute();
}

export async function listPaused(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('webhook_endpoints')
    .select('id')
    .where('id', 'in', ids)
    .where('paused_at', 'is not', null)
    .execute();
  return rows.map((row) => row.id);
}

/** As `listPaused`, and locks the rows, so that nobody resumes them before the transaction ends. */
export async function lockPaused(tx: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .updateTable('webhook_endpoints')
    .set((eb) => ({ paused_at: eb.ref('paused_at') }))
    .where('id', 'in', ids)
    .where('paused_at', 'is not', null)
    .returning('id')
    .execute();
  return rows.map((row) => row.id);
}

/** False when the endpoint is not paused. Locks its row. */
export async function resumeEndpoint(tx: Db, userId: string, id: string, now: number): Promise<boolean> {
  const result = await tx
    .updateTable('webhook_endpoints')
    .set({ paused_at: null, failing_since: now })
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .where('paused_at', 'is not', null)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

export async function findEndpoint(db: Db, userId: string, id: string) {
  return await db
    .selectFrom('webhook_endpoints')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

/** Of one user, or of all. The latest failure comes first. */
export async function listEndpoints(
  db: Db,
  { userId, limit }: { readonly userId?: string; readonly limit: number },
): Promise<WebhookEndpointRow[]> {
  let query = db.selectFrom('webhook_endpoints').selectAll().orderBy('last_failed_at', 'desc').limit(limit);
  if (userId !== undefined) query = query.where('user_id', '=', userId);
  return await query.execute();
}

/** Forgets endpoints that have not failed for long, unless a delivery waits for one to be resumed. */
export async function deleteEndpointsBefore(db: Db, time: number): Promise<void> {
  await db
    .deleteFrom('webhook_endpoints')
    .where('last_failed_at', '<', time)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('webhook_deliveries')
            .select('seq')
            .whereRef('webhook_deliveries.endpoint_id', '=', 'webhook_endpoints.id')
            .where('webhook_deliveries.status', '=', 'paused'),
        ),
      ),
    )
    .execute();
}

export async function deleteEndpointsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('webhook_endpoints').where('user_id', '=', userId).execute();
}
