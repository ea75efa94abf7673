import { openAsBlob } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { isObject } from '@atelier/contracts/is-object';

interface Parts {
  readonly url: string;
  readonly key: string;
  readonly signal: AbortSignal;
  /** For how long a server that does not answer is asked again. */
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
const REQUEST_MS = 60_000;
/** A slower connection is taken for a broken one. */
const MIN_BYTES_PER_MS = 50;
/** Of servers that start or stop, and of the proxies before them. */
const PASSING = new Set([408, 429, 502, 503, 504]);

/** Sends requests about the files of an attempt, again and again when the server is away for a moment. */
export function createFileRequests({ url, key, signal, patienceMs = PATIENCE_MS }: Parts) {
  async function callOnce<T>(call: Call, use: (answer: Response) => Promise<T>, wasSentBefore: boolean) {
    const { method = 'GET', path = '', query = {}, headers, json, file, from = 0, bytes = 0 } = call;
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
      },
      signal: AbortSignal.any([signal, deadline]),
      redirect: 'error',
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
        if (!isPassing(error) || performance.now() > giveUpAt) throw error;
        await delay(pause * (0.5 + Math.random()), undefined, { signal });
        pause = Math.min(pause * 2, MAX_PAUSE_MS);
      }
    }
  };
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

/** `fetch` says `TypeError` for every broken connection, also while the body is read. */
function isPassing(error: unknown): boolean {
  if (error instanceof RefusedRequest) return PASSING.has(error.status);
  return error instanceof TypeError || (error instanceof Error && error.name === 'TimeoutError');
}
