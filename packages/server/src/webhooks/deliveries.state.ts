import type { DeliveryStatus } from '../platform/db/schema/webhooks.ts';
import type { Transitions } from '../platform/transitions.ts';

/**
 * A delivery is tried until it is delivered or given up. It waits while its endpoint is paused. What has ended
 * begins again when its owner redelivers it.
 */
export const DELIVERY_TRANSITIONS = {
  pending: ['pending', 'delivered', 'failed', 'paused'],
  paused: ['pending'],
  delivered: ['pending'],
  failed: ['pending'],
} as const satisfies Transitions<DeliveryStatus>;
