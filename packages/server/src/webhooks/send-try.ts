import { createHmac } from 'node:crypto';
import type { Readable } from 'node:stream';

import type { Outbound } from '../platform/net/outbound.ts';
import { OutboundError } from '../platform/net/outbound-error.ts';
import type { Outcome } from './retry-policy.ts';

interface Message {
  readonly id: string;
  readonly url: string;
  readonly body: string;
}

interface Options {
  readonly keys: readonly Uint8Array[];
  readonly at: number;
  readonly timeoutMs: number;
  readonly signal: AbortSignal;
}

/** So much of an answer's body is read, because some receivers mind when nobody listens, and thrown away. */
const MAX_ANSWER_BYTES = 65_536;

/** Sends a delivery once. Throws only for a mistake of ours. */
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
      // Not bounded here, because an answer with a long body would not count as an answer; `discard` bounds it.
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

/** The status has decided: a body that is too long, breaks off or never ends changes nothing. */
async function discard(body: Readable): Promise<void> {
  let left = MAX_ANSWER_BYTES;
  try {
    for await (const chunk of body) {
      left -= (chunk as Buffer).length;
      if (left < 0) return;
    }
  } catch {}
}
