import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Rendered } from './catalogue-cache.ts';

/** Smaller answers gain nothing from being compressed. */
const WORTH_COMPRESSING = 1024;

/** Sends a rendered answer: 304 to who has it, compressed to who takes that. */
export async function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
): Promise<FastifyReply> {
  reply.header('etag', rendered.etag).header('cache-control', 'no-cache').header('vary', 'Accept-Encoding');
  if (hasAlready(request.headers['if-none-match'], rendered.etag)) return await reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  const takesGzip = accepts(request.headers['accept-encoding']?.toString() ?? '', 'gzip');
  if (!takesGzip || rendered.body.byteLength < WORTH_COMPRESSING) return await reply.send(rendered.body);
  return await reply.header('content-encoding', 'gzip').send(await rendered.gzipped());
}

function hasAlready(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((tag) => {
    const plain = tag.trim().replace(/^W\//, '');
    return plain === etag || plain === '*';
  });
}

/** Whether an Accept-Encoding header names the coding, or everything, with a weight above nothing. */
function accepts(header: string, coding: string): boolean {
  const weights = new Map(
    header.split(',').map((part) => {
      const [name = '', ...parameters] = part.split(';').map((text) => text.trim().toLowerCase());
      const weight = parameters.find((text) => text.startsWith('q='))?.slice(2);
      return [name, weight === undefined ? 1 : Number(weight)];
    }),
  );
  return (weights.get(coding) ?? weights.get('*') ?? 0) > 0;
}
