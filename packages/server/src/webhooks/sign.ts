import { createHmac } from 'node:crypto';

interface Message {
  readonly id: string;
  /** Of the try, in milliseconds. */
  readonly at: number;
  readonly body: string;
}

/** The headers of Standard Webhooks, with one signature for each key. */
export function signedHeaders({ id, at, body }: Message, keys: readonly Uint8Array[]) {
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
