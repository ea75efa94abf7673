import { createWriteStream } from 'node:fs';
import { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Multipart, MultipartFile } from '@fastify/multipart';
import type { FastifyRequest } from 'fastify';

import { AppError, invalid } from '../../platform/errors/app-error.ts';

/** Every value of each field, in order. */
export type Fields = ReadonlyMap<string, readonly string[]>;

export interface AssetForm {
  readonly fields: Fields;
  readonly file: { readonly name: string; readonly isWritten: boolean } | undefined;
}

export interface AssetFormOptions {
  readonly path: string;
  readonly maxFileBytes: number;
  readonly maxBodyBytes: number;
  /** Asked once the file begins: whether its bytes are needed, as far as the fields before it tell. */
  readonly isWanted: (fields: Fields) => Promise<boolean>;
}

const FILE_FIELD = 'file';
const LIMITS = {
  fieldNameSize: 100,
  fieldSize: 64 * 1024,
  fields: 150,
  files: 2,
  parts: 160,
  headerPairs: 50,
};

/** Reads a form to its end. Its file goes to `path` while it comes in, or nowhere when nobody wants it. */
export async function readAssetForm(request: FastifyRequest, options: AssetFormOptions): Promise<AssetForm> {
  const { maxFileBytes, maxBodyBytes, isWanted } = options;
  const parts = request.parts({ limits: { ...LIMITS, fileSize: maxFileBytes + 1 } });
  const body = countBytes(request, maxBodyBytes);
  const fields = new Map<string, string[]>();
  let file: AssetForm['file'];
  try {
    for (;;) {
      const next = await Promise.race([parts.next().catch(broken), body.exceeded]);
      if (next.done) return { fields, file };
      const part: Multipart = next.value;
      if (part.type === 'field') {
        const value = fieldValue(part);
        fields.set(part.fieldname, [...(fields.get(part.fieldname) ?? []), value]);
        continue;
      }
      if (file) throw invalid('Send one file at a time.');
      if (part.fieldname !== FILE_FIELD) throw invalid('The file comes in the field file and in no other.');
      const isWritten = await isWanted(fields);
      await Promise.race([takeFile(part, isWritten ? options.path : undefined, maxFileBytes), body.exceeded]);
      file = { name: part.filename ?? '', isWritten };
    }
  } finally {
    body.stop();
    // After a failure the parser may hold a part that nobody reads any more.
    request.raw.unpipe();
  }
}

function fieldValue(part: Extract<Multipart, { type: 'field' }>): string {
  if (part.valueTruncated) throw invalid(`The field ${part.fieldname} is too long.`);
  // A part of the type application/json comes parsed.
  return typeof part.value === 'string' ? part.value : JSON.stringify(part.value);
}

async function takeFile({ file }: MultipartFile, path: string | undefined, maxBytes: number): Promise<void> {
  let size = 0;
  const counted = async function* (chunks: AsyncIterable<Uint8Array>) {
    for await (const chunk of chunks) {
      size += chunk.length;
      if (size > maxBytes) throw invalid(`The file is larger than ${maxBytes} bytes.`);
      yield chunk;
    }
  };
  const target =
    path === undefined
      ? new Writable({ write: (_chunk, _encoding, done) => done() })
      : createWriteStream(path, { mode: 0o600, flags: 'wx' });
  await pipeline(file, counted, target).catch((error: unknown) => {
    // A failure of the disk is no fault of the caller.
    if (error instanceof Error && 'syscall' in error && error.syscall !== 'read') throw error;
    return broken(error);
  });
  if (size === 0) throw invalid('The file is empty.');
}

/** The parser reads the request itself, so the whole is counted beside it. */
function countBytes(request: FastifyRequest, maxBytes: number) {
  const { promise, reject } = Promise.withResolvers<never>();
  // Nobody may be waiting when it comes to it.
  promise.catch(() => undefined);
  let size = 0;
  const count = (chunk: Uint8Array) => {
    size += chunk.length;
    if (size > maxBytes) reject(tooLarge(maxBytes));
  };
  request.raw.on('data', count);
  return { exceeded: promise, stop: () => void request.raw.off('data', count) };
}

export function tooLarge(maxBytes: number): AppError {
  return new AppError('request.too_large', `The body is larger than ${maxBytes} bytes.`);
}

function broken(error: unknown): never {
  if (error instanceof AppError) throw error;
  const reason = error instanceof Error ? error.message : 'it breaks off';
  throw new AppError('request.malformed', `The form cannot be read: ${reason}.`, { cause: error });
}
