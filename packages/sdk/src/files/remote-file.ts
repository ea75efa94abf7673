import { AtelierError, ConnectionError } from '../errors.ts';
import { createDeadline, sleep } from '../http/deadline.ts';
import { errorOf } from '../http/error-of.ts';
import { retryDelay } from '../http/retry.ts';
import { type Transport, toAtelierError } from '../http/transport.ts';
import { localFiles, sha256Of } from './file-input.ts';
import type { SaveOptions, TransferOptions } from './progress.ts';
import { toStream } from './request-body.ts';

/** A file on the server. It is downloaded on demand; an interrupted download resumes where it stopped. */
export interface RemoteFile {
  readonly name: string;
  /** In bytes, if the server says so in advance. */
  readonly size: number | undefined;
  /** The media type, if the server says so in advance. */
  readonly type: string | undefined;
  /** All of its bytes, checked. */
  download(options?: TransferOptions): Promise<Uint8Array<ArrayBuffer>>;
  blob(options?: TransferOptions): Promise<Blob>;
  text(options?: TransferOptions): Promise<string>;
  /** A stream of its bytes. Only the length is checked. */
  stream(options?: TransferOptions): ReadableStream<Uint8Array>;
  /**
   * Saves it under this path, or under its own name when the path is a folder or ends with a slash, and returns the path. Not for browsers.
   * An existing file is replaced once the new one is complete, unless `overwrite` is false.
   */
  saveTo(path: string, options?: SaveOptions): Promise<string>;
}

interface Description {
  readonly name: string;
  readonly size?: number | undefined;
  readonly type?: string | undefined;
  /** One attempt to get a response with the bytes. Called again after a failure, so that links are always fresh. */
  readonly open: (init: RequestInit) => Promise<Response>;
}

export function createRemoteFile(transport: Transport, { name, size, type, open }: Description): RemoteFile {
  const begin = (options: TransferOptions = {}) => readFile(transport, { open, size }, options);

  async function download(options?: TransferOptions) {
    const reading = begin(options);
    const parts: Uint8Array[] = [];
    for await (const part of reading.chunks) parts.push(part);
    const blob = new Blob(parts as BlobPart[]);
    const bytes = new Uint8Array(await blob.arrayBuffer());
    const expected = reading.sha256();
    const actual = expected === undefined ? undefined : await sha256Of(bytes);
    if (actual !== undefined && actual !== expected) {
      throw new AtelierError(
        'client.file',
        `${name} did not arrive as the server has it. Download it again.`,
        {
          isRetryable: true,
        },
      );
    }
    return { bytes, type: type ?? reading.type() };
  }

  return {
    name,
    size,
    type,
    download: async (options) => (await download(options)).bytes,
    async blob(options) {
      const { bytes, type: found } = await download(options);
      return new Blob([bytes], found === undefined ? {} : { type: found });
    },
    text: async (options) => new TextDecoder().decode((await download(options)).bytes),
    stream: (options) => toStream(begin(options).chunks),
    async saveTo(path, { overwrite = true, ...options } = {}) {
      const { saveFile } = await localFiles();
      const { chunks, sha256 } = begin(options);
      return await saveFile({ path, name, chunks, sha256, overwrite });
    },
  };
}

/** Atelier's ETag is the SHA-256 of the content; those of other stores have another length. */
const SHA256_ETAG = /^"([0-9a-f]{64})"$/;

function readFile(
  transport: Transport,
  { open, size }: Pick<Description, 'open' | 'size'>,
  { signal, onProgress }: TransferOptions,
) {
  let etag: string | null = null;
  let total = size;
  let type: string | undefined;

  function note({ headers }: Response): void {
    etag = headers.get('etag');
    type = headers.get('content-type') ?? undefined;
    const length = headers.get('content-length');
    if (length !== null && headers.get('content-encoding') === null) total = Number(length);
  }

  async function* chunks(): AsyncGenerator<Uint8Array> {
    let received = 0;
    let failedAt: number | undefined;
    for (let failures = 0; ; ) {
      const deadline = createDeadline(transport.timeoutMs, signal);
      try {
        const resumed: Record<string, string> =
          received > 0 ? { range: `bytes=${received}-`, 'if-range': etag ?? '' } : {};
        const response = await open({ headers: resumed, signal: deadline.signal });
        if (!response.ok) throw await errorOf(response);
        if (received === 0) note(response);
        else if (response.status !== 206) throw changed();
        const reader = (response.body ?? new Blob().stream()).getReader();
        try {
          for (let part = await reader.read(); !part.done; part = await reader.read()) {
            deadline.touch();
            failures = 0;
            failedAt = undefined;
            received += part.value.length;
            onProgress?.({ loaded: received, total });
            yield part.value;
          }
        } finally {
          await reader.cancel().catch(() => {});
        }
        if (total !== undefined && received < total) throw new ConnectionError('The download was cut short.');
        if (total !== undefined && received > total) throw changed();
        return;
      } catch (error) {
        signal?.throwIfAborted();
        const failure = toAtelierError(deadline.signal.aborted ? deadline.signal.reason : error);
        const canResume = received === 0 || (etag !== null && !etag.startsWith('W/'));
        failedAt ??= performance.now();
        const mayRepeat =
          failures < transport.retries || transport.shouldWait(failure, performance.now() - failedAt);
        if (!failure.isRetryable || !canResume || !mayRepeat) throw failure;
        await sleep(retryDelay(failures, failure), signal);
        failures += 1;
      } finally {
        deadline.end();
      }
    }
  }

  return {
    chunks: chunks(),
    sha256: () => (etag === null ? undefined : SHA256_ETAG.exec(etag)?.[1]),
    type: () => type,
  };
}

function changed(): AtelierError {
  return new AtelierError('client.file', 'The file has changed while it was downloaded. Download it again.', {
    isRetryable: true,
  });
}
