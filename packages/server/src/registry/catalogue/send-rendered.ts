import type { FastifyReply, FastifyRequest } from 'fastify';

import type { Rendered } from './catalogue-rendered.ts';

/** Smaller answers gain nothing from being compressed. */
const WORTH_COMPRESSING = 1024;

/** Sends a rendered answer: 304 to who has it, compressed to who takes that. */
export async function sendRendered(
  request: FastifyRequest,
  reply: FastifyReply,
  rendered: Rendered,
): Promise<FastifyReply> {
  const isGzipped =
    rendered.byteLength >= WORTH_COMPRESSING &&
    takesGzip(request.headers['accept-encoding']?.toString() ?? '');
  reply
    // Weak: it stands for what the answer says, and is the same for every way to compress it.
    .header('etag', `W/"${rendered.tag}"`)
    .header('cache-control', 'no-cache')
    .header('vary', 'Accept-Encoding');
  if (hasAlready(request.headers['if-none-match'], rendered.tag)) return await reply.code(304).send();
  reply.type('application/json; charset=utf-8');
  if (!isGzipped) return await reply.send(rendered.plain());
  return await reply.header('content-encoding', 'gzip').send(await rendered.gzipped());
}

function hasAlready(ifNoneMatch: string | undefined, tag: string): boolean {
  if (ifNoneMatch === undefined) return false;
  return ifNoneMatch.split(',').some((one) => {
    const plain = one.trim().replace(/^W\//, '');
    return plain === `"${tag}"` || plain === '*';
  });
}

/** Answers to headers that were seen before: callers send a handful of different ones. */
const gzipTakers = new Map<string, boolean>();
const MOST_TAKERS = 100;

function takesGzip(header: string): boolean {
  const known = gzipTakers.get(header);
  if (known !== undefined) return known;
  if (gzipTakers.size >= MOST_TAKERS) gzipTakers.clear();
  const takes = accepts(header, 'gzip');
  gzipTakers.set(header, takes);
  return takes;
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
