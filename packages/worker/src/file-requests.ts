import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';

interface Parts {
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
  /** How long to retry when the server does not answer. When its file store fails, requests are retried as long as the attempt lasts. */
  readonly patienceMs?: number;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** A file to send: `bytes` of it, starting at `from`. */
  readonly file?: string;
  readonly from?: number;
  /** How many bytes are sent or fetched. */
  readonly bytes?: number;
  /** The server may redirect to its store. After a failure, the server sends the file itself. */
  readonly mayRedirect?: boolean;
}

/** The server answered with an error. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;
  readonly code: string;
  /** Whether an earlier try of the same call may have reached the server. */
  readonly wasSentBefore: boolean;
  constructor(status: number, { code, message, wasSentBefore }: Omit<RefusedRequest, 'name' | 'status'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.wasSentBefore = wasSentBefore;
  }
}

/** Longer than a worker may be away from its server: then nobody waits for the attempt. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;
/** A fraction of the patience: behind a load balancer, the next try may reach another server. */
const REQUEST_MS = 15_000;
/** A slower connection is treated as broken. */
const MIN_BYTES_PER_MS = 50;
/** The store already has these bytes. */
const ALREADY_THERE = 412;
/** Statuses of servers that start or stop, and of proxies in front of them. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Sends requests about the files of an attempt, and retries them while the server is away. */
export function createFileRequests({ url, key, signal, patienceMs = PATIENCE_MS }: Parts) {
  async function callOnce<T>(call: Call, use: (answer: Response) => Promise<T>, wasSentBefore: boolean) {
    const { method = 'GET', path = '', query = {}, headers, json, file, from = 0, bytes = 0 } = call;
    const isDirect = call.mayRedirect === true && !wasSentBefore;
    const deadline = AbortSignal.timeout(REQUEST_MS + Math.ceil(bytes / MIN_BYTES_PER_MS));
    const type = json ? 'application/json' : 'application/octet-stream';
    const body = json ? JSON.stringify(json) : file && (await openAsBlob(file)).slice(from, from + bytes);
    // oxlint-disable-next-line no-restricted-globals -- the operator has named this server.
    const answer = await fetch(`${url}${path}?${new URLSearchParams(query)}`, {
      method,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body !== undefined && { 'content-type': type }),
        ...headers,
        ...(isDirect && { 'atelier-direct': '1' }),
      },
      signal: AbortSignal.any([signal, deadline]),
      // `fetch` does not send the key to another origin.
      redirect: isDirect ? 'follow' : 'error',
      ...(body !== undefined && { body }),
    });
    if (answer.ok) return await use(answer);
    throw await refusal(answer, wasSentBefore);
  }

  return async function call<T>(options: Call, use: (answer: Response) => Promise<T>): Promise<T> {
    const giveUpAt = performance.now() + patienceMs;
    let pause = FIRST_PAUSE_MS;
    for (let wasSentBefore = false; ; wasSentBefore = true) {
      try {
        return await callOnce(options, use, wasSentBefore);
      } catch (error) {
        signal.throwIfAborted();
        // The server may send what the store did not.
        const mayFallBack = options.mayRedirect === true && !wasSentBefore;
        if (!mayFallBack && !isPassing(error)) throw error;
        const isLate = performance.now() > giveUpAt && !isOfStore(error);
        if (!mayFallBack && isLate) throw lateFor(error, patienceMs);
        await delay(pause * (0.5 + Math.random()), undefined, { signal });
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
      }
    }
  };
}

/** Sends a file directly to the store. False when that fails, and the server has to take it. */
export async function putDirectly(
  { url, headers }: { readonly url: string; readonly headers: Readonly<Record<string, string>> },
  path: string,
  { size, signal }: { readonly size: number; readonly signal: AbortSignal },
): Promise<boolean> {
  const deadline = AbortSignal.timeout(REQUEST_MS + Math.ceil(size / MIN_BYTES_PER_MS));
  try {
    // oxlint-disable-next-line no-restricted-globals -- the server has named it.
    const answer = await fetch(url, {
      method: 'PUT',
      headers,
      body: await openAsBlob(path),
      redirect: 'error',
      signal: AbortSignal.any([signal, deadline]),
    });
    await answer.body?.cancel();
    return answer.ok || answer.status === ALREADY_THERE;
  } catch {
    signal.throwIfAborted();
    return false;
  }
}

async function refusal(answer: Response, wasSentBefore: boolean): Promise<RefusedRequest> {
  const body: unknown = await answer.json().catch(() => undefined);
  const { code, message } = isObject(body) ? body : {};
  return new RefusedRequest(answer.status, {
    code: typeof code === 'string' ? code : '',
    message: typeof message === 'string' ? message : `The server answered ${answer.status}.`,
    wasSentBefore,
  });
}

/** An answer of the server is shown as it is. */
function lateFor(error: unknown, patienceMs: number): unknown {
  if (error instanceof RefusedRequest) return error;
  return new Error(`The server did not answer for ${Math.round(patienceMs / 1000)} seconds.`, {
    cause: error,
  });
}

/** The server answers, but its store fails and may need an operator. */
function isOfStore(error: unknown): boolean {
  return error instanceof RefusedRequest && error.code === 'server.file_store';
}

/** `fetch` throws a `TypeError` for every broken connection, also while the body is read. */
function isPassing(error: unknown): boolean {
  if (error instanceof RefusedRequest) return PASSING.has(error.status);
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
