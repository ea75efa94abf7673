import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { Multipart } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

import { AppError, invalid } from '../../../platform/errors/app-error.ts';
import { brokenForm, writeIncoming } from './write-incoming.ts';

/** The values of each field, in order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

interface FormFile {
  readonly name: string;
  readonly isWritten: boolean;
}

export type UploadForm = Awaited<ReturnType<typeof readUploadForm>>;

export interface FormLimits {
  readonly maxFileBytes: number;
  readonly maxBodyBytes: number;
}

export function toMegabytes(bytes: number): string {
  return `${bytes / 2 ** 20} MB`;
}

/** After the last byte of a form, its next part comes within a few turns of the event loop or never. A timeout would depend on the load. */
const STALL_TURNS = 100;
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 150,
  files: 2,
  parts: 160,
  headerPairs: 50,
};

interface FormOptions extends FormLimits {
  readonly fileField: string;
  /** Where the file is written. */
  readonly path: string;
  /** The error for a file that is too large. */
  readonly fileTooLarge?: (maxBytes: number) => AppError;
  /** Called when the file begins: whether its bytes are needed, judging by the fields before it. */
  readonly isWanted?: (fields: Fields) => Promise<boolean>;
}

/** An `onRequest` hook that refuses other media types, and bodies that are announced too large, before they are read. */
export function acceptForms(maxBodyBytes: number, expectation: string) {
  return async ({ headers }: FastifyRequest): Promise<void> => {
    if (!/^multipart\/form-data\b/i.test(headers['content-type'] ?? '')) {
      throw new AppError('request.media_type', expectation);
    }
    if (Number(headers['content-length'] ?? 0) > maxBodyBytes) throw tooLarge(maxBodyBytes);
  };
}

/** Reads a form with a picture or another file. */
export async function readUploadForm(request: FastifyRequest, path: string, limits: FormLimits) {
  const { fields, file } = await readForm(request, { fileField: 'image', path, ...limits });
  if (!file) throw invalid('There is no file in the field image.');
  if (file.name === '') throw invalid('The file in the field image has no name.');
  return { fields, fileName: file.name };
}

/** Reads a form to its end and writes its file as it arrives. Stops as soon as a limit is exceeded. */
export async function readForm(
  request: FastifyRequest,
  {
    fileField,
    path,
    maxFileBytes,
    maxBodyBytes,
    isWanted = async () => true,
    fileTooLarge = (maxBytes) => invalid(`The file is larger than ${maxBytes} bytes.`),
  }: FormOptions,
) {
  const tooMuch = watchSize(request, maxBodyBytes);
  const limits = { ...LIMITS, fileSize: maxFileBytes + 1 };
  const parts = request.parts({ limits })[Symbol.asyncIterator]();
  const fields = new Map<string, string[]>();
  let file: FormFile | undefined;
  try {
    for (;;) {
      const next = await Promise.race([nextPart(parts, request.raw), tooMuch.promise]);
      if (next.done) return { fields, file };
      const part: Multipart = next.value;
      if (part.type === 'field') {
        fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), fieldValue(part)]);
        continue;
      }
      if (part.fieldname !== fileField) {
        throw invalid(`A file comes in the field ${fileField} and in no other.`);
      }
      if (file) throw invalid('Send one file at a time.');
      const isWritten = await isWanted(fields);
      file = { name: part.filename ?? '', isWritten };
      const size = await writeIncoming(part.file, isWritten ? path : undefined, {
        maxBytes: maxFileBytes,
        tooLarge: () => fileTooLarge(maxFileBytes),
        signal: tooMuch.signal,
      });
      if (size === 0) throw invalid(`The file in the field ${fileField} is empty.`);
    }
  } finally {
    tooMuch.stop();
    // Stop reading: the parser may hold a file that nobody reads anymore.
    request.raw.unpipe();
  }
}

function fieldValue(part: Extract<Multipart, { type: 'field' }>): string {
  if (part.valueTruncated) throw invalid(`The field ${part.fieldname} is too long.`);
  // A part of type application/json is already parsed.
  return typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
}

/** Without the deadline, the parser would wait forever for the end of a part whose headers are incomplete. */
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

/** Rejects when the request has ended and no part has arrived. */
async function stall(raw: Readable, signal: AbortSignal): Promise<never> {
  if (!raw.readableEnded) await once(raw, 'end', { signal });
  for (let turns = 0; turns < STALL_TURNS; turns += 1) await nextTurn(undefined, { signal });
  throw new Error('a part has no end');
}

/** Counts the bytes of the whole request, which the parser reads itself. */
function watchSize(request: FastifyRequest, maxBytes: number) {
  const stop = new AbortController();
  const { promise, reject } = Promise.withResolvers<never>();
  // It may reject when nobody is waiting.
  promise.catch(() => undefined);
  let size = 0;
  const count = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size <= maxBytes || stop.signal.aborted) return;
    const error = tooLarge(maxBytes);
    stop.abort(error);
    reject(error);
  };
  request.raw.on('data', count);
  return { signal: stop.signal, promise, stop: () => void request.raw.off('data', count) };
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('request.too_large', `The body is larger than ${maxBytes} bytes.`);
}
