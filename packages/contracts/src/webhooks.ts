import { type Static, Type } from 'typebox';

import { oneOf, optional, schema, Timestamp } from './fields.ts';

const DeliveryStatus = oneOf(['pending', 'delivered', 'failed', 'paused'], {
  description:
    'pending: to be sent, now or again. delivered: answered with 2xx. failed: given up. paused: waits until its endpoint is resumed.',
});

export const WebhookSecret = schema('WebhookSecret', {
  secret: Type.String({ description: '`whsec_` and the base64 of the key that signs your deliveries.' }),
});

export const DeliveryTry = schema('DeliveryTry', {
  at: Timestamp,
  status: Type.Optional(Type.Integer({ description: 'The HTTP status that the receiver answered.' })),
  error: Type.Optional(Type.String({ description: 'Why it failed.' })),
  ms: Type.Integer({ description: 'How long it took.' }),
});

const deliveryFields = {
  id: Type.String({ format: 'uuid', description: 'The `webhook-id` of every try.' }),
  subject: Type.String({ description: 'Such as `job:<id>`. Deliveries of one subject are sent in order.' }),
  type: Type.String({ description: 'Such as `job.completed`.' }),
  url: Type.String(),
  endpoint_id: Type.String(),
  status: DeliveryStatus,
  created_at: Timestamp,
  next_try_at: Type.Optional(Timestamp),
  delivered_at: Type.Optional(Timestamp),
  tries: Type.Array(DeliveryTry, { description: 'Oldest first; the last 50.' }),
};

export const Delivery = schema('Delivery', deliveryFields);
export type Delivery = Static<typeof Delivery>;

export const DeliveryWithBody = schema('DeliveryWithBody', {
  ...deliveryFields,
  body: Type.String({ description: 'The JSON text exactly as it is sent.' }),
});
export type DeliveryWithBody = Static<typeof DeliveryWithBody>;

export const DeliveryQuery = Type.Object({
  ...optional({
    subject: Type.String({ maxLength: 200, description: 'Only deliveries about this, such as `task:<id>`.' }),
    status: DeliveryStatus,
    limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
    after: Type.String({ maxLength: 100, description: 'The `next_cursor` of the page before.' }),
  }),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

export const DeliveryPage = schema('DeliveryPage', {
  deliveries: Type.Array(Delivery),
  next_cursor: Type.Optional(Type.String()),
});
export type DeliveryPage = Static<typeof DeliveryPage>;

export const WebhookEndpoint = schema('WebhookEndpoint', {
  id: Type.String(),
  url: Type.String({ description: 'Without the query.' }),
  status: oneOf(['failing', 'paused']),
  failing_since: Timestamp,
  last_failed_at: Timestamp,
  last_error: Type.String(),
  paused_at: Type.Optional(Timestamp),
});
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpoints = schema('WebhookEndpoints', { endpoints: Type.Array(WebhookEndpoint) });
