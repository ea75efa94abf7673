import { WebhookError } from './errors.ts';

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** A verified message. */
export interface WebhookMessage<Body = Record<string, unknown>> {
  /** The same when the message is sent again: process each id once. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: Body;
}

export interface VerifyOptions {
  /** How far the time of a message may differ from now, so that a recorded one cannot be replayed. Default: 5 minutes. */
  readonly toleranceSeconds?: number | undefined;
}

const TOLERANCE_SECONDS = 300;

/**
 * Verifies and parses a webhook message; throws a `WebhookError` if it is not genuine. The body must be the unmodified bytes or text.
 * The signature follows Standard Webhooks. During a rotation of the secret there are two signatures, and one match is enough.
 */
export async function verifyWebhook<Body = Record<string, unknown>>(
  body: string | Uint8Array | ArrayBuffer,
  headers: HeaderBag,
  secret: string,
  { toleranceSeconds = TOLERANCE_SECONDS }: VerifyOptions = {},
): Promise<WebhookMessage<Body>> {
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const signatures = headerOf(headers, 'webhook-signature');
  if (!id || !timestamp || !signatures) {
    throw new WebhookError('The message is not signed: webhook-id, -timestamp or -signature is missing.');
  }
  const seconds = /^\d{1,12}$/.test(timestamp) ? Number(timestamp) : Number.NaN;
  if (!(Math.abs(Date.now() / 1000 - seconds) <= toleranceSeconds)) {
    throw new WebhookError('The message is too old, or the clock of this machine is wrong.');
  }
  const bytes = typeof body === 'string' ? new TextEncoder().encode(body) : new Uint8Array(body);
  const signed = concatenate(new TextEncoder().encode(`${id}.${timestamp}.`), bytes);
  const key = await crypto.subtle.importKey(
    'raw',
    fromBase64(secret.trim().replace(/^whsec_/, ''), 'Not a webhook secret.'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',', 2);
    if (version !== 'v1' || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) continue;
    // Compared in constant time.
    const given = fromBase64(value, 'The signature cannot be read.');
    if (await crypto.subtle.verify('HMAC', key, given, signed)) {
      return { id, sentAt: new Date(seconds * 1000), body: parse(bytes) as Body };
    }
  }
  throw new WebhookError('The signature does not match: wrong secret, or the body was changed.');
}

/** A `Headers` object, or a plain object as in Node and frameworks, in any case. */
function headerOf(headers: HeaderBag, name: string): string | undefined {
  if (headers instanceof Headers) return headers.get(name) ?? undefined;
  const [, value] = Object.entries(headers).find(([key]) => key.toLowerCase() === name) ?? [];
  return typeof value === 'string' ? value : value?.[0];
}

function fromBase64(text: string, sentence: string): Uint8Array<ArrayBuffer> {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    throw new WebhookError(sentence);
  }
}

function concatenate(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}

function parse(bytes: Uint8Array): unknown {
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new WebhookError('The body of the message is not JSON.');
  }
}
