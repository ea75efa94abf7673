import type { Audit } from '../platform/audit/audit.service.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { inRestedSlices } from '../platform/in-slices.ts';
import type { Meters } from '../platform/metrics/create-meters.ts';
import type { Outbound } from '../platform/net/outbound.ts';
import { OutboundError } from '../platform/net/outbound-error.ts';
import type { Secret } from '../platform/secret.ts';
import type { ServiceParts } from '../platform/service-parts.ts';
import { deleteSomeBefore, deleteSomeOf } from './deliveries.repo.ts';
import { createDeliveriesService } from './deliveries.service.ts';
import { createDispatcher, type DispatcherOptions } from './dispatcher.ts';
import { deleteEndpointsBefore, deleteEndpointsOf } from './endpoints.repo.ts';
import { createEndpointsService, type FindPeople } from './endpoints.service.ts';
import { createExportUser } from './export-user.ts';
import { measureDeliveries } from './measure-deliveries.ts';
import { deleteSecretsOf } from './secrets.repo.ts';
import { createSecretsService } from './secrets.service.ts';
import { webhooksRoutes } from './webhooks.routes.ts';

interface Parts extends DispatcherOptions, ServiceParts {
  readonly audit: Pick<Audit, 'add'>;
  readonly outbound: Outbound;
  readonly secretKey: Secret<Uint8Array>;
  readonly meters: Meters;
  readonly onError: (error: unknown) => void;
  readonly redeliveriesPerMinute?: number;
  readonly findPeople: FindPeople;
}

export type Webhooks = ReturnType<typeof createWebhooks>;

const KEPT_MS = 30 * 24 * 3_600_000;
const BATCH_SIZE = 100;

export function createWebhooks(parts: Parts) {
  const { db, clock, outbound, meters, onError } = parts;
  const secrets = createSecretsService({ ...parts, serverKey: parts.secretKey });
  const onTried = measureDeliveries({ db, clock, meters });
  const dispatcher = createDispatcher({ db, clock, outbound, secrets, onTried, onError }, parts);
  const { wake } = dispatcher;
  const deliveries = createDeliveriesService({ ...parts, wake });
  const endpoints = createEndpointsService({ ...parts, wake });
  return {
    routes: webhooksRoutes({ secrets, deliveries, endpoints }),
    /** Writes a delivery in the caller's transaction. It is sent after the commit, at once when `wake` is called. */
    enqueue: deliveries.enqueue,
    wake,
    /** Throws `request.invalid` for a URL that nothing may be sent to. `field` is what the caller calls it. */
    assertUrl: async (url: string, field = 'webhook_url'): Promise<void> =>
      await assertUrl(outbound, url, field),
    userData: {
      async delete(userId: string): Promise<void> {
        await inRestedSlices(async () => await deleteSomeOf(db, userId, BATCH_SIZE));
        await deleteEndpointsOf(db, userId);
        await deleteSecretsOf(db, userId);
      },
    },
    exportUser: createExportUser(db),
    start: dispatcher.start,
    drain: dispatcher.drain,
    async tidy(): Promise<void> {
      const time = clock() - KEPT_MS;
      await inRestedSlices(async () => await deleteSomeBefore(db, time, BATCH_SIZE));
      await deleteEndpointsBefore(db, time);
    },
    close: dispatcher.close,
  };
}

async function assertUrl(outbound: Outbound, url: string, field: string): Promise<void> {
  try {
    await outbound.check(url, { protocols: ['http:', 'https:'] });
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    // A name that is not found now may be found later, and is checked at every try.
    if (!error.isPermanent) return;
    throw new AppError('request.invalid', `${field} cannot be used: ${error.message}`, { cause: error });
  }
}
