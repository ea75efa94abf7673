import { finished } from 'node:stream';

import { create as contentDisposition } from 'content-disposition';
import { Type } from 'typebox';

import { AppError, notFound } from '../errors/app-error.ts';
import type { Routes } from '../http/route-config.ts';
import { MAX_FILE_NAME_UNITS } from './clean-file-name.ts';
import { checkConditions, selectRange } from './conditions.ts';
import type { FileStore } from './file-store.ts';
import { dispositionFor } from './media-types.ts';
import { invalidLink, type SignedFile, type UrlSigner } from './signed-urls.ts';

export interface FilesRoutesOptions {
  readonly store: Pick<FileStore, 'stat' | 'open'>;
  readonly signer: Pick<UrlSigner, 'verify'>;
  /** A reader that takes nothing for so long is cut off, because it holds a descriptor. */
  readonly stallMs?: number;
}

const FileParams = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content.' }),
  name: Type.String({ minLength: 1, description: 'Name of the downloaded file.' }),
});

const FileQuery = Type.Object({
  type: Type.String({ description: 'Media type.' }),
  disposition: Type.String({ pattern: '^(inline|attachment)$' }),
  expires: Type.String({ pattern: '^\\d{1,12}$', description: 'Unix time in seconds.' }),
  signature: Type.String({ description: 'HMAC-SHA256 over all other parts, base64url.' }),
});

/** Streams and empty answers pass no serializer: these only describe. */
const bytes = (description: string) =>
  Type.Unsafe<unknown>({ description, content: { '*/*': { schema: { type: 'string', format: 'binary' } } } });
const nothing = (description: string) => Type.Unsafe<unknown>({ description, type: 'null' });

export const filesRoutes: Routes<FilesRoutesOptions> =
  ({ store, signer, stallMs = 60_000 }) =>
  async (app) => {
    assertLongNames(app.initialConfig.routerOptions?.maxParamLength);

    app.route({
      method: ['GET', 'HEAD'],
      url: '/files/:hash/:name',
      // Fastify's own HEAD would open the file and read it to its end.
      exposeHeadRoute: false,
      // A link that lacks a part or has a misshapen one was altered: 403, as for every other alteration.
      attachValidation: true,
      config: { operation: 'files.download', access: 'public', failures: [403, 404, 412, 416] },
      schema: {
        summary: 'Download a file through a signed link',
        tags: ['files'],
        params: FileParams,
        querystring: FileQuery,
        response: {
          200: bytes('The file, in the media type of the link.'),
          206: bytes('The range that was asked for.'),
          304: nothing('The caller has the file already.'),
        },
      },
      // The answer may break after its headers were chosen, and a failure must not be cached as the file.
      onError: async (_request, reply) => {
        for (const header of ['cache-control', 'etag', 'content-disposition']) reply.removeHeader(header);
      },
      handler: async (request, reply) => {
        if (request.validationError) throw invalidLink();
        const link = signer.verify({ ...request.params, ...request.query });
        const found = await store.stat(link.hash);
        if (!found) throw notFound('file', link.name);

        const { size } = found;
        const etag = `"${link.hash}"`;
        const verdict = checkConditions(request.headers, etag);
        if (verdict === 'failed') {
          throw new AppError('resource.precondition', 'The file is not the one that If-Match names.');
        }
        if (verdict === 'not_modified') {
          return await reply.code(304).headers(cachingHeaders(link, etag)).send();
        }
        if (request.method === 'HEAD') {
          reply.headers({ ...cachingHeaders(link, etag), ...contentHeaders(link) });
          return await reply.header('content-length', size).send();
        }

        const range = selectRange(request.headers, { etag, size });
        if (range === 'unsatisfiable') {
          reply.header('content-range', `bytes */${size}`);
          throw new AppError('request.range', `The range lies outside of the file, which has ${size} bytes.`);
        }
        const { start, end } = range === 'whole' ? { start: 0, end: size - 1 } : range;
        const opened = await store.open(link.hash, range === 'whole' ? {} : range);
        if (!opened) throw notFound('file', link.name);
        // Fastify closes what it sends; this also covers an answer that fails before it is sent.
        finished(reply.raw, () => opened.stream.destroy());
        reply.raw.setTimeout(stallMs, () => reply.raw.destroy());

        reply.headers({ ...cachingHeaders(link, etag), ...contentHeaders(link) });
        reply.header('content-length', end - start + 1);
        if (range !== 'whole') reply.code(206).header('content-range', `bytes ${start}-${end}/${size}`);
        return opened.stream;
      },
    });
  };

function cachingHeaders(link: SignedFile, etag: string): Record<string, string> {
  return { etag, 'cache-control': `private, max-age=${link.secondsLeft}, immutable` };
}

/** Whatever the bytes are, a browser shows or saves them and never runs them. */
function contentHeaders(link: SignedFile): Record<string, string> {
  const type = dispositionFor(link.mediaType, link.disposition);
  return {
    'accept-ranges': 'bytes',
    'content-type': link.mediaType,
    'content-disposition': contentDisposition(link.name, { type }),
    'content-security-policy': "default-src 'none'; sandbox",
    'cross-origin-resource-policy': 'cross-origin',
    'x-content-type-options': 'nosniff',
  };
}

/** Fastify answers 404 to a longer parameter, and allows 100 characters unless it is told otherwise. */
function assertLongNames(maxParamLength = 0): void {
  if (maxParamLength >= MAX_FILE_NAME_UNITS) return;
  throw new Error(
    `File names need Fastify's routerOptions.maxParamLength of at least ${MAX_FILE_NAME_UNITS}.`,
  );
}
