import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

import { AppError, invalid } from '../../platform/errors/app-error.ts';
import { brokenForm, writeIncoming } from './write-incoming.ts';

export interface UploadForm {
  readonly fileName: string;
  /** The first of each name. */
  readonly fields: ReadonlyMap<string, unknown>;
}

export interface FormLimits {
  readonly maxFileBytes: number;
  readonly maxBodyBytes: number;
}

/** For descriptions. */
export function toMegabytes(bytes: number): string {
  return `${bytes / 2 ** 20} MB`;
}

/** After the last byte of a form its next part is there within a few turns of the event loop, or never. Time would depend on the load. */
const STALL_TURNS = 100;
const FILE_FIELD = 'image';
const LIMITS = { fieldNameSize: 100, fieldSize: 64 * 1024, fields: 50, files: 2, parts: 60, headerPairs: 50 };

export function notMultipart(): AppError {
  return new AppError(
    'request.media_type',
    'Send the file as multipart/form-data, in a field that is called image.',
  );
}

/** Writes the file of a form to `path` while it comes in, and stops as soon as it is more than may come. */
export async function readUploadForm(
  request: FastifyRequest,
  path: string,
  { maxFileBytes, maxBodyBytes }: FormLimits,
): Promise<UploadForm> {
  if (!request.isMultipart()) throw notMultipart();
  const tooMuch = watchSize(request, maxBodyBytes);
  const limits = { ...LIMITS, fileSize: maxFileBytes + 1 };
  const parts = request.parts({ limits })[Symbol.asyncIterator]();
  const fields = new Map<string, unknown>();
  let fileName: string | undefined;
  try {
    for (;;) {
      const next = await Promise.race([nextPart(parts, request.raw), tooMuch.promise]);
      if (next.done) break;
      const part: Multipart = next.value;
      if (part.type === 'field') {
        if (part.valueTruncated) throw invalid(`The field ${part.fieldname} is too long.`);
        if (!fields.has(part.fieldname)) fields.set(part.fieldname, part.value);
        continue;
      }
      if (part.fieldname !== FILE_FIELD) throw invalid('A file comes in the field image and in no other.');
      if (fileName !== undefined) throw invalid('Send one file at a time.');
      fileName = part.filename ?? '';
      const size = await writeIncoming(part.file, path, {
        maxBytes: maxFileBytes,
        tooLarge: () => invalid(`The file is larger than ${maxFileBytes} bytes.`),
        signal: tooMuch.signal,
      });
      if (size === 0) throw invalid('The file in the field image is empty.');
    }
  } finally {
    tooMuch.stop();
    // What is left goes nowhere: the parser holds a file that nobody reads any more.
    request.raw.unpipe();
  }
  if (fileName === undefined) throw invalid('There is no file in the field image.');
  if (fileName === '') throw invalid('The file in the field image has no name.');
  return { fileName, fields };
}

/** The parser waits for ever for the end of a part whose headers have none. */
async function nextPart(parts: AsyncIterator<Multipart>, raw: Readable): Promise<IteratorResult<Multipart>> {
  const over = new AbortController();
  try {
    return await Promise.race([parts.next(), stall(raw, over.signal)]);
  } catch (error) {
    throw brokenForm(error);
  } finally {
    over.abort();
  }
}

/** Rejects when the request has ended and no part has come. */
async function stall(raw: Readable, signal: AbortSignal): Promise<never> {
  if (!raw.readableEnded) await once(raw, 'end', { signal });
  for (let turns = 0; turns < STALL_TURNS; turns += 1) await nextTurn(undefined, { signal });
  throw new Error('a part has no end');
}

/** The parser reads the request itself, so the whole is counted beside it. */
function watchSize(request: FastifyRequest, maxBytes: number) {
  const stop = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it comes to it.
  promise.catch(() => undefined);
  let size = 0;
  const count = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= maxBytes || stop.signal.aborted) return;
    const error = new AppError('request.too_large', `The body is larger than ${maxBytes} bytes.`);
    stop.abort(error);
    reject(error);
  };
  request.raw.on('data', count);
  return { signal: stop.signal, promise, stop: () => void request.raw.off('data', count) };
}
