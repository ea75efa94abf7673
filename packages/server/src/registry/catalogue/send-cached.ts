import type { FastifyReply, FastifyRequest } from 'fastify';

import { checkConditions } from '../../platform/files/conditions.ts';
import type { CachedAnswer } from './catalogue-cache.ts';

/** Smaller bodies gain nothing from compression. */
const MIN_COMPRESSED_BYTES = 1024;

/** Sends 304 if the client has the answer already, and gzip if the client accepts it. */
export async function sendCached(
  { headers }: FastifyRequest,
  reply: FastifyReply,
  { tag, body, gzipped }: CachedAnswer,
): Promise<FastifyReply> {
  reply
    // Weak: the plain and the compressed answer share it.
    .header('etag', `W/"${tag}"`)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding');
  const condition = { 'if-none-match': headers['if-none-match'] };
  if (checkConditions(condition, `"${tag}"`) === 'not_modified') return await reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  const isGzipped =
    body.byteLength >= MIN_COMPRESSED_BYTES && acceptsGzip(headers['accept-encoding']?.toString() ?? '');
  return isGzipped
    ? await reply.header('content-encoding', 'gzip').send(await gzipped())
    : await reply.send(body);
}

/** Whether an Accept-Encoding header names gzip, or everything, with a weight above zero. */
function acceptsGzip(header: string): boolean {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (weights.get('gzip') ?? weights.get('*') ?? 0) > 0;
}
