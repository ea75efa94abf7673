import { Type } from 'typebox';

import type { Routes } from '../http/route-config.ts';
import { MAX_FILE_NAME_UNITS } from './clean-file-name.ts';
import type { FileStore } from './file-store.ts';
import { invalidLink } from './link-seal.ts';
import { createFileServer, fileAnswers, redirectAnswer } from './serve-file.ts';
import type { UrlSigner } from './signed-urls.ts';

interface FilesRoutesOptions {
  readonly store: Pick<FileStore, 'stat' | 'open' | 'directUrl'>;
  readonly signer: Pick<UrlSigner, 'verify'>;
  readonly stallMs?: number;
}

const FileParams = Type.Object({
  hash: Type.String({ pattern: '^[0-9a-f]{64}$', description: 'SHA-256 of the content.' }),
  name: Type.String({ minLength: 1, description: 'Name of the downloaded file.' }),
});

const FileQuery = Type.Object({
  type: Type.String({ description: 'Media type.' }),
  disposition: Type.String({
    pattern: '^(inline|attachment)$',
    description: 'Whether a browser shows or saves the file.',
  }),
  expires: Type.String({ pattern: '^\\d{1,12}$', description: 'Unix time in seconds.' }),
  signature: Type.String({ description: 'HMAC-SHA256 over all other parts, base64url.' }),
});

export const filesRoutes: Routes<FilesRoutesOptions> =
  ({ store, signer, stallMs }) =>
  async (app) => {
    const serve = createFileServer(store, { mayRedirect: true, ...(stallMs !== undefined && { stallMs }) });
    assertLongNames(app.initialConfig.routerOptions?.maxParamLength);

    app.route({
      method: ['GET', 'HEAD'],
      url: '/files/:hash/:name',
      // Fastify's own HEAD would read the whole file.
      exposeHeadRoute: false,
      // A link with missing or malformed parts was altered, so it gets 403 like any altered link.
      attachValidation: true,
      config: { operation: 'files.download', access: 'public', failures: [403, 404, 412, 416] },
      schema: {
        summary: 'Download a file through a signed link',
        description:
          'The link is the credential, and other routes make it: those that show results, outputs and assets. A link that was altered or has expired gets 403. Ranges and conditional requests work.',
        tags: ['files'],
        params: FileParams,
        querystring: FileQuery,
        response: { ...fileAnswers('*/*', 'The file, in the media type of the link.'), ...redirectAnswer },
      },
      handler: async (request, reply) => {
        if (request.validationError) throw invalidLink();
        const link = signer.verify({ ...request.params, ...request.query });
        return await serve(request, reply, link);
      },
    });
  };

/** Fastify answers 404 to longer parameters, and allows 100 characters by default. */
function assertLongNames(maxParamLength = 0): void {
  if (maxParamLength >= MAX_FILE_NAME_UNITS) return;
  throw new Error(
    `File names need Fastify's routerOptions.maxParamLength of at least ${MAX_FILE_NAME_UNITS}.`,
  );
}
