import {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  DeliveryWithBody,
  FailingEndpoints,
  optional,
  WebhookEndpoints,
  WebhookSecret,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { createRouteDefiner, done } from '../platform/http/define-route.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { DeliveriesService } from './deliveries.service.ts';
import type { EndpointsService } from './endpoints.service.ts';
import type { SecretsService } from './secrets.service.ts';

interface Parts {
  readonly secrets: SecretsService;
  readonly deliveries: DeliveriesService;
  readonly endpoints: EndpointsService;
}

export const webhooksRoutes: Routes<Parts> =
  ({ secrets, deliveries, endpoints }) =>
  async (app) => {
    const parameters = {
      deliveryId: 'Id of the delivery, from the list.',
      endpointId: 'Id of the endpoint, from the list or from a delivery.',
      userId: 'Id of the user.',
    };
    const route = createRouteDefiner(app, { tag: 'webhooks', parameters });
    route('GET', '/webhooks/secret', {
      operation: 'webhooks.secret.show',
      summary: 'The secret that signs your deliveries',
      description:
        'One secret signs all messages of your account, as Standard Webhooks describes. Verify `webhook-signature` with it.',
      response: { 200: WebhookSecret },
      handle: async ({ actor, reply }) => {
        reply.header('cache-control', 'no-store');
        return { secret: await secrets.current(actor.userId) };
      },
    });

    route('POST', '/webhooks/secret/rotate', {
      operation: 'webhooks.secret.rotate',
      summary: 'Rotate your webhook secret; the old one stays valid for 24 hours',
      description:
        'During that time messages carry a signature by each, so receivers can change over without losing any.',
      response: { 200: WebhookSecret },
      handle: async ({ actor, reply }) => {
        reply.header('cache-control', 'no-store');
        return { secret: await secrets.rotate(actor.userId) };
      },
    });

    route('POST', '/admin/users/:userId/webhook-secret/rotate', {
      operation: 'admin.users.webhook_secret',
      tag: 'administration',
      failures: [404],
      summary: "Rotate a user's webhook secret; the old one stays valid for 24 hours",
      description: 'The user reads it at `GET /webhooks/secret`. For administrators.',
      query: optional({ now: Type.Boolean({ description: 'The old one ends at once.' }) }),
      response: done('Replaced.'),
      handle: async ({ actor, params, query }) =>
        await secrets.rotateFor(actor, params.userId, { endsAtOnce: query.now === true }),
    });

    route('GET', '/webhooks/deliveries', {
      operation: 'webhooks.deliveries.list',
      summary: 'Your deliveries and their tries, newest first',
      description:
        'A delivery is one message about a job or a task. Deliveries are kept for 30 days; read one of them for its body.',
      query: DeliveryQuery.properties,
      response: { 200: DeliveryPage },
      handle: async ({ actor, query }) => await deliveries.list(actor.userId, query),
    });

    route('GET', '/webhooks/deliveries/:deliveryId', {
      operation: 'webhooks.deliveries.show',
      failures: [404],
      summary: 'A delivery with its body',
      description:
        'Shows when each try was made, how long it took, and the status or the error. Nothing of what the receiver answered is kept.',
      response: { 200: DeliveryWithBody },
      handle: async ({ actor, params }) => await deliveries.get(actor.userId, params.deliveryId),
    });

    route('POST', '/webhooks/deliveries/:deliveryId/redeliver', {
      operation: 'webhooks.deliveries.redeliver',
      failures: [404, 429],
      summary: 'Send a delivery again, with the same id',
      description:
        'Works whatever became of the delivery. Receivers recognize the repetition by the same `webhook-id`. More than 60 in a minute get 429 with `Retry-After`.',
      response: { 202: { ...Delivery, description: 'It is sent now; a paused endpoint is resumed.' } },
      handle: async ({ actor, params }) => await deliveries.redeliver(actor.userId, params.deliveryId),
    });

    route('GET', '/webhooks/endpoints', {
      operation: 'webhooks.endpoints.list',
      summary: 'Your endpoints that fail or are paused',
      description:
        'At most 200, the latest failure first, each with its last error. An endpoint that has only failed for five days is paused, and its messages wait; one that answers again leaves this list.',
      response: { 200: WebhookEndpoints },
      handle: async ({ actor }) => ({ endpoints: await endpoints.list(actor.userId) }),
    });

    route('GET', '/admin/webhooks/endpoints', {
      operation: 'admin.webhooks.endpoints',
      tag: 'administration',
      summary: 'Endpoints of all users that fail or are paused',
      description: 'For administrators; other users get 403. At most 200, the latest failure first.',
      response: { 200: FailingEndpoints },
      handle: async ({ actor }) => await endpoints.listAll(actor),
    });

    route('POST', '/webhooks/endpoints/:endpointId/resume', {
      operation: 'webhooks.endpoints.resume',
      failures: [404],
      summary: 'Send to a paused endpoint again',
      description:
        'Messages that waited are sent at once, in order for each job or task. `GET /webhooks/deliveries` shows what becomes of them.',
      response: done('What waited is sent now.'),
      handle: async ({ actor, params }) => await endpoints.resume(actor.userId, params.endpointId),
    });
  };
