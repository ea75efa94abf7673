import type { Clock } from '../platform/clock.ts';
import type { Db } from '../platform/db/database.ts';
import type { App } from '../platform/http/route-config.ts';
import { inSlices } from '../platform/in-slices.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import type { Secret } from '../platform/secret.ts';
import { assertUrl } from './assert-url.ts';
import { deleteSomeBefore, deleteSomeOf } from './deliveries.repo.ts';
import { createDeliveriesService, type NewDelivery } from './deliveries.service.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { deleteEndpointsBefore, deleteEndpointsOf } from './endpoints.repo.ts';
import { createEndpointsService } from './endpoints.service.ts';
import { measureDeliveries } from './measure-deliveries.ts';
import { createRedeliveryLimit } from './redelivery-limit.ts';
import { deleteSecretsOf } from './secrets.repo.ts';
import { createSecretsService } from './secrets.service.ts';
import { webhooksRoutes } from './webhooks.routes.ts';

interface Parts extends DispatcherOptions {
  readonly db: Db;
  readonly clock: Clock;
  readonly outbound: Outbound;
  readonly secretKey: Secret<Uint8Array>;
  readonly meters: Meters;
  readonly onError: (error: unknown) => void;
  readonly redeliveriesPerMinute?: number;
}

export interface Webhooks {
  readonly routes: (app: App) => Promise<void>;
  /** Writes a delivery in the caller's transaction. It is sent after the commit, at once when `wake` is called. */
  enqueue(tx: Db, delivery: NewDelivery): Promise<void>;
  wake(): void;
  /** Throws `request.invalid` for a URL that nothing may be sent to. `field` is what the caller calls it. */
  assertUrl(url: string, field?: string): Promise<void>;
  readonly userData: { delete(userId: string): Promise<void> };
  start(): Promise<void>;
  drain(): Promise<void>;
  /** Removes old deliveries. Called now and then. */
  tidy(): Promise<void>;
  /** Ends tries under way, those that take too long by calling them off. */
  close(): Promise<void>;
}

const KEPT_MS = 30 * 24 * 3_600_000;
const TIDY_AT_ONCE = 100;

export function createWebhooks(parts: Parts): Webhooks {
  const { db, clock, outbound, secretKey, meters, onError, redeliveriesPerMinute: max } = parts;
  const secrets = createSecretsService({ db, clock, serverKey: secretKey, onError });
  const onTried = measureDeliveries({ db, clock, meters });
  const dispatcher = createDispatcher({ db, clock, outbound, secrets, onTried, onError }, parts);
  const { wake } = dispatcher;
  const limit = createRedeliveryLimit(clock, max);
  const deliveries = createDeliveriesService({ db, clock, limit, wake });
  const endpoints = createEndpointsService({ db, clock, wake });
  return {
    routes: webhooksRoutes({ secrets, deliveries, endpoints }),
    enqueue: deliveries.enqueue,
    wake,
    assertUrl: async (url, field = 'webhook_url') => await assertUrl(outbound, url, field),
    userData: {
      async delete(userId) {
        while (await deleteSomeOf(db, userId, TIDY_AT_ONCE));
        await deleteEndpointsOf(db, userId);
        await deleteSecretsOf(db, userId);
      },
    },
    start: dispatcher.start,
    drain: dispatcher.drain,
    async tidy() {
      const time = clock() - KEPT_MS;
      await inSlices(async () => await deleteSomeBefore(db, time, TIDY_AT_ONCE));
      await deleteEndpointsBefore(db, time);
    },
    close: dispatcher.close,
  };
}
