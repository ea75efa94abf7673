import { createList, type List } from './http/list.ts';
import { path } from './http/server-address.ts';
import type { CallOptions, Transport } from './http/transport.ts';
import type { Delivery, DeliveryPage, WebhookEndpoint } from './wire.ts';

export interface DeliveryFilter extends CallOptions {
  /** Such as `job:<id>`. */
  readonly subject?: string | undefined;
  readonly status?: Delivery['status'] | undefined;
}

/** Webhook messages to your servers. `verifyWebhook` is for those who receive them. */
export function createWebhooks(transport: Transport) {
  return {
    /** The secret that signs your messages. */
    secret: async (options: CallOptions = {}): Promise<string> =>
      (await transport.get('WebhookSecret', '/webhooks/secret', options)).secret,
    /** Creates a new secret. For 24 hours messages are signed with the old one too. */
    rotateSecret: async (options: CallOptions = {}): Promise<string> =>
      (await transport.post('WebhookSecret', '/webhooks/secret/rotate', options)).secret,

    deliveries: {
      /** Your deliveries with their tries, newest first. */
      list({ subject, status, ...options }: DeliveryFilter = {}): List<Delivery, DeliveryPage> {
        return createList<Delivery, DeliveryPage, string>({
          load: async (after) =>
            await transport.get('DeliveryPage', '/webhooks/deliveries', {
              ...options,
              query: { subject, status, limit: 100, after },
            }),
          items: ({ deliveries }) => deliveries,
          next: ({ next_cursor }) => next_cursor,
        });
      },
      /** One delivery with its body, its tries and their responses. */
      get: async (id: string, options: CallOptions = {}) =>
        await transport.get('DeliveryWithBody', path`/webhooks/deliveries/${id}`, options),
      /** Sends it again immediately, whatever its state. */
      redeliver: async (id: string, options: CallOptions = {}) =>
        await transport.post('Delivery', path`/webhooks/deliveries/${id}/redeliver`, options),
    },

    /** Addresses that are failing or paused. */
    endpoints: {
      /** Your addresses that are failing or paused. */
      list: async (options: CallOptions = {}): Promise<WebhookEndpoint[]> =>
        (await transport.get('WebhookEndpoints', '/webhooks/endpoints', options)).endpoints,
      /** Resumes a paused address, starting with the oldest waiting message. */
      resume: async (id: string, options: CallOptions = {}): Promise<void> =>
        await transport.post('nothing', path`/webhooks/endpoints/${id}/resume`, {
          ...options,
          isRepeatable: true,
        }),
    },
  };
}
