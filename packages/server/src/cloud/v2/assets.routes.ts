import { V2Asset, V2AssetCreated, V2AssetFromHash } from '@atelier/contracts';
import multipart from '@fastify/multipart';
import { Type } from 'typebox';

import type { FileStore } from '../../platform/files/file-store.ts';
import { createFileServer, fileAnswers } from '../../platform/files/serve-file.ts';
import { createRouteDefiner, done } from '../../platform/http/define-route.ts';
import type { App, Routes } from '../../platform/http/route-config.ts';
import { withoutNulls } from '../../platform/http/without-nulls.ts';
import { acceptForms, type FormLimits, toMegabytes } from '../files/uploads/upload-form.ts';
import type { V2AssetsService } from './assets.service.ts';
import { v2Defaults } from './jobs.routes.ts';
import type { TextAssets } from './text-assets.ts';

interface Parts {
  readonly assets: V2AssetsService;
  readonly texts: TextAssets;
  readonly store: Pick<FileStore, 'stat' | 'open'>;
  readonly limits: FormLimits;
}

/** For the API description only: the form is parsed as it arrives. */
const PARTS = {
  content_type: { type: 'string', description: 'A media type. The bytes decide what the asset has.' },
  file_path: {
    type: 'string',
    description: 'A name such as `photo.png` or `sub/photo.png`. Other bytes of that name get a number.',
  },
  expected_hash: { type: 'string', description: '`blake3:` and 64 hexadecimal digits.' },
  tags: { type: 'string', description: 'One tag; the part may be repeated.' },
  expires_in: { type: 'integer', minimum: 60, maximum: 604_800, description: 'Seconds until it is removed.' },
};

export const v2AssetsRoutes: Routes<Parts> = (parts) => async (app) => {
  addReads(app, parts);
  await app.register(async (inner) => {
    await inner.register(multipart);
    addUpload(inner, parts);
  });
};

function addReads(app: App, { assets, texts, store }: Parts): void {
  const route = createRouteDefiner(app, v2Defaults);
  const serveFile = createFileServer(store);
  // With `HEAD`, which the SDKs use.
  route('GET', '/api/v2/assets/by-hash/:hash', {
    operation: 'v2.assets.byHash',
    failures: [404],
    summary: 'Your asset with these bytes',
    description: '`HEAD` only says whether you have one: 200 or 404, no matter what other accounts have.',
    response: { 200: V2Asset },
    handle: async ({ actor, params }) => await assets.getByHash(actor.userId, params.hash),
  });

  route('POST', '/api/v2/assets/from-hash', {
    operation: 'v2.assets.fromHash',
    needsSpace: true,
    failures: [404, 409],
    preValidation: withoutNulls,
    summary: 'Make an asset from bytes that you already have',
    description:
      'Answers 201 for a new asset, and 200 with the one that has these bytes under this name. Bytes that you do not have get 404 `blob_not_found`.',
    body: V2AssetFromHash,
    response: { 200: V2AssetCreated, 201: V2AssetCreated },
    handle: async ({ actor, body, reply }) => {
      const { asset, isNew } = await assets.fromHash(actor.userId, body);
      return await reply.code(isNew ? 201 : 200).send(asset);
    },
  });

  route('GET', '/api/v2/assets/:assetId', {
    operation: 'v2.assets.get',
    failures: [404],
    summary: 'One asset, with a fresh link',
    description: 'An asset that is unknown, expired or not yours gets 404.',
    response: { 200: V2Asset },
    handle: async ({ actor, params }) => {
      const text = texts.parse(params.assetId);
      if (text) return await texts.get(actor.userId, text);
      return await assets.get(actor.userId, params.assetId);
    },
  });

  route('DELETE', '/api/v2/assets/:assetId', {
    operation: 'v2.assets.delete',
    failures: [404, 409],
    summary: 'Delete an asset',
    description:
      'The bytes stay as long as another asset has them. A second call gets 404. A file that a job of yours which waits or runs names gets 409 `asset_in_use`.',
    response: done('Deleted.'),
    handle: async ({ actor, params }) => await assets.remove(actor.userId, params.assetId),
  });

  route(['GET', 'HEAD'], '/api/v2/assets/:assetId/content', {
    operation: 'v2.assets.content',
    exposeHeadRoute: false,
    failures: [404, 412, 416],
    summary: 'The bytes of an asset',
    description: 'Supports ranges and conditional requests.',
    response: fileAnswers('*/*', 'The bytes.'),
    handle: async ({ actor, params, request, reply }) => {
      const text = texts.parse(params.assetId);
      if (text) return await texts.send(actor.userId, text, request, reply);
      const asset = await assets.open(actor.userId, params.assetId);
      return await serveFile(request, reply, {
        hash: asset.content_hash,
        name: asset.name,
        mediaType: asset.media_type,
        disposition: 'attachment',
        // The bytes of an asset never change, but it may be deleted.
        secondsLeft: 0,
      });
    },
  });
}

function addUpload(app: App, { assets, limits: { maxFileBytes, maxBodyBytes } }: Parts): void {
  const file = { type: 'string', format: 'binary', description: `At most ${toMegabytes(maxFileBytes)}.` };
  createRouteDefiner(app, v2Defaults)('POST', '/api/v2/assets', {
    operation: 'v2.assets.upload',
    needsSpace: true,
    bodyLimit: maxBodyBytes,
    failures: [409],
    summary: 'Upload a file',
    description:
      'Send the texts first and `file` last. Answers 201 for bytes that you did not have, and 200 for others: an upload can be repeated, so `Idempotency-Key` is accepted and changes nothing. Bytes with another hash than `expected_hash` get 409 `hash_mismatch`, and nothing is stored. An upload beyond your storage gets 403 `storage_full`.',
    consumes: ['multipart/form-data'],
    body: Type.Unsafe<unknown>({
      type: 'object',
      required: ['content_type', 'file_path', 'file'],
      properties: { ...PARTS, file },
    }),
    response: { 200: V2AssetCreated, 201: V2AssetCreated },
    validatorCompiler: () => () => true,
    onRequest: acceptForms(maxBodyBytes, 'Send the bytes as multipart/form-data, in a part called file.'),
    handle: async ({ actor, request, reply }) => {
      const asset = await assets.upload(actor.userId, request);
      return await reply.code(asset.created_new ? 201 : 200).send(asset);
    },
  });
}
