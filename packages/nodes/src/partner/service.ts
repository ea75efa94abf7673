import { createWriteStream } from 'node:fs';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Interrupted, type NodeContext, NodeError, valueError } from '@atelier/engine';

/** A request to this server in the name of the submitter. */
export interface Ask {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly body?: Readonly<Record<string, unknown>>;
  /** Requests with the same key create one task. */
  readonly idempotencyKey?: string;
}

/** An answer of any status. */
export interface Answer {
  readonly status: number;
  /** `undefined` if it is not JSON. */
  readonly body: unknown;
  /** How long the server wants the client to wait. */
  readonly retryAfterMs: number | undefined;
}

/** No complete answer arrived, so the server may or may not have handled the request. */
export class Unanswered extends Error {
  override readonly name = 'Unanswered';
}

export type Service = ReturnType<typeof openService>;

export interface ServiceOptions {
  readonly signal: AbortSignal;
  /** Tests replace it, so that they do not wait. */
  readonly rest?: (ms: number, signal: AbortSignal) => Promise<void>;
}

const ASK_MS = 120_000;
const TRANSFER_MS = 15 * 60_000;
/** Room for a task that repeats a payload of 1 048 576 characters. */
const MAX_ANSWER_BYTES = 8 * 2 ** 20;

/** Connects a node to the server that it runs on, with the key of the user who submitted the workflow. */
export function openService(
  { hidden }: Pick<NodeContext, 'hidden'>,
  { signal, rest = async (ms, until) => await sleep(ms, undefined, { signal: until }) }: ServiceOptions,
) {
  const base = apiAddress();
  const key = keyOf(hidden);
  /** Removes the key. */
  const clean = (text: string): string => text.replaceAll(key, '[REDACTED]');

  /** Ends the work when the job is cancelled or the time is up. */
  async function within<T>(ms: number, work: (limit: AbortSignal) => Promise<T>): Promise<T> {
    if (signal.aborted) throw new Interrupted();
    try {
      return await work(AbortSignal.any([signal, AbortSignal.timeout(ms)]));
    } catch (error) {
      if (signal.aborted) throw new Interrupted();
      if (error instanceof NodeError || error instanceof Unanswered) throw error;
      throw new Unanswered(clean(reasonOf(error)));
    }
  }

  return {
    clean,

    /** Throws `Unanswered` if the answer was lost. */
    async ask({ method, path, body, idempotencyKey }: Ask): Promise<Answer> {
      const headers = {
        accept: 'application/json',
        'x-api-key': key,
        ...(body ? { 'content-type': 'application/json' } : {}),
        ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
      };
      return await within(ASK_MS, async (limit) => {
        const content = body ? { body: JSON.stringify(body) } : {};
        return await toAnswer(
          await request(`${base}${path}`, { method, headers, ...content, signal: limit }),
        );
      });
    },

    /** Sends bytes to a signed link, which needs no key. */
    async upload(url: string, bytes: Uint8Array<ArrayBuffer>, mediaType: string): Promise<Answer> {
      checkLink(url);
      return await within(TRANSFER_MS, async (limit) => {
        const headers = { 'content-type': mediaType };
        return await toAnswer(await request(url, { method: 'PUT', headers, body: bytes, signal: limit }));
      });
    },

    /** Downloads a signed link to a file. */
    async download(url: string, path: string, { maxBytes }: { readonly maxBytes: number }): Promise<void> {
      checkLink(url);
      await within(TRANSFER_MS, async (limit) => {
        const response = await request(url, { method: 'GET', headers: {}, signal: limit });
        if (!response.ok || !response.body) {
          await response.body?.cancel();
          throw new Unanswered(`the link of the result was answered with ${response.status}`);
        }
        const source = Readable.from(response.body);
        await pipeline(source, atMost(maxBytes), createWriteStream(path), { signal: limit });
      });
    },

    /** Waits, unless the job is cancelled. */
    async pause(ms: number): Promise<void> {
      if (signal.aborted) throw new Interrupted();
      try {
        await rest(ms, signal);
      } catch (error) {
        throw signal.aborted ? new Interrupted() : error;
      }
    },
  };
}

function apiAddress(): string {
  // oxlint-disable-next-line node/no-process-env -- the environment of the thread that nodes run in: there is nothing else in it
  const address = process.env['ATELIER_API_URL'];
  if (address !== undefined && address !== '') return address.replace(/\/+$/, '');
  throw new NodeError(
    'RuntimeError',
    'This node calls the server it runs on, but ATELIER_API_URL does not say where that is.',
  );
}

function keyOf({ apiKey }: NodeContext['hidden']): string {
  // Other keys are refused here, because an error about an invalid header would quote the key.
  if (apiKey !== undefined && /^[!-~]+$/.test(apiKey)) return apiKey;
  throw new NodeError(
    'PermissionError',
    'This node generates in your name and was given no credential: submit the workflow to the server, or with an API key as extra_data.api_key_platform_org.',
  );
}

async function request(
  url: string,
  init: Pick<RequestInit, 'body'> & { method: string; headers: Record<string, string>; signal: AbortSignal },
): Promise<Response> {
  // oxlint-disable-next-line no-restricted-globals -- to the server itself and to links of its own, never to where a user says
  return await fetch(url, { ...init, redirect: 'manual' });
}

async function toAnswer(response: Response): Promise<Answer> {
  const text = await boundedText(response);
  return {
    status: response.status,
    body: parsed(text),
    retryAfterMs: retryAfterMs(response.headers.get('retry-after')),
  };
}

async function boundedText({ body }: Response): Promise<string> {
  const pieces: Uint8Array[] = [];
  let size = 0;
  for await (const piece of body ?? []) {
    size += piece.byteLength;
    if (size > MAX_ANSWER_BYTES) throw malformedAnswer();
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString('utf8');
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return undefined;
  }
}

/** RFC 9110, 10.2.3: seconds, or a date. */
export function retryAfterMs(value: string | null, now: number = Date.now()): number | undefined {
  if (value === null) return undefined;
  if (/^\d+$/.test(value.trim())) return Number(value) * 1000;
  const date = Date.parse(value);
  return Number.isNaN(date) ? undefined : Math.max(0, date - now);
}

export function malformedAnswer(): NodeError {
  return new NodeError(
    'ConnectionError',
    'The server answered in a form that this node does not know. Is it of another version?',
  );
}

function checkLink(url: string): void {
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol)) throw malformedAnswer();
}

function atMost(maxBytes: number): Transform {
  let size = 0;
  return new Transform({
    transform(piece: Uint8Array, _encoding, done) {
      size += piece.byteLength;
      if (size <= maxBytes) done(null, piece);
      else done(valueError(`The result is larger than ${maxBytes / 2 ** 20} MiB.`));
    },
  });
}

/** `fetch` hides the cause of a failure. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'no answer came in time';
  return error.cause instanceof Error ? error.cause.message : error.message;
}
