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
const DeliveryParams = Type.Object({ deliveryId: Type.String() });
const EndpointParams = Type.Object({ endpointId: Type.String() });

export const webhooksRoutes: Routes<Parts> =
  ({ secrets, deliveries, endpoints }) =>
  async (app) => {
    app.get(
      '/webhooks/secret',
      {
        config: { operation: 'webhooks.secret.show', access: 'user', session: true },
        schema: {
          summary: 'The secret that signs your deliveries',
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
