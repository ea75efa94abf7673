import { randomBytes } from 'node:crypto';
import type { TestContext } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { createMeters } from '../../platform/metrics/create-meters.ts';
import { createOutbound } from '../../platform/net/outbound.ts';
import { allowing } from '../../platform/net/test/loopback-server.ts';
import { Secret } from '../../platform/secret.ts';
import { createWebhooks, type Webhooks } from '../create-webhooks.ts';
import type { NewDelivery } from '../deliveries.service.ts';

type Options = Partial<Omit<Parameters<typeof createWebhooks>[0], 'db' | 'clock'>> & {
  readonly time?: { now: number };
  readonly allow?: readonly string[];
};

export interface WebhooksUnderTest extends Webhooks {
  /** Set it to travel in time. */
  readonly time: { now: number };
  readonly errors: readonly unknown[];
  /** Measurements in Prometheus form. */
  readonly measure: () => Promise<string>;
  /** Writes a delivery of its own subject, unless told otherwise, and returns its id. */
  add(delivery: Partial<NewDelivery> & Pick<NewDelivery, 'userId' | 'url'>): Promise<string>;
}

export const SERVER_KEY = new Secret<Uint8Array>(randomBytes(32));
/** No audit, and nobody to find. */
export const NO_ADMINISTRATION = { audit: { add: async () => {} }, findPeople: async () => [] };
let subjects = 0;

/** A server of its own on the database: nothing is polled, `drain` sends. */
export function webhooksOn(t: TestContext, db: Db, options: Options = {}): WebhooksUnderTest {
  const { time = { now: Date.now() }, allow = ['127.0.0.0/8'], ...rest } = options;
  const errors: unknown[] = [];
  const meters = createMeters({ onError: (error) => errors.push(error) });
  const outbound = createOutbound({ allow: allowing(...allow) });
  const webhooks = createWebhooks({
    ...NO_ADMINISTRATION,
    db,
    clock: () => time.now,
    outbound,
    secretKey: SERVER_KEY,
    meters,
    onError: (error) => errors.push(error),
    random: () => 0.5,
    ...rest,
  });
  t.after(async () => {
    await webhooks.close();
    outbound.close();
  });
  return {
    ...webhooks,
    time,
    errors,
    measure: meters.render,
    async add(delivery) {
      subjects += 1;
      const subject = `test:${subjects}`;
      const complete = { subject, type: 'test.happened', body: '{"n":1}', ...delivery };
      await withTransaction(db, async (tx) => await webhooks.enqueue(tx, complete));
      const row = await db
        .selectFrom('webhook_deliveries')
        .select('id')
        .orderBy('seq', 'desc')
        .executeTakeFirstOrThrow();
      return row.id;
    },
  };
}

export async function anAccount(db: Db): Promise<string> {
  return (await aUser(db)).id;
}

export async function forgetAll(db: Db): Promise<void> {
  for (const table of ['webhook_deliveries', 'webhook_endpoints', 'webhook_secrets'] as const) {
    await db.deleteFrom(table).execute();
  }
}

/** The row, with its log read. */
export async function deliveryOf(db: Db, id: string) {
  const row = await db
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  return { ...row, tries: JSON.parse(row.tries) as { at: number; status?: number; error?: string }[] };
}
