import { NewUpload, Upload } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { invalid } from '../platform/errors/app-error.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { incomingBytes } from '../platform/files/incoming-bytes.ts';
import type { Seal } from '../platform/files/link-seal.ts';
import { dispositionFor } from '../platform/files/media-types.ts';
import { createFileServer, fileAnswers, redirectAnswer } from '../platform/files/serve-file.ts';
import { createRouteDefiner } from '../platform/http/define-route.ts';
import type { App, Routes } from '../platform/http/route-config.ts';
import { withoutNulls } from '../platform/http/without-nulls.ts';
import type { StorageLinks } from './storage-links.ts';
import type { UploadsService } from './uploads.service.ts';

interface Parts {
  readonly uploads: UploadsService;
  readonly links: StorageLinks;
  readonly files: FileStore;
  readonly maxFileBytes: number;
}

const routeDefaults = {
  tag: 'files',
  parameters: {
    uploadId: 'Id of the upload, which the link has.',
    name: 'Name of the downloaded file, as announced.',
  },
};

/** A link with absent or repeated parts was never signed: 403, like every other alteration. */
const sealQuery = {
  expires: Type.Optional(Type.Unknown({ description: 'Unix time in seconds.' })),
  signature: Type.Optional(Type.Unknown({ description: 'HMAC-SHA256, base64url.' })),
};

export const storageRoutes: Routes<Parts> =
  ({ uploads, links, files, maxFileBytes }) =>
  async (app) => {
    const route = createRouteDefiner(app, routeDefaults);
    route('POST', '/customers/storage', {
      operation: 'customers.storage.announce',
      needsSpace: true,
      jobCredential: true,
      failures: [429],
      preValidation: withoutNulls,
      summary: 'Get a link to upload a file and a link to download it, both for a day',
      description:
        'Send the bytes to `upload_url`; `download_url` then works for anyone who has it. With `file_hash`, `existing_file` says whether you have uploaded these bytes before: if so, `download_url` works at once. An account has at most 10,000 uploads, of which 1,000 may wait for their bytes; beyond that, or without room for more bytes, the answer is 429.',
      body: NewUpload,
      response: { 200: Upload },
      handle: async ({ actor, body }) => await uploads.announce(actor.userId, body),
    });

    await app.register(async (inner) =>
      takeUploads(inner as unknown as App, { uploads, links, maxFileBytes }),
    );

    const serve = createFileServer(files, { mayRedirect: true });
    route(['GET', 'HEAD'], '/storage/files/:uploadId/:name', {
      operation: 'storage.download',
      access: 'public',
      failures: [403, 404, 412, 416],
      // Fastify's own HEAD would open the file and read it to its end.
      exposeHeadRoute: false,
      summary: 'Download an uploaded file through its signed link',
      description:
        'Needs no credential but the link, and answers 404 until the bytes have been uploaded. Ranges and conditional requests work. A type that a browser could run is sent as an attachment.',
      query: sealQuery,
      response: {
        ...fileAnswers('*/*', 'The file, in the media type that was announced.'),
        ...redirectAnswer,
      },
      handle: async ({ params: { uploadId, name }, request, reply }) => {
        const secondsLeft = links.verifyDownload(uploadId, name, sealOf(request));
        const file = await uploads.served(uploadId);
        const disposition = dispositionFor(file.mediaType, undefined);
        return await serve(request, reply, { ...file, disposition, secondsLeft });
      },
    });
  };

function takeUploads(app: App, { uploads, links, maxFileBytes }: Omit<Parts, 'files'>) {
  const route = createRouteDefiner(app, routeDefaults);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  route('PUT', '/storage/uploads/:uploadId', {
    bodyLimit: maxFileBytes,
    operation: 'storage.upload',
    needsSpace: true,
    access: 'public',
    failures: [403, 404, 409, 429],
    summary: 'Upload the bytes of a file through its signed link',
    description:
      'Needs no credential but the link. `Content-Type` must be the type that was announced, and all bytes come in one request. Sending the same bytes again answers 200, other bytes get 409; after a refusal or a broken connection the link can be used again.',
    consumes: ['*/*'],
    query: sealQuery,
    response: { 200: Type.Object({ status: Type.String() }) },
    // Before the body, so that a stranger's gigabytes are not read.
    onRequest: async (request) => {
      const { uploadId } = request.params as { uploadId: string };
      links.verifyUpload(uploadId, sealOf(request));
      await uploads.expect(uploadId, request.headers['content-type']);
      // RFC 9110, 14.5: a server without support for parts must not take one for the whole.
      if (request.headers['content-range'] !== undefined) {
        throw invalid('Send all bytes at once: a part, with Content-Range, is not taken.');
      }
    },
    handle: async ({ params, request }) => {
      await uploads.take(params.uploadId, incomingBytes(request, { maxBytes: maxFileBytes }));
      return { status: 'received' };
    },
  });
}

function sealOf({ query }: Pick<FastifyRequest, 'query'>): Seal {
  const { expires, signature } = query as Record<string, unknown>;
  return { expires: String(expires), signature: String(signature) };
}
