import { createHmac } from 'node:crypto';
import type { Readable } from 'node:stream';

import type { Outbound } from '../platform/net/outbound.ts';
import { OutboundError } from '../platform/net/outbound-error.ts';
import type { DeliveryRow } from './deliveries.repo.ts';
import type { Outcome } from './retry-policy.ts';

type Message = Pick<DeliveryRow, 'id' | 'url' | 'body'>;

interface Options {
  readonly keys: readonly Uint8Array[];
  readonly at: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** The body of an answer is read up to this size and discarded, because some receivers fail if nobody reads it. */
const MAX_ANSWER_BYTES = 65_536;

/** Sends a delivery once. Throws only on a bug. */
export async function sendTry(outbound: Outbound, message: Message, options: Options): Promise<Outcome> {
  const { keys, at, timeoutMs, signal } = options;
  try {
    const answer = await outbound.open(message.url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Atelier-Webhooks',
        ...signedHeaders(message, at, keys),
      },
      body: message.body,
      protocols: ['http:', 'https:'],
      // `discard` limits it. With a limit here, an answer with a long body would count as a failure.
      maxBytes: Number.MAX_SAFE_INTEGER,
      timeoutMs,
      signal,
    });
    await discard(answer.body);
    return { kind: 'answered', status: answer.status, retryAfter: answer.headers['retry-after'] };
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error;
    if (error.reason === 'aborted') return { kind: 'called_off' };
    return { kind: 'failed', error: error.message };
  }
}

/** The headers of Standard Webhooks, with one signature for each key. */
function signedHeaders({ id, body }: Message, at: number, keys: readonly Uint8Array[]) {
  const timestamp = String(Math.floor(at / 1000));
  const signatures = keys.map((key) => {
    const signature = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
    return `v1,${signature}`;
  });
  return {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signatures.join(' '),
  } as const;
}

/** Ignores a body that is too long, incomplete or endless, because the status has decided. */
async function discard(body: Readable): Promise<void> {
  let left = MAX_ANSWER_BYTES;
  try {
    for await (const chunk of body) {
      left -= (chunk as Buffer).length;
      if (left < 0) return;
    }
  } catch {}
}
