import assert from 'node:assert/strict';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@atelier/testing';

import type { Client } from './http-client.ts';

export interface Delivery {
  readonly id: string;
  readonly subject: string;
  readonly type: string;
  readonly url: string;
  readonly endpoint_id: string;
  readonly status: 'pending' | 'delivered' | 'failed' | 'paused';
  readonly created_at: string;
  readonly next_try_at?: string;
  readonly delivered_at?: string;
  readonly tries: readonly { readonly at: string; readonly status?: number; readonly error?: string }[];
  readonly body?: string;
}

export interface DeliveryPage {
  readonly deliveries: readonly Delivery[];
  readonly next_cursor?: string;
}

const STEP_MS = 10;

export async function deliveries(api: Client, query = ''): Promise<DeliveryPage> {
  const { status, body } = await api.get<DeliveryPage>(`/webhooks/deliveries?${query}`);
  assert.equal(status, 200, query);
  return body;
}

/** Waits until the deliveries about a job are as wanted, and returns them, oldest first. */
export async function untilDeliveries(
  api: Client,
  jobId: string,
  isDone: (found: readonly Delivery[]) => boolean,
): Promise<readonly Delivery[]> {
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  for (;;) {
    const found = (await deliveries(api, `subject=job:${jobId}`)).deliveries.toReversed();
    if (isDone(found)) return found;
    assert.ok(!deadline.aborted, JSON.stringify(found));
    await delay(STEP_MS);
  }
}
