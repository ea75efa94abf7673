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
  const takesGzip = /\bgzip\b/.test(request.headers['accept-encoding']?.toString() ?? '');
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
