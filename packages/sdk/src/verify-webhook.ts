import { WebhookError } from './errors.ts';

type HeaderBag = Headers | Readonly<Record<string, string | readonly string[] | undefined>>;

/** What a genuine message says. */
export interface WebhookMessage<Body = Record<string, unknown>> {
  /** The same when it is sent again: do the work once for each. */
  readonly id: string;
  readonly sentAt: Date;
  readonly body: Body;
}

export interface VerifyOptions {
  /** How old a message may be, or how far ahead, so that a recorded one cannot be sent again. Default: 5 minutes. */
  readonly toleranceSeconds?: number | undefined;
}

const TOLERANCE_SECONDS = 300;

/**
 * Reads a message of a webhook if it is genuine, and throws a `WebhookError` otherwise. The body must be the bytes or the text as they came.
 * Signed as Standard Webhooks has it; while the secret is rotated there are two signatures, and one that fits is enough.
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
    fromBase64(secret.trim().replace(/^whsec_/, ''), 'The secret is not one of a webhook.'),
    { name: 'HMAC', hash: 'SHA-256' },
    false,
    ['verify'],
  );
  for (const signature of signatures.split(' ')) {
    const [version, value = ''] = signature.split(',', 2);
    if (version !== 'v1' || !/^[A-Za-z0-9+/]+={0,2}$/.test(value)) continue;
    // Compares in constant time.
    const given = fromBase64(value, 'The signature cannot be read.');
    if (await crypto.subtle.verify('HMAC', key, given, signed)) {
      return { id, sentAt: new Date(seconds * 1000), body: parse(bytes) as Body };
    }
  }
  throw new WebhookError('The signature does not fit: the secret is another one, or the body was changed.');
}

/** A `Headers` object, or what Node and frameworks give, in whatever case. */
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
