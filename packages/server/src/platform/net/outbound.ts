import type { IncomingHttpHeaders } from 'node:http';
import type { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';

import type { AllowList } from './allow-list.ts';
import { boundBody, tooLarge } from './bounded-body.ts';
import { connectTo } from './connect.ts';
import { exchange, type Hop, type Method, type OpenAnswer } from './exchange.ts';
import { OutboundError, toOutboundError } from './outbound-error.ts';
import { nextHop } from './redirect.ts';
import { type Lookup, type Policy, type Protocol, resolveTarget, systemLookup } from './target.ts';

export interface CheckOptions {
  /** Plain http to an entry of the allow list passes even if only https is listed. */
  readonly protocols: readonly Protocol[];
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundRequest {
  readonly method?: Method;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string | Uint8Array | undefined;
  readonly protocols: readonly Protocol[];
  readonly maxBytes: number;
  /** For everything, from the name lookup to the last byte of the body. */
  readonly timeoutMs: number;
  /** 0 by default: a redirect is returned like any other answer. */
  readonly maxRedirects?: number;
  readonly signal?: AbortSignal | undefined;
}

export interface OutboundAnswer<Body> {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
  /** As sent; still encoded if the server ignored `accept-encoding`. */
  readonly body: Body;
  /** After redirects. */
  readonly url: string;
}

export type Outbound = ReturnType<typeof createOutbound>;

interface OutboundOptions {
  readonly allow: AllowList;
  readonly lookup?: Lookup;
}

const CHECK_TIMEOUT_MS = 5_000;
const DEFAULT_HEADERS = { accept: '*/*', 'accept-encoding': 'identity', 'user-agent': 'Atelier' } as const;

/** The only way out of the service. Every function throws an `OutboundError`. */
export function createOutbound({ allow, lookup = systemLookup }: OutboundOptions) {
  const policy: Policy = { allow, lookup };
  const underWay = new Set<AbortController>();
  let isClosed = false;

  /** One signal for timeout, cancellation and close, whose reason is the error to throw. Must be cleared. */
  function startDeadline(timeoutMs: number, signal: AbortSignal | undefined) {
    const controller = new AbortController();
    const abort = (...error: ConstructorParameters<typeof OutboundError>) =>
      controller.abort(new OutboundError(...error));
    const onAbort = () => abort('aborted', 'The request was called off.', { cause: signal?.reason });
    const timer = setTimeout(() => {
      abort('timeout', `There was no complete answer within ${timeoutMs} ms.`);
    }, timeoutMs);
    if (signal?.aborted) onAbort();
    signal?.addEventListener('abort', onAbort, { once: true });
    if (isClosed) controller.abort(closed());
    underWay.add(controller);
    const clear = (): void => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', onAbort);
      underWay.delete(controller);
    };
    return { signal: controller.signal, clear, [Symbol.dispose]: clear };
  }

  /** Whether a request to the URL would be allowed now. Returns the parsed URL. */
  async function check(url: string | URL, options: CheckOptions): Promise<URL> {
    const { protocols, timeoutMs = CHECK_TIMEOUT_MS, signal } = options;
    using deadline = startDeadline(timeoutMs, signal);
    const target = await resolveTarget(policy, url, { protocols, signal: deadline.signal });
    return target.url;
  }

  /** The body must be read to its end or destroyed; until then, or the deadline, it holds a connection. */
  async function open(url: string | URL, options: OutboundRequest): Promise<OutboundAnswer<Readable>> {
    const deadline = startDeadline(options.timeoutMs, options.signal);
    try {
      const { maxBytes } = options;
      const { signal } = deadline;
      const last = await follow(policy, toFirstHop(url, options), { ...options, signal });
      const { answer } = last;
      refuseStatedLength(answer, last.method, maxBytes);
      const body = boundBody(answer, { maxBytes, signal, onClose: deadline.clear });
      return { status: answer.status, headers: answer.headers, url: last.url.href, body };
    } catch (error) {
      deadline.clear();
      throw error;
    }
  }

  async function request(url: string | URL, options: OutboundRequest): Promise<OutboundAnswer<Buffer>> {
    const answer = await open(url, options);
    return { ...answer, body: await buffer(answer.body) };
  }

  /** Aborts everything under way. */
  function close(): void {
    isClosed = true;
    for (const controller of underWay) controller.abort(closed());
  }

  return { check, open, request, close };
}

type FollowOptions = Pick<OutboundRequest, 'protocols' | 'maxRedirects'> & { readonly signal: AbortSignal };

async function follow(policy: Policy, first: Hop, options: FollowOptions) {
  const { protocols, maxRedirects = 0, signal } = options;
  let hop = first;
  let sent = false;
  try {
    for (let redirects = 0; ; redirects += 1) {
      const target = await resolveTarget(policy, hop.url, { protocols, signal });
      const socket = await connectTo(target, signal);
      sent = true;
      const answer = await exchange(socket, target.url, hop, signal);
      const next = maxRedirects === 0 ? undefined : nextHop(hop, target.url, answer);
      if (!next) return { answer, url: target.url, method: hop.method };
      answer.release();
      if (redirects === maxRedirects) {
        throw new OutboundError('redirects', `The server redirected more than ${maxRedirects} times.`);
      }
      hop = next;
    }
  } catch (error) {
    throw toOutboundError(error, { sent });
  }
}

function toFirstHop(url: string | URL, { method = 'GET', headers = {}, body }: OutboundRequest): Hop {
  const own = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  return { url: String(url), method, body, headers: { ...DEFAULT_HEADERS, ...Object.fromEntries(own) } };
}

function refuseStatedLength(answer: OpenAnswer, method: Method, maxBytes: number): void {
  if (method === 'HEAD' || !(Number(answer.headers['content-length']) > maxBytes)) return;
  answer.release();
  throw tooLarge(maxBytes);
}

function closed(): OutboundError {
  return new OutboundError('aborted', 'The service is stopping.');
}
