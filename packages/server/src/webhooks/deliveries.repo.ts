import { type Insertable, type Selectable, sql } from 'kysely';

import { type Db, engineOf } from '../platform/db/database.ts';
import type { DeliveryStatus, WebhookDeliveryRow } from '../platform/db/schema/webhooks.ts';
import { sourcesOf } from '../platform/transitions.ts';
import { DELIVERY_TRANSITIONS } from './deliveries.state.ts';

export type DeliveryRow = Selectable<WebhookDeliveryRow>;
/** Without the body, which lists do not need. */
export type ListedDelivery = Omit<DeliveryRow, 'body'>;

const LISTED = [
  'seq',
  'id',
  'user_id',
  'endpoint_id',
  'host',
  'url',
  'subject',
  'type',
  'status',
  'in_order',
  'failures',
  'lease',
  'due_at',
  'created_at',
  'delivered_at',
  'tries',
] as const;

export async function insertDelivery(db: Db, delivery: Insertable<WebhookDeliveryRow>): Promise<void> {
  await db.insertInto('webhook_deliveries').values(delivery).execute();
}

export type DueDelivery = Pick<DeliveryRow, 'seq' | 'host' | 'user_id' | 'subject' | 'in_order' | 'lease'>;

interface DueOptions {
  readonly now: number;
  readonly limit: number;
  readonly exceptHosts: readonly string[];
  readonly exceptUsers: readonly string[];
  readonly exceptPairs: readonly { readonly host: string; readonly userId: string }[];
}

/** Deliveries that are due, the longest waiting first. On PostgreSQL they are locked, and those locked by others are skipped. */
export async function listDue(tx: Db, options: DueOptions): Promise<DueDelivery[]> {
  const { now, limit, exceptHosts, exceptUsers, exceptPairs } = options;
  let query = tx
    .selectFrom('webhook_deliveries')
    .select(['seq', 'host', 'user_id', 'subject', 'in_order', 'lease'])
    .where('status', '=', 'pending')
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .orderBy('seq')
    .limit(limit);
  if (exceptHosts.length > 0) query = query.where('host', 'not in', exceptHosts);
  if (exceptUsers.length > 0) query = query.where('user_id', 'not in', exceptUsers);
  for (const { host, userId } of exceptPairs) {
    query = query.where((eb) => eb.or([eb('host', '!=', host), eb('user_id', '!=', userId)]));
  }
  if (engineOf(tx) === 'postgres') query = query.forUpdate().skipLocked();
  return await query.execute();
}

/** The first open delivery of each subject. Only that one may be sent. */
export async function listFirstOf(tx: Db, subjects: readonly string[]) {
  return await tx
    .selectFrom('webhook_deliveries')
    .select((eb) => ['user_id', 'subject', eb.fn.min('seq').as('seq')])
    .where('subject', 'in', subjects)
    .where('status', 'in', ['pending', 'paused'])
    .where('in_order', '=', 1)
    .groupBy(['user_id', 'subject'])
    .execute();
}

/** Locks those that have not ended. Skips those that another server is changing right now, because they may be ending. */
export async function holdPending(tx: Db, seqs: readonly number[]): Promise<DueDelivery['seq'][]> {
  if (engineOf(tx) === 'sqlite') return [...seqs];
  const rows = await tx
    .selectFrom('webhook_deliveries')
    .select('seq')
    .where('seq', 'in', seqs)
    .where('status', 'in', ['pending', 'paused'])
    .forShare()
    .skipLocked()
    .execute();
  return rows.map((row) => row.seq);
}

/** Until then, or until the delivery before them ends. */
export async function putOff(tx: Db, seqs: readonly number[], dueAt: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: dueAt })
    .where('seq', 'in', seqs)
    .where('status', '=', 'pending')
    .where('lease', 'is', null)
    .execute();
}

export async function leaseDeliveries(
  tx: Db,
  seqs: readonly number[],
  { lease, leaseUntil }: { lease: string; leaseUntil: number },
): Promise<DeliveryRow[]> {
  return await tx
    .updateTable('webhook_deliveries')
    .set({ lease, due_at: leaseUntil })
    .where('seq', 'in', seqs)
    .where('status', '=', 'pending')
    .returningAll()
    .execute();
}

/** For a database with one server, which has just started: no lease has a holder. */
export async function endAllLeases(db: Db, now: number): Promise<void> {
  await db
    .updateTable('webhook_deliveries')
    .set({ due_at: now })
    .where('status', '=', 'pending')
    .where('lease', 'is not', null)
    .where('due_at', '>', now)
    .execute();
}

interface Held {
  readonly seq: number;
  readonly lease: string;
}

type FailedTry = Pick<DeliveryRow, 'failures' | 'due_at' | 'tries'> & {
  readonly status: 'pending' | 'failed';
};

/** False when the lease is lost, because another server tries or the delivery was deleted. */
export async function endFailedTry(tx: Db, { seq, lease }: Held, end: FailedTry): Promise<boolean> {
  const result = await tx
    .updateTable('webhook_deliveries')
    .set({ ...end, lease: null })
    .where('seq', '=', seq)
    .where('lease', '=', lease)
    .where('status', 'in', sourcesOf(DELIVERY_TRANSITIONS, end.status))
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Ends all that arrived at once. Returns those whose lease was still held. */
export async function endDelivered(
  tx: Db,
  delivered: readonly (Held & { readonly tries: string })[],
  now: number,
): Promise<number[]> {
  const rows = await tx
    .updateTable('webhook_deliveries')
    .set({
      status: 'delivered',
      delivered_at: now,
      due_at: now,
      lease: null,
      tries: sql<string>`case seq ${sql.join(
        delivered.map(({ seq, tries }) => sql`when ${seq} then ${tries}`),
        sql` `,
      )} end`,
    })
    .where(
      'seq',
      'in',
      delivered.map(({ seq }) => seq),
    )
    .where('lease', 'in', [...new Set(delivered.map(({ lease }) => lease))])
    .where('status', 'in', sourcesOf(DELIVERY_TRANSITIONS, 'delivered'))
    .returning('seq')
    .execute();
  return rows.map((row) => row.seq);
}

/** Called when the delivery before them has ended. */
export async function bringForward(tx: Db, subjects: readonly string[], now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ due_at: now })
    .where('subject', 'in', subjects)
    .where('status', '=', 'pending')
    .where('in_order', '=', 1)
    .where('lease', 'is', null)
    .execute();
}

/** Pauses deliveries under `lease`, or with `null` those that are not under way. Those under way are held when they are claimed again. */
export async function pauseDeliveries(tx: Db, endpointIds: readonly string[], lease: string | null) {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'paused', lease: null })
    .where('endpoint_id', 'in', endpointIds)
    .where('status', 'in', sourcesOf(DELIVERY_TRANSITIONS, 'paused'))
    .where('lease', lease === null ? 'is' : '=', lease)
    .execute();
}

export async function resumeDeliveries(tx: Db, endpointId: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'pending', failures: 0, due_at: now })
    .where('endpoint_id', '=', endpointId)
    .where('status', '=', 'paused')
    .execute();
}

/** Starts the schedule again. Does not touch a delivery under way. */
export async function redeliver(tx: Db, seq: number, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set((eb) => ({
      status: 'pending',
      failures: 0,
      due_at: now,
      delivered_at: null,
      // A delivery that has ended no longer blocks others.
      in_order: eb
        .case()
        .when('status', 'in', ['delivered', 'failed'])
        .then(0)
        .else(eb.ref('in_order'))
        .end(),
    }))
    .where('seq', '=', seq)
    .where('lease', 'is', null)
    .where('status', 'in', sourcesOf(DELIVERY_TRANSITIONS, 'pending'))
    .execute();
}

export async function findDelivery(db: Db, userId: string, id: string): Promise<DeliveryRow | undefined> {
  return await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
}

interface ListOptions {
  readonly subject?: string | undefined;
  readonly status?: DeliveryStatus | undefined;
  readonly beforeSeq?: number | undefined;
  readonly limit: number;
}

/** Newest first. */
export async function listDeliveries(
  db: Db,
  userId: string,
  { subject, status, beforeSeq, limit }: ListOptions,
): Promise<ListedDelivery[]> {
  let query = db
    .selectFrom('webhook_deliveries')
    .select(LISTED)
    .where('user_id', '=', userId)
    .orderBy('seq', 'desc')
    .limit(limit);
  if (subject !== undefined) query = query.where('subject', '=', subject);
  if (status !== undefined) query = query.where('status', '=', status);
  if (beforeSeq !== undefined) query = query.where('seq', '<', beforeSeq);
  return await query.execute();
}

export async function listDeliveriesAfter(db: Db, userId: string, seq: number, limit: number) {
  return await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('user_id', '=', userId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

/** True when there may be more. */
export async function deleteSomeOf(db: Db, userId: string, limit: number): Promise<boolean> {
  const some = db.selectFrom('webhook_deliveries').select('seq').where('user_id', '=', userId).limit(limit);
  const result = await db.deleteFrom('webhook_deliveries').where('seq', 'in', some).executeTakeFirst();
  return Number(result.numDeletedRows) === limit;
}

/** Deletes the oldest. True when there may be more. */
export async function deleteSomeBefore(db: Db, time: number, limit: number): Promise<boolean> {
  // By the key, which grows with time, because an index only for this would slow down every insert.
  const oldest = await db
    .selectFrom('webhook_deliveries')
    .select(['seq', 'created_at'])
    .orderBy('seq')
    .limit(limit)
    .execute();
  const old = oldest.filter((row) => row.created_at < time).map((row) => row.seq);
  if (old.length === 0) return false;
  await db.deleteFrom('webhook_deliveries').where('seq', 'in', old).execute();
  return old.length === limit;
}

const PENDING = sql.lit('pending' as const);
const PAUSED = sql.lit('paused' as const);

/** Reads only the index `webhook_deliveries_due`. */
export async function countDue(db: Db, now: number): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.count<number>('due_at').as('count'))
    .where('status', '=', PENDING)
    .where('due_at', '<=', now)
    .executeTakeFirstOrThrow();
  return count;
}

/** Paused endpoints with held deliveries. Counted in an index of open deliveries, because endpoints have no index for paused ones. */
export async function countHeldEndpoints(db: Db): Promise<number> {
  const { count } = await db
    .selectFrom('webhook_deliveries')
    .select((eb) => eb.fn.count<number>('endpoint_id').distinct().as('count'))
    // Exactly the condition of the index `webhook_deliveries_by_endpoint`.
    .where('status', 'in', [PENDING, PAUSED])
    .where('status', '=', PAUSED)
    .executeTakeFirstOrThrow();
  return count;
}
