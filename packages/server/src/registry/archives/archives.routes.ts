import { Type } from 'typebox';

import { AppError } from '../../platform/errors/app-error.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { incomingBytes } from '../../platform/files/incoming-bytes.ts';
import { createFileServer, fileAnswers } from '../../platform/files/serve-file.ts';
import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { registryRoutes } from '../route-parts.ts';
import type { InstallService } from './install.service.ts';
import type { UploadLinks } from './upload-links.ts';
import type { UploadsService } from './uploads.service.ts';

interface Parts {
  readonly upload: UploadsService;
  readonly uploadLinks: UploadLinks;
  readonly install: InstallService;
  readonly files: FileStore;
  readonly maxBytes: number;
}

/** An archive never changes, but a ban must take effect soon. */
const CACHE_SECONDS = 300;

/** Archives on their way in, through a signed link, and on their way out, through a public one. */
export const archivesRoutes: Routes<Parts> =
  ({ upload, uploadLinks, install, files, maxBytes }) =>
  async (app) => {
    await app.register(async (inner) =>
      takeArchives(inner as unknown as App, { upload, uploadLinks, maxBytes }),
    );

    const serve = createFileServer(files);
    registryRoutes(app)(['GET', 'HEAD'], '/registry/archives/:nodeId/:version/node.zip', {
      operation: 'registry.archives.download',
      access: 'public',
      failures: [403, 404, 412, 416],
      exposeHeadRoute: false,
      summary: 'Download the archive of a version',
      description:
        'The `downloadUrl` of a version leads here. Only active and flagged versions have an archive to download; a banned one gets 403. `Repr-Digest` has the SHA-256, ranges and conditional requests work, and nothing is counted: `GET /nodes/{nodeId}/install` counts.',
      response: fileAnswers('application/zip', 'The archive.'),
      handle: async ({ params: { nodeId, version }, request, reply }) => {
        const { hash, name } = await install.archive(nodeId, version);
        reply.header('repr-digest', `sha-256=:${Buffer.from(hash, 'hex').toString('base64')}:`);
        return await serve(request, reply, {
          hash,
          name,
          mediaType: 'application/zip',
          disposition: 'attachment',
          secondsLeft: CACHE_SECONDS,
          isPublic: true,
        });
      },
    });
  };

function takeArchives(
  app: App,
  { upload, uploadLinks, maxBytes }: Pick<Parts, 'upload' | 'uploadLinks' | 'maxBytes'>,
) {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/zip', (_request, payload, done) => done(null, payload));
  app.addContentTypeParser('*', (_request, _payload, done) => done(notAnArchive()));
  const parameters = { versionId: 'Id of the version, which the link has.' };
  createRouteDefiner(app, { tag: 'registry', parameters })('PUT', '/registry/uploads/:versionId', {
    operation: 'registry.archives.upload',
    access: 'public',
    needsSpace: true,
    failures: [403, 404, 409],
    summary: 'Upload the archive of a published version through its signed link',
    description:
      'The link is the `signedUrl` from publishing and is good for 15 minutes. The archive has at most `ATELIER_PACK_MAX_MB` and is checked right after the upload; `GET /nodes/{nodeId}/versions/{version}` shows the outcome. After a refusal or a broken connection the link can be used again.',
    consumes: ['application/zip'],
    bodyLimit: maxBytes,
    query: {
      expires: Type.Optional(Type.String({ description: 'Unix time in seconds.' })),
      signature: Type.Optional(Type.String({ description: 'HMAC-SHA256, base64url.' })),
    },
    response: { 200: Type.Object({ status: Type.String() }) },
    // Before the body, so that a stranger's gigabytes are not read.
    onRequest: async ({ params, query }) => {
      const { versionId } = params as { versionId: string };
      const { expires = '', signature = '' } = query as { expires?: string; signature?: string };
      uploadLinks.verify(versionId, { expires, signature });
    },
    handle: async ({ params, request }) => {
      if (!request.body) throw notAnArchive();
      await upload(params.versionId, incomingBytes(request, { maxBytes }));
      return { status: 'received' };
    },
  });
}

function notAnArchive(): AppError {
  return new AppError('request.media_type', 'Send the archive with "Content-Type: application/zip".');
}
