import { AssetCreated } from '@atelier/contracts';
import multipart from '@fastify/multipart';
import { Type } from 'typebox';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { acceptForms, type FormLimits, toMegabytes } from '../files/uploads/upload-form.ts';
import type { AssetUploadsService } from './asset-uploads.service.ts';
import { routeDefaults } from './assets.routes.ts';

interface Parts {
  readonly uploads: AssetUploadsService;
  readonly limits: FormLimits;
}

/** For the API description only: the form is parsed as it arrives. */
const FIELDS = {
  tags: {
    type: 'string',
    description: 'JSON list, list with commas, or several fields. `input` or `output` is one.',
  },
  name: { type: 'string', description: 'At most 512 characters; by default the name of the file.' },
  user_metadata: { type: 'string', description: 'JSON object.' },
  hash: {
    type: 'string',
    description: '`blake3:` and 64 hexadecimal digits. Bytes that you have need not be sent.',
  },
  mime_type: { type: 'string', description: 'Accepted and ignored: the content decides.' },
  preview_id: { type: 'string', description: 'Another asset of yours.' },
};

export const assetUploadsRoutes: Routes<Parts> = (parts) => async (app) => {
  await app.register(async (inner) => {
    await inner.register(multipart);
    takeUploads(inner, parts);
  });
};

function takeUploads(app: App, { uploads, limits: { maxFileBytes, maxBodyBytes } }: Parts): void {
  const file = {
    type: 'string',
    format: 'binary',
    description: `At most ${toMegabytes(maxFileBytes)}; pictures within 16384 pixels an edge.`,
  };
  const route = createRouteDefiner(app, routeDefaults);
  route('POST', '/api/assets', {
    bodyLimit: maxBodyBytes,
    operation: 'cloud.assets.upload',
    needsSpace: true,
    failures: [404],
    summary: 'Upload a file as an asset',
    description:
      'Answers 201 for a new asset. Answers 200 when you already have these bytes in that folder; the form then updates the asset. A body over 64 MiB gets 413, and an upload beyond your storage 403 (`GET /api/usage`).',
    consumes: ['multipart/form-data'],
    body: Type.Unsafe<unknown>({ type: 'object', properties: { file, ...FIELDS } }),
    response: { 200: AssetCreated, 201: AssetCreated },
    validatorCompiler: () => () => true,
    onRequest: acceptForms(
      maxBodyBytes,
      'Send the bytes as multipart/form-data, in a field that is called file. Files are not fetched from addresses.',
    ),
    handle: async ({ actor, request, reply }) => {
      const asset = await uploads.take(actor.userId, request);
      return await reply.code(asset.created_new ? 201 : 200).send(asset);
    },
  });
}
