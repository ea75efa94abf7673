import { AtelierError, ConnectionError, TimeoutError, usageError } from '../errors.ts';
import { type AnswerName, type AnswerOf, readAnswer, readBody } from './answer.ts';
import { createDeadline } from './deadline.ts';
import { errorOf } from './error-of.ts';
import { withRetries } from './retry.ts';

/** What every method takes. */
export interface CallOptions {
  /** Ends the call; it then throws the reason of the signal. */
  readonly signal?: AbortSignal | undefined;
  /** How long to wait for the server, instead of what the client was created with. */
  readonly timeoutMs?: number | undefined;
}

export type Query = Readonly<
  Record<string, string | number | boolean | readonly (string | number)[] | undefined>
>;

export interface RequestOptions extends CallOptions {
  readonly query?: Query | undefined;
  /** Sent as JSON. */
  readonly body?: unknown;
  /** Sent as it is; made anew for each attempt, because a stream can be read once. */
  readonly makeBody?:
    | (() => { readonly body: RequestInit['body']; readonly headers: Readonly<Record<string, string>> })
    | undefined;
  readonly headers?: Readonly<Record<string, string>> | undefined;
  /** Whether it may be sent twice: a POST that has an idempotency key, or does the same again. All but POST and PATCH may by default. */
  readonly isRepeatable?: boolean | undefined;
  /** Whole numbers beyond 53 bits come as `bigint`. */
  readonly isExact?: boolean | undefined;
  /** The answer that a repetition gets when the first request had arrived. */
  readonly isDone?: ((error: AtelierError) => boolean) | undefined;
  /** Instead of the client's own. */
  readonly fetch?: typeof globalThis.fetch | undefined;
  /** Gives what is to be called while a body is sent, so that a slow connection is not taken for a broken one. */
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
  /** Also behind a redirect. */
  readonly keepsKey: boolean;
  readonly fetch?: typeof globalThis.fetch | undefined;
}

type Method = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
export type Transport = ReturnType<typeof createTransport>;

const REDIRECTS = new Set([301, 302, 303, 307, 308]);
const MAX_REDIRECTS = 5;
/** Of a proxy before a server that is away. */
const AWAY_STATUSES = new Set([502, 503, 504]);

export function createTransport({
  url: base,
  credential,
  fetch: callFetch,
  timeoutMs,
  retries,
  reconnectMs,
}: TransportOptions) {
  /** Browsers hide where a redirect leads. They follow it themselves, and leave the key out where the origin is another. */
  let readsRedirects = true;
  let hasAnswered = false;

  /** A server that was there is waited for; one that never was is probably a wrong address. */
  function isAwaited(error: AtelierError, failingMs: number): boolean {
    const isAway = error instanceof ConnectionError || AWAY_STATUSES.has(error.status ?? 0);
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
    // `fetch` would refuse it with a text that shows it.
    if (key && !/^[\x21-\x7e]+$/.test(key)) throw usageError('The key has characters that no key has.');
    if (key) headers.set('authorization', `Bearer ${key}`);
    try {
      const response = await fetch(address, {
        ...init,
        headers,
        redirect: readsRedirects ? 'manual' : 'follow',
        credentials: withKey ? 'same-origin' : 'omit',
      });
      if (address.origin === base.origin && !AWAY_STATUSES.has(response.status)) hasAnswered = true;
      return response;
    } catch (error) {
      init.signal?.throwIfAborted();
      if (error instanceof AtelierError) throw error;
      throw new ConnectionError(`Cannot reach ${address.origin}: ${reasonOf(error)}`, error);
    }
  }

  /** The answer, behind redirects. The key goes to the server's own origin only, and to no link. */
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
    throw new AtelierError('client.answer', `${target.origin} redirects in a circle.`);
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
          // A deletion whose answer was lost has been done.
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
        // What was refused for its number was not done. Who has waited for a small answer in vain is told so, and not let wait again.
        isSafe: (error) =>
          (isSafe && (makeBody !== undefined || !(error instanceof TimeoutError))) || error.status === 429,
        isAwaited,
      },
    );
  }

  /** Asks for a JSON answer, by its name. */
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
    isAwaited,
    addressOf,
    get: asking('GET'),
    post: asking('POST'),
    put: asking('PUT'),
    patch: asking('PATCH'),
    delete: asking('DELETE'),
    text: async (path: string, options: RequestOptions = {}): Promise<string> =>
      await request('GET', path, { ...options, read: async (response) => await readBody(response) }),

    /** One attempt at an answer whose body the caller reads. A redirect to a link is followed without the key. */
    async open(path: string, init: RequestInit, query?: Query): Promise<Response> {
      const found = { method: 'GET', ...init };
      return await exchange(addressOf(path, query), found, { withKey: true, keepsKey: false });
    },

    /** The same for a link, which is its own credential. */
    async openLink(link: string, init: RequestInit, fetch?: typeof callFetch): Promise<Response> {
      const found = { method: 'GET', ...init };
      return await exchange(new URL(link, base), found, { withKey: false, keepsKey: false, fetch });
    },
  };
}

/** What breaks while an answer is read is a broken connection too. */
export function toAtelierError(error: unknown): AtelierError {
  if (error instanceof AtelierError) return error;
  return new ConnectionError(`The connection broke: ${reasonOf(error)}`, error);
}

/** What OpenSSL calls an answer that is not TLS. */
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
