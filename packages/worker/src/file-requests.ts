import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';

interface Parts {
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
  /** For how long a server that does not answer is asked again. One whose file store is in trouble is waited for as long as the attempt. */
  readonly patienceMs?: number;
}

interface Call {
  readonly method?: 'GET' | 'POST' | 'PUT';
  readonly path?: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly json?: object;
  /** A file to send, or `bytes` of it from there on. */
  readonly file?: string;
  readonly from?: number;
  /** How much is sent or fetched. */
  readonly bytes?: number;
  /** The server may name the store that has it. After a failure it is asked to send it itself. */
  readonly mayRedirect?: boolean;
}

/** The server has answered that it will not do it. */
export class RefusedRequest extends Error {
  override readonly name = 'RefusedRequest';
  readonly status: number;
  readonly code: string;
  /** An earlier try of the same call may have reached the server. */
  readonly wasSentBefore: boolean;
  constructor(status: number, { code, message, wasSentBefore }: Omit<RefusedRequest, 'name' | 'status'>) {
    super(message);
    this.status = status;
    this.code = code;
    this.wasSentBefore = wasSentBefore;
  }
}

/** Longer than a worker may be away from its server: after that nobody waits for the attempt any more. */
const PATIENCE_MS = 60_000;
const FIRST_PAUSE_MS = 100;
const MAX_PAUSE_MS = 5000;
/** A fraction of the patience: behind a load balancer the next try may reach a server that does not stand still. */
const REQUEST_MS = 15_000;
/** A slower connection is taken for a broken one. */
const MIN_BYTES_PER_MS = 50;
/** The store has these bytes. */
const ALREADY_THERE = 412;
/** Of servers that start or stop, and of the proxies before them. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Sends requests about the files of an attempt, again and again when the server is away for a moment. */
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
      // Without the key, when it leads elsewhere.
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
        // The server itself may send what the store would not.
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

/** Sends a file to the store that the server has named. False when that cannot be done: then the server takes it. */
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

/** What the server has said is shown as it is. */
function lateFor(error: unknown, patienceMs: number): unknown {
  if (error instanceof RefusedRequest) return error;
  return new Error(`The server did not answer for ${Math.round(patienceMs / 1000)} seconds.`, {
    cause: error,
  });
}

/** The server is there, and its store may need an operator. */
function isOfStore(error: unknown): boolean {
  return error instanceof RefusedRequest && error.code === 'server.file_store';
}

/** `fetch` says `TypeError` for every broken connection, also while the body is read. */
function isPassing(error: unknown): boolean {
  if (error instanceof RefusedRequest) return PASSING.has(error.status);
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
