import { AtelierError, ConnectionError, TimeoutError, usageError } from '../errors.ts';
import { type AnswerName, type AnswerOf, readAnswer, readBody } from './answer.ts';
import { createDeadline } from './deadline.ts';
import { errorOf } from './error-of.ts';
import { withRetries } from './retry.ts';

/** The options of every method. */
export interface CallOptions {
  /** Aborts the call, which then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the server, instead of the client's own timeout. */
  readonly timeoutMs?: number | undefined;
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

export interface RequestOptions extends CallOptions {
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent unchanged; created for each attempt, because a stream can be read only once. */
  readonly makeBody?:
    | (() => { readonly body: RequestInit['body']; readonly headers: Readonly<Record<string, string>> })
    | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether the request may be sent twice, such as a POST with an idempotency key. Default: true, except for POST and PATCH. */
  readonly isRepeatable?: boolean | undefined;
  /** Integers beyond 53 bits are returned as `bigint`. */
  readonly isExact?: boolean | undefined;
  /** The result of a retry whose first request had succeeded. */
  readonly isDone?: ((error: AtelierError) => boolean) | undefined;
  /** Used instead of the client's `fetch`. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Receives a function to call while a body is being sent, so that a slow connection is not taken for a broken one. */
  readonly onAttempt?: ((touch: () => void) => void) | undefined;
}

export interface TransportOptions {
  readonly url: URL;
  readonly credential: (() => string | undefined | Promise<string | undefined>) | undefined;
  readonly fetch: typeof globalThis.fetch;
  readonly timeoutMs: number;
  readonly retries: number;
  readonly reconnectMs: number;
}

interface ExchangeOptions {
  readonly withKey: boolean;
  /** Sends the key after a redirect too. */
  readonly keepsKey: boolean;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Transport = ReturnType<typeof createTransport>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;
/** Sent by a proxy whose server is down. */
const UNAVAILABLE_STATUSES = new Set([502, 503, 504]);

export function createTransport({
  url: base,
  credential,
  fetch: callFetch,
  timeoutMs,
  retries,
  reconnectMs,
}: TransportOptions) {
  /** Browsers hide the target of a redirect. They follow it themselves and drop the key if the origin differs. */
  let readsRedirects = true;
  let hasAnswered = false;

  /** Waits for a server that has answered before; one that never did is probably a wrong address. */
  function shouldWait(error: AtelierError, failingMs: number): boolean {
    const isAway = error instanceof ConnectionError || UNAVAILABLE_STATUSES.has(error.status ?? 0);
    return hasAnswered && isAway && failingMs < reconnectMs;
  }

  function addressOf(path: string, query: Query = {}): URL {
    const address = new URL(base.href.replace(/\/$/, '') + path);
    for (const [name, value] of Object.entries(query)) {
      if (value === undefined) continue;
      address.searchParams.set(name, Array.isArray(value) ? value.join(',') : String(value));
    }
    return address;
  }

  async function exchangeOnce(
    address: URL,
    init: RequestInit,
    {
      withKey,
      fetch = callFetch,
    }: { readonly withKey: boolean; readonly fetch?: typeof callFetch | undefined },
  ): Promise<Response> {
    const headers = new Headers(init.headers);
    const key = withKey ? (await credential?.())?.trim() : undefined;
    // `fetch` would throw an error that contains the key.
    if (key && !/^[\x21-\x7e]+$/.test(key)) throw usageError('The API key contains invalid characters.');
    if (key) headers.set('authorization', `Bearer ${key}`);
    try {
      const response = await fetch(address, {
        ...init,
        headers,
        redirect: readsRedirects ? 'manual' : 'follow',
        credentials: withKey ? 'same-origin' : 'omit',
      });
      if (address.origin === base.origin && !UNAVAILABLE_STATUSES.has(response.status)) hasAnswered = true;
      return response;
    } catch (error) {
      init.signal?.throwIfAborted();
      if (error instanceof AtelierError) throw error;
      throw new ConnectionError(`Cannot reach ${address.origin}: ${reasonOf(error)}`, error);
    }
  }

  /** The response after redirects. The key goes only to the server's own origin, never to a link. */
  async function exchange(
    target: URL,
    init: RequestInit,
    { withKey, keepsKey, fetch }: ExchangeOptions,
  ): Promise<Response> {
    let address = target;
    for (let hop = 0; hop <= MAX_REDIRECTS; hop += 1) {
      const isTrusted = withKey && address.origin === base.origin && (hop === 0 || keepsKey);
      let response = await exchangeOnce(address, init, { withKey: isTrusted, fetch });
      if (response.type === 'opaqueredirect') {
        readsRedirects = false;
        response = await exchangeOnce(address, init, { withKey: isTrusted, fetch });
      }
      const location = response.headers.get('location');
      if (!REDIRECTS.has(response.status) || location === null) return response;
      await response.body?.cancel();
      address = new URL(location, address);
      if (init.method !== 'GET' && init.method !== 'HEAD') {
        throw new AtelierError(
          'client.answer',
          `The server has moved: use ${address.origin} as its address.`,
        );
      }
    }
    throw new AtelierError('client.answer', `${target.origin} redirects in a loop.`);
  }

  async function request<T>(
    method: Method,
    path: string,
    { read, ...options }: RequestOptions & { readonly read: (response: Response) => Promise<T> },
  ): Promise<T> {
    const { query, body, makeBody, headers, signal, isRepeatable, isDone, onAttempt } = options;
    const isSafe = isRepeatable ?? (method !== 'POST' && method !== 'PATCH');
    return await withRetries(
      async (attempt) => {
        const deadline = createDeadline(options.timeoutMs ?? timeoutMs, signal);
        onAttempt?.(deadline.touch);
        const made = makeBody?.();
        const content = made ? made.body : body === undefined ? undefined : JSON.stringify(body);
        try {
          const response = await exchange(
            addressOf(path, query),
            {
              method,
              headers: {
                accept: 'application/json',
                ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                ...made?.headers,
                ...headers,
              },
              ...(content === undefined || content === null ? {} : { body: content }),
              ...(content instanceof ReadableStream ? { duplex: 'half' } : {}),
              signal: deadline.signal,
            },
            { withKey: true, keepsKey: true, fetch: options.fetch },
          );
          if (!response.ok) throw await errorOf(response);
          return await read(response);
        } catch (error) {
          deadline.signal.throwIfAborted();
          const isOver = attempt > 0 && error instanceof AtelierError;
          // The first request had deleted it, and its response was lost.
          if (isOver && ((method === 'DELETE' && error.status === 404) || isDone?.(error))) {
            return undefined as T;
          }
          throw toAtelierError(error);
        } finally {
          deadline.end();
        }
      },
      {
        retries,
        signal,
        // A rate-limited request was not executed. A timeout of a small request is reported instead of waiting again.
        isSafe: (error) =>
          (isSafe && (makeBody !== undefined || !(error instanceof TimeoutError))) || error.status === 429,
        shouldWait,
      },
    );
  }

  /** Requests a JSON response of a named type. */
  const asking =
    (method: Method) =>
    async <Name extends AnswerName>(answer: Name, path: string, options: RequestOptions = {}) =>
      await request<AnswerOf<Name>>(method, path, {
        ...options,
        read: async (response) => await readAnswer(answer, response, options.isExact),
      });

  return {
    timeoutMs,
    retries,
    shouldWait,
    addressOf,
    get: asking('GET'),
    post: asking('POST'),
    put: asking('PUT'),
    patch: asking('PATCH'),
    delete: asking('DELETE'),
    text: async (path: string, options: RequestOptions = {}): Promise<string> =>
      await request('GET', path, { ...options, read: async (response) => await readBody(response) }),

    /** One attempt to get a response whose body the caller reads. A redirect to a link is followed without the key. */
    async open(path: string, init: RequestInit, query?: Query): Promise<Response> {
      const found = { method: 'GET', ...init };
      return await exchange(addressOf(path, query), found, { withKey: true, keepsKey: false });
    },

    /** The same for a signed link, which needs no key. */
    async openLink(link: string, init: RequestInit, fetch?: typeof callFetch): Promise<Response> {
      const found = { method: 'GET', ...init };
      return await exchange(new URL(link, base), found, { withKey: false, keepsKey: false, fetch });
    },
  };
}

/** An error while a body is read is a broken connection too. */
export function toAtelierError(error: unknown): AtelierError {
  if (error instanceof AtelierError) return error;
  return new ConnectionError(`The connection broke: ${reasonOf(error)}`, error);
}

/** OpenSSL's codes for a response that is not TLS. */
const PLAIN_HTTP = /^(?:EPROTO|ERR_SSL_(?:WRONG_VERSION_NUMBER|PACKET_LENGTH_TOO_LONG))$/;

/** Node says "fetch failed" and keeps the reason in the cause. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const { cause } = error;
  const code = cause instanceof Error && 'code' in cause ? String(cause.code) : '';
  if (PLAIN_HTTP.test(code)) return 'it speaks http, not https.';
  if (cause instanceof Error) return cause.message || ('code' in cause ? String(cause.code) : error.message);
  return error.message;
}
