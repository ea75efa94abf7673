import { Type } from 'typebox';

import { AppError, invalid } from '../../../platform/errors/app-error.ts';
import { incomingBytes } from '../../../platform/files/incoming-bytes.ts';
import { detectedType } from '../../../platform/files/read-head.ts';
import { createRouteDefiner } from '../../../platform/http/define-route.ts';
import type { App, Routes } from '../../../platform/http/route-config.ts';
import type { FilesOfUsers } from '../create-user-files.ts';
import { toMegabytes } from './upload-form.ts';
import type { UploadGrants } from './upload-grants.ts';
import type { UploadsService } from './uploads.service.ts';
import { writeIncoming } from './write-incoming.ts';

interface Parts {
  readonly grants: UploadGrants;
  readonly uploads: UploadsService;
  readonly files: Pick<FilesOfUsers, 'stage'>;
  readonly maxBytes: number;
}

const PictureType = Type.Union(
  [
    Type.Literal('image/jpeg'),
    Type.Literal('image/png'),
    Type.Literal('image/webp'),
    Type.Literal('image/gif'),
  ],
  { expects: 'image/jpeg, image/png, image/webp or image/gif' },
);

const routeDefaults = {
  tag: 'workflows',
  parameters: { token: 'From `upload_path`. Used, altered or expired, it gets 404.' },
};

/** Uploads by clients that should not have the key, such as a browser or a camera. */
export const uploadGrantsRoutes: Routes<Parts> = (parts) => async (app) => {
  const route = createRouteDefiner(app, routeDefaults);
  route('POST', '/api/inputs/upload-url', {
    operation: 'cloud.uploads.grant',
    needsSpace: true,
    summary: 'Get an address to which one picture can be uploaded without a key',
    description:
      'Give `upload_path` to a browser or a device, which sends the bytes there with `PUT`. It works once and expires after `expires_in` seconds.',
    body: Type.Object({ content_type: PictureType }),
    response: { 200: Type.Object({ upload_path: Type.String(), expires_in: Type.Integer() }) },
    handle: async ({ actor, body }) => {
      const { token, expiresIn } = parts.grants.grant(actor.userId, body.content_type);
      return { upload_path: `/api/uploads/${token}`, expires_in: expiresIn };
    },
  });
  await app.register(async (inner) => takePictures(inner as unknown as App, parts));
};

function takePictures(app: App, { grants, uploads, files, maxBytes }: Parts): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, payload, done) => done(null, payload));
  const route = createRouteDefiner(app, routeDefaults);
  route('PUT', '/api/uploads/:token', {
    bodyLimit: maxBytes,
    operation: 'cloud.uploads.put',
    needsSpace: true,
    access: 'public',
    failures: [403, 404],
    summary: 'Upload a picture to an address that was granted',
    description: `Get the address from \`POST /api/inputs/upload-url\`. Send at most ${toMegabytes(maxBytes)} of the type that was announced; after a refusal the address still works. Nodes load the picture by the \`name\` in the answer.`,
    consumes: ['*/*'],
    response: {
      200: Type.Object({ name: Type.String(), subfolder: Type.String(), type: Type.String() }),
    },
    // Before the body is read.
    onRequest: async ({ params }) => void grants.open((params as { token: string }).token),
    handle: async ({ params, request }) => {
      const grant = grants.open(params.token);
      return await grants.use(grant, async () => {
        await using staged = await files.stage();
        const tooLarge = () => new AppError('file.too_large', `The file is larger than ${maxBytes} bytes.`);
        const bytes = incomingBytes(request, { maxBytes });
        await writeIncoming(bytes, staged.path, { maxBytes, tooLarge });
        const type = await detectedType(staged.path);
        if (type !== grant.contentType) {
          throw invalid(`The bytes are ${type}, not ${grant.contentType}.`);
        }
        return await uploads.takePicture(grant.userId, staged.path);
      });
    },
  });
}
