import type { DeliveryStatus } from '../platform/db/schema/webhooks.ts';
import type { Transitions } from '../platform/transitions.ts';

/** `paused` lasts while the endpoint is paused. Ended deliveries become pending when their owner redelivers them. */
export const DELIVERY_TRANSITIONS = {
  pending: ['pending', 'delivered', 'failed', 'paused'],
  paused: ['pending'],
  delivered: ['pending'],
  failed: ['pending'],
} as const satisfies Transitions<DeliveryStatus>;
