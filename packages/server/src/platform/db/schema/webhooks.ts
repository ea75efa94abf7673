import type { Generated } from 'kysely';

export type DeliveryStatus = 'pending' | 'delivered' | 'failed' | 'paused';

/** A message to a receiver, over all its tries. */
export interface WebhookDeliveryRow {
  seq: Generated<number>;
  id: string;
  user_id: string;
  /** Of `webhook_endpoints`, where a row stands only while the endpoint is in trouble. */
  endpoint_id: string;
  /** Host and port, by which tries at once are bounded. */
  host: string;
  url: string;
  subject: string;
  type: string;
  body: string;
  status: DeliveryStatus;
  /** 1 while it takes part in the order of its subject; 0 once it was redelivered after its end. */
  in_order: number;
  /** Tries that failed since it was enqueued, redelivered or resumed: the place in the schedule. */
  failures: number;
  /** Whose try is under way. Who ends a try under another lease is refused. */
  lease: string | null;
  /** When it is tried next. With a lease: when that one runs out. */
  due_at: number;
  created_at: number;
  delivered_at: number | null;
  /** JSON list of `{at, status?, error?, ms}`, times in ms. */
  tries: string;
}

/** An account's URL without its query, while nothing but failures come from it. */
export interface WebhookEndpointRow {
  /** Made of account and URL, so that nobody has to look it up. */
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
  /** The key, encrypted with a key of the server. */
  sealed: Uint8Array;
  created_at: number;
  /** `null` for the current one; the others sign beside it until then. */
  retires_at: number | null;
}

export interface WebhookTables {
  webhook_deliveries: WebhookDeliveryRow;
  webhook_endpoints: WebhookEndpointRow;
  webhook_secrets: WebhookSecretRow;
}
