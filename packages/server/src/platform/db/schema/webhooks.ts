import type { Generated } from 'kysely';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'paused';

/** A message to a receiver, with all its tries. */
export interface WebhookDeliveryRow {
  seq: Generated<number>;
  id: string;
  user_id: string;
  /** Refers to `webhook_endpoints`, which only has endpoints that fail. */
  endpoint_id: string;
  /** Host and port, which limit concurrent tries. */
  host: string;
  url: string;
  subject: string;
  type: string;
  body: string;
  status: DeliveryStatus;
  /** 1 while it keeps the order of its subject; 0 after it was redelivered. */
  in_order: number;
  /** Failed tries since it was enqueued, redelivered or resumed. */
  failures: number;
  /** The lease of the current try. Writes under another lease are refused. */
  lease: string | null;
  /** When it is tried next; with a lease, when that expires. */
  due_at: number;
  created_at: number;
  delivered_at: number | null;
  /** JSON list of `{at, status?, error?, ms}`, times in ms. */
  tries: string;
}

/** A user's URL without its query, while it only fails. */
export interface WebhookEndpointRow {
  /** Derived from user and URL, so that no lookup is needed. */
  id: string;
  user_id: string;
  url: string;
  failing_since: number;
  last_failed_at: number;
  last_error: string;
  paused_at: number | null;
}

export interface WebhookSecretRow {
  seq: Generated<number>;
  user_id: string;
  /** Encrypted with a key of the server. */
  sealed: Uint8Array;
  created_at: number;
  /** `null` for the current secret. Until then older ones also sign. */
  retires_at: number | null;
}

export interface WebhookTables {
  webhook_deliveries: WebhookDeliveryRow;
  webhook_endpoints: WebhookEndpointRow;
  webhook_secrets: WebhookSecretRow;
}
