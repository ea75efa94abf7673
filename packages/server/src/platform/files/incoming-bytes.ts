import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';

import { AppError } from '../errors/app-error.ts';

/**
 * The body of a request whose parser hands the stream on, to be read once. A size that is announced beyond
 * `maxBytes` is refused before the first byte; whoever reads counts the rest.
 */
export function incomingBytes(request: FastifyRequest, { maxBytes }: { maxBytes: number }) {
  const announced = Number(request.headers['content-length'] ?? 0);
  if (announced > maxBytes)
    throw new AppError('file.too_large', `The file is larger than ${maxBytes} bytes.`);
  return readBody(request.body);
}

async function* readBody(body: unknown): AsyncGenerator<Uint8Array> {
  // Fastify calls no parser when there is nothing to parse.
  if (!(body instanceof Readable)) return;
  try {
    // Not destroyed when it is too long: the answer that says so goes over the same connection.
    yield* body.iterator({ destroyOnReturn: false });
  } catch (cause) {
    throw new AppError('request.malformed', 'The body broke off before its end.', { cause });
  }
}
