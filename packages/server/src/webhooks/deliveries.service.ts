import type { Delivery, DeliveryPage, DeliveryQuery, DeliveryWithBody } from '@atelier/contracts';

import { type Clock, toIso } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import { AppError, invalid, notFound } from '../platform/errors/app-error.ts';
import { newId } from '../platform/ids.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import * as repo from './deliveries.repo.ts';
import { endpointOf, resumeEndpoint } from './endpoints.repo.ts';
import { readTries } from './record-tries.ts';

export interface NewDelivery {
  readonly userId: string;
  /** Checked by `assertUrl`. */
  readonly url: string;
  /** Such as `job:<id>`. Deliveries of one subject are sent in order. */
  readonly subject: string;
  /** Such as `job.completed`. */
  readonly type: string;
  readonly body: string;
}

interface Parts extends ServiceParts {
  readonly redeliveriesPerMinute?: number | undefined;
  readonly wake: () => void;
}

const WINDOW_MS = 60_000;

export type DeliveriesService = ReturnType<typeof createDeliveriesService>;

export function createDeliveriesService({ db, clock, redeliveriesPerMinute = 60, wake }: Parts) {
  const assertMayRedeliver = createRedeliveryLimit(clock, redeliveriesPerMinute);
  const find = async (userId: string, id: string): Promise<repo.DeliveryRow> => {
    const row = await repo.findDelivery(db, userId, id);
    if (!row) throw notFound('delivery', id);
    return row;
  };

  return {
    async enqueue(tx: Db, { userId, url, subject, type, body }: NewDelivery): Promise<void> {
      const parsed = new URL(url);
      const { id: endpointId, host } = endpointOf(userId, parsed);
      const now = clock();
      await repo.insertDelivery(tx, {
        id: newId(),
        user_id: userId,
        endpoint_id: endpointId,
        host,
        url: parsed.href,
        subject,
        type,
        body,
        status: 'pending',
        in_order: 1,
        failures: 0,
        due_at: now,
        created_at: now,
        tries: '[]',
      });
    },

    async list(userId: string, query: DeliveryQuery): Promise<DeliveryPage> {
      const { subject, status, limit: size = 20, after } = query;
      const last = after === undefined ? undefined : await repo.findDelivery(db, userId, after);
      if (after !== undefined && !last) {
        throw invalid('after must be the next_cursor of a page of this list.');
      }
      const rows = await repo.listDeliveries(db, userId, {
        subject,
        status,
        beforeSeq: last?.seq,
        limit: size + 1,
      });
      const page = rows.slice(0, size);
      const next = rows.length > size ? page.at(-1)?.id : undefined;
      return { deliveries: page.map(toDelivery), ...(next !== undefined && { next_cursor: next }) };
    },

    async get(userId: string, id: string): Promise<DeliveryWithBody> {
      const row = await find(userId, id);
      return { ...toDelivery(row), body: row.body };
    },

    async redeliver(userId: string, id: string): Promise<Delivery> {
      const row = await find(userId, id);
      assertMayRedeliver(userId);
      await withTransaction(db, async (tx) => {
        const now = clock();
        if (await resumeEndpoint(tx, userId, row.endpoint_id, now)) {
          await repo.resumeDeliveries(tx, row.endpoint_id, now);
        }
        await repo.redeliver(tx, row.seq, now);
      });
      wake();
      return toDelivery(await find(userId, id));
    },
  };
}

/** Each server counts the redeliveries of an account by itself. */
function createRedeliveryLimit(clock: Clock, max: number) {
  let startedAt = 0;
  const asked = new Map<string, number>();
  return (userId: string): void => {
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

function toDelivery(row: repo.ListedDelivery): Delivery {
  const { id, subject, type, url, status } = row;
  const isWaiting = status === 'pending' && row.lease === null;
  return {
    id,
    subject,
    type,
    url,
    endpoint_id: row.endpoint_id,
    status,
    created_at: toIso(row.created_at),
    ...(isWaiting && { next_try_at: toIso(row.due_at) }),
    ...(row.delivered_at !== null && { delivered_at: toIso(row.delivered_at) }),
    tries: readTries(row.tries).map(({ at, ...rest }) => ({ at: toIso(at), ...rest })),
  };
}
