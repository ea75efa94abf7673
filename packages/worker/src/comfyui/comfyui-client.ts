import { createWriteStream } from 'node:fs';
import { Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { present } from '@atelier/contracts/present';
import { parsePlainPythonJson } from '@atelier/engine/runner';
import type { SavedFile } from '@atelier/nodes/save-path';

/** ComfyUI did not answer: the port is closed, the connection broke, or it took too long. */
export class Unreachable extends Error {
  override readonly name = 'Unreachable';
  /** Such as `ECONNREFUSED`, or `TIMEOUT`. */
  readonly code: string;
  constructor(code: string, cause: unknown) {
    super(`ComfyUI does not answer (${code}).`, { cause });
    this.code = code;
  }
}

/** ComfyUI answered with an error. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
  readonly status: number;
  readonly body: unknown;
  constructor(path: string, status: number, body: unknown) {
    super(`ComfyUI answered ${path} with ${status}.`);
    this.status = status;
    this.body = body;
  }
}

export interface RequestOptions {
  readonly signal?: AbortSignal;
  readonly deadlineMs?: number;
  readonly maxBytes?: number;
  /** Do not send it again when its connection breaks. */
  readonly isOnce?: boolean;
}

interface Body {
  readonly method: 'POST';
  readonly headers?: Readonly<Record<string, string>>;
  readonly body: string | FormData;
}

/** A fetched file: its bytes or its path on this machine. */
export type Fetched = Buffer | string;

export interface DownloadOptions {
  readonly signal: AbortSignal;
  readonly maxBytes: number;
  readonly newPath: () => Promise<string>;
}

/** `onBytes` restarts the deadline. */
type Use<T> = (answer: Response, onBytes: () => void) => Promise<T>;

export type ComfyClient = ReturnType<typeof createComfyClient>;

/** A node that holds Python's interpreter lock delays every answer. */
const DEADLINE_MS = 30_000;
const MAX_ANSWER_BYTES = 16 * 2 ** 20;
const MAX_ERROR_BYTES = 2 ** 20;
/** Enough for usual pictures. Using a file would cost about twenty more disk operations. */
export const MAX_IN_MEMORY_BYTES = 16 * 2 ** 20;
/** A download that stalls this long is treated as broken. */
const STALLED_MS = 90_000;
/** A slower upload is treated as broken. */
const MIN_BYTES_PER_MS = 50;

/** Requests to a ComfyUI. They reject with `Unreachable` or `Refusal`. */
export function createComfyClient(url: string) {
  const base = url.replace(/\/+$/, '');

  /** Tries twice, because ComfyUI may close an idle connection at the moment when a request uses it. */
  async function request<T>(path: string, options: RequestOptions, use: Use<T>, init?: Body): Promise<T> {
    try {
      return await requestOnce(path, options, use, init);
    } catch (error) {
      const isBroken =
        error instanceof Unreachable && error.code !== 'ECONNREFUSED' && error.code !== 'TIMEOUT';
      if (!isBroken || options.isOnce) throw error;
      return await requestOnce(path, options, use, init);
    }
  }

  async function requestOnce<T>(
    path: string,
    { signal, deadlineMs = DEADLINE_MS }: RequestOptions,
    use: Use<T>,
    init?: Body,
  ): Promise<T> {
    const late = new AbortController();
    const timer = setTimeout(() => late.abort(new DOMException('', 'TimeoutError')), deadlineMs);
    try {
      // oxlint-disable-next-line no-restricted-globals -- the operator has named this ComfyUI.
      const answer = await fetch(`${base}${path}`, {
        ...init,
        redirect: 'manual',
        signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
      });
      if (answer.ok) return await use(answer, () => timer.refresh());
      throw new Refusal(path, answer.status, parsed(await readText(answer, MAX_ERROR_BYTES).catch(() => '')));
    } catch (error) {
      if (error instanceof Refusal || error instanceof TooLarge) throw error;
      signal?.throwIfAborted();
      throw new Unreachable(codeOf(error), error);
    } finally {
      clearTimeout(timer);
    }
  }

  const readJson =
    (maxBytes = MAX_ANSWER_BYTES) =>
    async (answer: Response): Promise<unknown> =>
      parsed(await readText(answer, maxBytes));

  return {
    url: base,
    get: async (path: string, options: RequestOptions = {}): Promise<unknown> =>
      await request(path, options, readJson(options.maxBytes)),

    getText: async (path: string, options: RequestOptions = {}): Promise<string> =>
      await request(
        path,
        options,
        async (answer) => await readText(answer, options.maxBytes ?? MAX_ANSWER_BYTES),
      ),

    /** `body` is JSON. */
    post: async (path: string, body: string, options: RequestOptions = {}): Promise<unknown> =>
      await request(path, options, readJson(options.maxBytes), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body,
      }),

    async upload(
      file: Blob,
      { filename, subfolder, type }: SavedFile,
      { signal }: Pick<RequestOptions, 'signal'> = {},
    ): Promise<void> {
      const form = new FormData();
      form.set('image', file, filename);
      form.set('subfolder', subfolder);
      form.set('type', type);
      form.set('overwrite', 'true');
      const deadlineMs = DEADLINE_MS + Math.ceil(file.size / MIN_BYTES_PER_MS);
      await request('/upload/image', { ...present({ signal }), deadlineMs }, readJson(), {
        method: 'POST',
        body: form,
      });
    },

    /** Fetches a file of ComfyUI: a small one into memory, a large one to a new local file. */
    async download(file: SavedFile, { signal, maxBytes, newPath }: DownloadOptions): Promise<Fetched> {
      const path = `/view?${new URLSearchParams({ ...file })}`;
      return await request(path, { signal, deadlineMs: STALLED_MS }, async (answer, onBytes) => {
        const length = answer.headers.get('content-length');
        if (length !== null && Number(length) <= Math.min(MAX_IN_MEMORY_BYTES, maxBytes))
          return await readBytes(answer, maxBytes, onBytes);
        const to = await newPath();
        await pipeline(answer.body ?? [], limit(maxBytes, onBytes), createWriteStream(to));
        return to;
      });
    },
  };
}

/** An answer that is too large for memory or disk. */
export class TooLarge extends Error {
  override readonly name = 'TooLarge';
  constructor(maxBytes: number) {
    super(`ComfyUI sent more than ${Math.round(maxBytes / 2 ** 20)} MB.`);
  }
}

async function readText(answer: Response, maxBytes: number): Promise<string> {
  return (await readBytes(answer, maxBytes)).toString();
}

async function readBytes({ body }: Response, maxBytes: number, onBytes = () => {}): Promise<Buffer> {
  const parts: Uint8Array[] = [];
  let count = 0;
  for await (const part of body ?? []) {
    onBytes();
    count += part.length;
    if (count > maxBytes) throw new TooLarge(maxBytes);
    parts.push(part);
  }
  return Buffer.concat(parts);
}

function limit(maxBytes: number, onBytes: () => void): Transform {
  let count = 0;
  return new Transform({
    transform(part: Buffer, _encoding, done) {
      onBytes();
      count += part.length;
      if (count > maxBytes) done(new TooLarge(maxBytes));
      else done(null, part);
    },
  });
}

/** Reads JSON with the `NaN` and `Infinity` of Python. Other texts stay as they are. */
function parsed(text: string): unknown {
  if (text === '') return undefined;
  try {
    return parsePlainPythonJson(text);
  } catch {
    return text;
  }
}

/** `fetch` hides the reason in the cause. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error.name === 'TimeoutError') return 'TIMEOUT';
  if (error.cause instanceof Error) return codeOf(error.cause);
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
