import { type Static, Type } from 'typebox';

const Timestamp = Type.String({ format: 'date-time' });

export const DELIVERY_STATUSES = ['pending', 'delivered', 'failed', 'paused'] as const;
export type DeliveryStatus = (typeof DELIVERY_STATUSES)[number];

const DeliveryStatus = Type.Enum(DELIVERY_STATUSES, {
  type: 'string',
  description:
    'pending: to be sent, now or again. delivered: answered with 2xx. failed: given up. paused: waits until its endpoint is resumed.',
});

export const WebhookSecret = Type.Object(
  {
    secret: Type.String({ description: '`whsec_` and the base64 of the key that signs your deliveries.' }),
  },
  { title: 'WebhookSecret' },
);
export type WebhookSecret = Static<typeof WebhookSecret>;

export const DeliveryTry = Type.Object(
  {
    at: Timestamp,
    status: Type.Optional(Type.Integer({ description: 'The HTTP status that the receiver answered.' })),
    error: Type.Optional(Type.String({ description: 'Why it did not work, in words.' })),
    ms: Type.Integer({ description: 'How long it took.' }),
  },
  { title: 'DeliveryTry' },
);
export type DeliveryTry = Static<typeof DeliveryTry>;

const deliveryFields = {
  id: Type.String({ format: 'uuid', description: 'The `webhook-id` of every try.' }),
  subject: Type.String({ description: 'What it is about, such as `job:<id>`. Sent in order within one.' }),
  type: Type.String({ description: 'What happened, such as `job.completed`.' }),
  url: Type.String(),
  endpoint_id: Type.String(),
  status: DeliveryStatus,
  created_at: Timestamp,
  next_try_at: Type.Optional(Timestamp),
  delivered_at: Type.Optional(Timestamp),
  tries: Type.Array(DeliveryTry, { description: 'Oldest first; the last 50.' }),
};

export const Delivery = Type.Object(deliveryFields, { title: 'Delivery' });
export type Delivery = Static<typeof Delivery>;

export const DeliveryWithBody = Type.Object(
  { ...deliveryFields, body: Type.String({ description: 'The JSON text that is sent, to the letter.' }) },
  { title: 'DeliveryWithBody' },
);
export type DeliveryWithBody = Static<typeof DeliveryWithBody>;

export const DeliveryQuery = Type.Object({
  subject: Type.Optional(
    Type.String({ maxLength: 200, description: 'Only deliveries about this, such as `task:<id>`.' }),
  ),
  status: Type.Optional(DeliveryStatus),
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'Entries on a page.' }),
  ),
  after: Type.Optional(Type.String({ maxLength: 100, description: 'The `next_cursor` of the page before.' })),
});
export type DeliveryQuery = Static<typeof DeliveryQuery>;

export const DeliveryPage = Type.Object(
  { deliveries: Type.Array(Delivery), next_cursor: Type.Optional(Type.String()) },
  { title: 'DeliveryPage' },
);
export type DeliveryPage = Static<typeof DeliveryPage>;

export const WebhookEndpoint = Type.Object(
  {
    id: Type.String(),
    url: Type.String({ description: 'Without the query.' }),
    status: Type.Enum(['failing', 'paused'] as const, { type: 'string' }),
    failing_since: Timestamp,
    last_failed_at: Timestamp,
    last_error: Type.String(),
    paused_at: Type.Optional(Timestamp),
  },
  { title: 'WebhookEndpoint' },
);
export type WebhookEndpoint = Static<typeof WebhookEndpoint>;

export const WebhookEndpoints = Type.Object(
  { endpoints: Type.Array(WebhookEndpoint) },
  { title: 'WebhookEndpoints' },
);
