import { Asset, AssetCreated, AssetFromHash, AssetHash, AssetPage, AssetUpdate } from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { AssetListQuery } from './asset-queries.ts';
import type { AssetsService } from './assets.service.ts';

interface Parts {
  readonly assets: AssetsService;
}

const tags = ['assets'];
export const AssetParams = Type.Object({
  assetId: Type.String({ description: 'Id of the asset.' }),
});

export const assetsRoutes: Routes<Parts> =
  ({ assets }) =>
  async (app) => {
    app.get(
      '/api/assets',
      {
        config: { operation: 'cloud.assets.list', access: 'user', session: true },
        schema: {
          summary: 'Your assets, newest first unless sorted otherwise',
          description:
            'Temporary files are left out unless `tags_all` or `tags_any` has `temp` or `hash` is a path. ' +
            '`total` counts all pages. Pass `next_cursor` as `after` to get the next page; a list sorted by ' +
            '`last_access_time` has no cursor.',
          tags,
          querystring: AssetListQuery,
          response: { 200: AssetPage },
        },
      },
      async (request) => await assets.list(actorOf(request).userId, request.query),
    );

    app.post(
      '/api/assets/from-hash',
      {
        config: { operation: 'cloud.assets.fromHash', access: 'user', session: true, failures: [404] },
        preValidation: withoutNullMembers,
        schema: {
          summary: 'Describe bytes that you have already, or have them in another folder too',
          description:
            'Answers 200 with the asset you have; tags are added, other fields replaced. Answers 201 when ' +
            'the tag `input` or `output` adds the bytes to that folder. When you do not have the bytes, it ' +
            'answers 404; upload them with `POST /api/assets`.',
          tags,
          body: AssetFromHash,
          response: { 200: AssetCreated, 201: AssetCreated },
        },
      },
      async (request, reply) => {
        const asset = await assets.fromHash(actorOf(request).userId, request.body);
        return await reply.code(asset.created_new ? 201 : 200).send(asset);
      },
    );

    // With its HEAD, which is what public clients ask.
    app.get(
      '/api/assets/hash/:hash',
      {
        config: { operation: 'cloud.assets.byHash', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Your asset with these bytes',
          description:
            '`HEAD` only checks whether you have one. Answers 404 when you do not, no matter what other users have.',
          tags,
          params: Type.Object({
            hash: {
              ...AssetHash,
              description: '`blake3:` and 64 hexadecimal digits; anything else gets 400.',
            },
          }),
          response: { 200: Asset },
        },
      },
      async (request) => await assets.getByHash(actorOf(request).userId, request.params.hash),
    );

    app.get(
      '/api/assets/:assetId',
      {
        config: { operation: 'cloud.assets.get', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'One asset',
          description:
            'The bytes are at `GET /api/assets/{assetId}/content`. An asset that is unknown or not yours gets 404.',
          tags,
          params: AssetParams,
          response: { 200: Asset },
        },
      },
      async (request) => await assets.get(actorOf(request).userId, request.params.assetId),
    );

    app.put(
      '/api/assets/:assetId',
      {
        config: { operation: 'cloud.assets.update', access: 'user', session: true, failures: [404] },
        preValidation: withoutNullMembers,
        schema: {
          summary: 'Change what is said about an asset',
          description:
            'Send at least one of `name`, `user_metadata` and `preview_id`; `null` counts as absent. ' +
            '`user_metadata` is replaced as a whole and has at most 16,384 bytes as JSON. Tags are changed ' +
            'with `POST` and `DELETE /api/assets/{assetId}/tags`.',
          tags,
          params: AssetParams,
          body: AssetUpdate,
          response: { 200: Asset },
        },
      },
      async (request) => await assets.update(actorOf(request).userId, request.params.assetId, request.body),
    );

    app.delete(
      '/api/assets/:assetId',
      {
        config: { operation: 'cloud.assets.delete', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Delete an asset',
          description:
            'It no longer counts toward your storage. The bytes are deleted when no other asset has them. A ' +
            'second call gets 404.',
          tags,
          params: AssetParams,
          response: { 204: Type.Null({ description: 'Deleted.' }) },
        },
      },
      async (request, reply) => {
        await assets.remove(actorOf(request).userId, request.params.assetId);
        return await reply.code(204).send(null);
      },
    );

    app.get(
      '/api/assets/:assetId/content',
      {
        config: { operation: 'cloud.assets.content', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'A redirect to the bytes of an asset, behind a signed link',
          description:
            'The link needs no credential and expires after 60 to 70 minutes. A file that a browser could ' +
            'run is always an attachment.',
          tags,
          params: AssetParams,
          querystring: Type.Object({
            disposition: Type.Optional(
              Type.Enum(['inline', 'attachment'], {
                type: 'string',
                default: 'attachment',
                description: '`inline` lets a browser show the file instead of saving it.',
              }),
            ),
          }),
          response: { 302: Type.Null({ description: 'Location has the link.' }) },
        },
      },
      async (request, reply) => {
        const { disposition = 'attachment' } = request.query;
        const link = await assets.contentLink(actorOf(request).userId, request.params.assetId, disposition);
        return await reply.header('cache-control', 'private, no-store').redirect(link, 302);
      },
    );
  };

/** Public clients say `null` for what they do not know. Within `user_metadata` it is a value like others. */
async function withoutNullMembers(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  request.body = Object.fromEntries(Object.entries(body).filter(([, member]) => member !== null));
}
