import { finished } from 'node:stream';

import type { FastifyReply, FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { AppError, notFound } from '../errors/app-error.ts';
import { checkConditions, selectRange } from './conditions.ts';
import { contentDisposition } from './content-disposition.ts';
import { DIRECT_BYTES, type Disposition, type FileStore } from './file-store.ts';
import { dispositionFor } from './media-types.ts';

/** A file of the store, and how an answer presents it. */
export interface ServedFile {
  readonly hash: string;
  readonly name: string;
  readonly mediaType: string;
  readonly disposition: Disposition;
  /** How long caches may keep the answer, and whether they may share it. */
  readonly secondsLeft: number;
  readonly isPublic?: boolean;
}

/** A reader that takes nothing for this long is cut off, because it holds a descriptor. */
const STALL_MS = 60_000;

/** A client follows at once. */
const DIRECT_SECONDS = 300;

/** Sends files with ETag, conditions and ranges. Browsers show or save them, but never run them. */
export function createFileServer(
  store: Pick<FileStore, 'stat' | 'open' | 'directUrl'>,
  /** With `mayRedirect`, large files may come from the store itself. */
  { stallMs = STALL_MS, mayRedirect = false }: { stallMs?: number; mayRedirect?: boolean } = {},
) {
  return async (request: FastifyRequest, reply: FastifyReply, link: ServedFile): Promise<unknown> => {
    const found = await store.stat(link.hash);
    if (!found) {
      // Throws when the file is corrupt.
      (await store.open(link.hash))?.stream.destroy();
      throw notFound('file', link.name);
    }

    const { size } = found;
    const etag = `"${link.hash}"`;
    const condition = checkConditions(request.headers, etag);
    if (condition === 'failed') {
      throw new AppError('resource.precondition', 'The file is not the one that If-Match names.');
    }
    if (condition === 'not_modified') {
      return await reply.code(304).headers(cachingHeaders(link, etag)).send();
    }
    if (request.method === 'HEAD') {
      reply.headers({ ...cachingHeaders(link, etag), ...contentHeaders(link) });
      return await reply.header('content-length', size).send();
    }

    if (mayRedirect && store.directUrl && size >= DIRECT_BYTES) {
      const seconds = Math.max(1, Math.min(link.secondsLeft, DIRECT_SECONDS));
      const { mediaType } = link;
      const disposition = dispositionOf(link);
      const url = await store.directUrl(link.hash, { seconds, mediaType, disposition });
      return await reply.header('cache-control', 'private, no-store').redirect(url, 302);
    }

    const range = selectRange(request.headers, { etag, size });
    if (range === 'unsatisfiable') {
      reply.header('content-range', `bytes */${size}`);
      throw new AppError('request.range', `The range lies outside of the file, which has ${size} bytes.`);
    }
    const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
    const opened = await store.open(link.hash, range === 'whole' ? {} : range);
    if (!opened) throw notFound('file', link.name);
    // Fastify closes the stream unless the answer fails before it is sent.
    finished(reply.raw, () => opened.stream.destroy());
    reply.raw.setTimeout(stallMs, () => reply.raw.destroy());

    reply.headers({ ...cachingHeaders(link, etag), ...contentHeaders(link) });
    reply.header('content-length', end - start + 1);
    if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
    return opened.stream;
  };
}

/** The responses of a route that serves files. Streams and empty answers need no serializer. */
export function fileAnswers(mediaType: string, description: string) {
  const bytes = (what: string) =>
    Type.Unsafe<unknown>({
      description: what,
      content: { [mediaType]: { schema: { type: 'string', format: 'binary' } } },
    });
  return {
    200: bytes(description),
    206: bytes('The range that was asked for.'),
    304: Type.Unsafe<unknown>({ description: 'The caller has the file already.', type: 'null' }),
  };
}

/** For routes with `mayRedirect`. */
export const redirectAnswer = {
  302: Type.Unsafe<unknown>({
    description:
      'A file of 1 MiB or more, where the operator has opened the store to clients: `Location` gives it out for some minutes.',
    type: 'null',
  }),
};

function cachingHeaders(link: ServedFile, etag: string): Record<string, string> {
  // A file that may be replaced under its name must be revalidated.
  const life = link.secondsLeft > 0 ? `max-age=${link.secondsLeft}, immutable` : 'no-cache';
  return { etag, 'cache-control': `${link.isPublic ? 'public' : 'private'}, ${life}` };
}

function contentHeaders(link: ServedFile): Record<string, string> {
  return {
    'accept-ranges': 'bytes',
    'content-type': link.mediaType,
    'content-disposition': dispositionOf(link),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
}

function dispositionOf({ name, mediaType, disposition }: ServedFile): string {
  return contentDisposition(name, dispositionFor(mediaType, disposition));
}
