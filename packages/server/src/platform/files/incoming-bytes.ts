import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';
import { tooLarge } from './measure-source.ts';

/**
 * The body of a request whose parser passes on the stream. Refuses an announced size beyond `maxBytes` before the first byte;
 * the reader must count the actual bytes.
 */
export function incomingBytes(request: FastifyRequest, { maxBytes }: { maxBytes: number }) {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes) throw tooLarge(maxBytes);
  return readBody(request.body);
}

async function* readBody(body: unknown): AsyncGenerator<Uint8Array> {
  // Fastify does not call the parser for an empty body.
  if (!(body instanceof Readable)) return;
  try {
    // If the body is too long, the answer that says so needs the connection.
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError('request.malformed', 'The body broke off before its end.', { cause });
  }
}
