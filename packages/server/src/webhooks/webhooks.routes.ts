import {
  Delivery,
  DeliveryPage,
  DeliveryQuery,
  DeliveryWithBody,
  WebhookEndpoints,
  WebhookSecret,
} from '@atelier/contracts';
import { Type } from 'typebox';

import { actorOf } from '../platform/http/actor.ts';
import type { Routes } from '../platform/http/route-config.ts';
import type { DeliveriesService } from './deliveries.service.ts';
import type { EndpointsService } from './endpoints.service.ts';
import type { SecretsService } from './secrets.service.ts';

interface Parts {
  readonly secrets: SecretsService;
  readonly deliveries: DeliveriesService;
  readonly endpoints: EndpointsService;
}

const tags = ['webhooks'];
const DeliveryParams = Type.Object({
  deliveryId: Type.String({ description: 'Id of the delivery, from the list.' }),
});
const EndpointParams = Type.Object({
  endpointId: Type.String({ description: 'Id of the endpoint, from the list or from a delivery.' }),
});

export const webhooksRoutes: Routes<Parts> =
  ({ secrets, deliveries, endpoints }) =>
  async (app) => {
    app.get(
      '/webhooks/secret',
      {
        config: { operation: 'webhooks.secret.show', access: 'user', session: true },
        schema: {
          summary: 'The secret that signs your deliveries',
          description:
            'One secret signs all messages of your account, as Standard Webhooks describes. Verify `webhook-signature` with it.',
          tags,
          response: { 200: WebhookSecret },
        },
      },
      async (request, reply) => {
        const secret = await secrets.current(actorOf(request).userId);
        return await reply.header('cache-control', 'no-store').send({ secret });
      },
    );

    app.post(
      '/webhooks/secret/rotate',
      {
        config: { operation: 'webhooks.secret.rotate', access: 'user', session: true },
        schema: {
          summary: 'Make a new secret; the old one signs beside it for 24 hours',
          description:
            'During that time messages carry a signature by each, so receivers can change over without losing any.',
          tags,
          response: { 200: WebhookSecret },
        },
      },
      async (request, reply) => {
        const secret = await secrets.rotate(actorOf(request).userId);
        return await reply.header('cache-control', 'no-store').send({ secret });
      },
    );

    app.get(
      '/webhooks/deliveries',
      {
        config: { operation: 'webhooks.deliveries.list', access: 'user', session: true },
        schema: {
          summary: 'Your deliveries and their tries, newest first',
          description:
            'A delivery is one message about a job or a task. Deliveries are kept for 30 days; read one of them for its body.',
          tags,
          querystring: DeliveryQuery,
          response: { 200: DeliveryPage },
        },
      },
      async (request) => await deliveries.list(actorOf(request).userId, request.query),
    );

    app.get(
      '/webhooks/deliveries/:deliveryId',
      {
        config: { operation: 'webhooks.deliveries.show', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'A delivery with its body',
          description:
            'Shows when each try was made, how long it took, and the status or the error. Nothing of what the receiver answered is kept.',
          tags,
          params: DeliveryParams,
          response: { 200: DeliveryWithBody },
        },
      },
      async (request) => await deliveries.get(actorOf(request).userId, request.params.deliveryId),
    );

    app.post(
      '/webhooks/deliveries/:deliveryId/redeliver',
      {
        config: {
          operation: 'webhooks.deliveries.redeliver',
          access: 'user',
          session: true,
          failures: [404, 429],
        },
        schema: {
          summary: 'Send a delivery again, with the same id',
          description:
            'Works whatever became of the delivery. Receivers recognize the repetition by the same `webhook-id`. More than 60 in a minute get 429 with `Retry-After`.',
          tags,
          params: DeliveryParams,
          response: { 202: { ...Delivery, description: 'It is sent now; a paused endpoint is resumed.' } },
        },
      },
      async (request, reply) => {
        const delivery = await deliveries.redeliver(actorOf(request).userId, request.params.deliveryId);
        return await reply.code(202).send(delivery);
      },
    );

    app.get(
      '/webhooks/endpoints',
      {
        config: { operation: 'webhooks.endpoints.list', access: 'user', session: true },
        schema: {
          summary: 'Your endpoints that fail or are paused',
          description:
            'At most 200, the latest failure first, each with its last error. An endpoint that has only failed for five days is paused, and its messages wait; one that answers again leaves this list.',
          tags,
          response: { 200: WebhookEndpoints },
        },
      },
      async (request) => ({ endpoints: await endpoints.list(actorOf(request).userId) }),
    );

    app.post(
      '/webhooks/endpoints/:endpointId/resume',
      {
        config: { operation: 'webhooks.endpoints.resume', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Send to a paused endpoint again',
          description:
            'Messages that waited are sent at once, in order for each job or task. `GET /webhooks/deliveries` shows what becomes of them.',
          tags,
          params: EndpointParams,
          response: { 204: Type.Null({ description: 'What waited is sent now.' }) },
        },
      },
      async (request, reply) => {
        await endpoints.resume(actorOf(request).userId, request.params.endpointId);
        return await reply.code(204).send(null);
      },
    );
  };
