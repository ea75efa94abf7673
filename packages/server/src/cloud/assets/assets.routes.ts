import {
  Asset,
  AssetCreated,
  AssetFromHash,
  AssetHash,
  AssetIds,
  AssetPage,
  AssetTagsChange,
  AssetUpdate,
  oneOf,
  optional,
  TagCounts,
  TagNames,
  TagPage,
  TagsAdded,
  TagsRemoved,
} from '@atelier/contracts';
import type { FastifyRequest } from 'fastify';
import { Type } from 'typebox';

import { createRouteDefiner, done } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { assetListQuery, tagListQuery, tagRefineQuery } from './asset-queries.ts';
import type { AssetTagsService } from './asset-tags.service.ts';
import type { AssetsService } from './assets.service.ts';

interface Parts {
  readonly assets: AssetsService;
  readonly assetTags: AssetTagsService;
}

export const routeDefaults = {
  tag: 'assets',
  parameters: {
    assetId: 'Id of the asset.',
    hash: {
      ...AssetHash,
      description: '`blake3:` or `sha256:` and 64 hexadecimal digits; anything else gets 400.',
    },
  },
};

export const assetsRoutes: Routes<Parts> =
  ({ assets, assetTags }) =>
  async (app) => {
    const route = createRouteDefiner(app, routeDefaults);
    route('GET', '/api/assets', {
      operation: 'cloud.assets.list',
      summary: 'Your assets, newest first unless sorted otherwise',
      description:
        'Temporary files are left out unless `tags_all` or `tags_any` has `temp` or `hash` is a path. `total` counts all pages. Pass `next_cursor` as `after` to get the next page; a list sorted by `last_access_time` has no cursor.',
      query: assetListQuery,
      response: { 200: AssetPage },
      handle: async ({ actor, query }) => await assets.list(actor.userId, query),
    });

    route('POST', '/api/assets/from-hash', {
      operation: 'cloud.assets.fromHash',
      needsSpace: true,
      failures: [404],
      preValidation: withoutNullMembers,
      summary: 'Make an asset from bytes that you already have',
      description:
        'Answers 200 with the asset you have; tags are added, other fields replaced. Answers 201 when the tag `input` or `output` adds the bytes to that folder. When you do not have the bytes, it answers 404; upload them with `POST /api/assets`.',
      body: AssetFromHash,
      response: { 200: AssetCreated, 201: AssetCreated },
      handle: async ({ actor, body, reply }) => {
        const asset = await assets.fromHash(actor.userId, body);
        return await reply.code(asset.created_new ? 201 : 200).send(asset);
      },
    });

    // With `HEAD`, which public clients use.
    route('GET', '/api/assets/hash/:hash', {
      operation: 'cloud.assets.byHash',
      failures: [404],
      summary: 'Your asset with these bytes',
      description:
        '`HEAD` only checks whether you have one. Answers 404 when you do not, no matter what other users have.',
      response: { 200: Asset },
      handle: async ({ actor, params }) => await assets.getByHash(actor.userId, params.hash),
    });

    route('GET', '/api/assets/:assetId', {
      operation: 'cloud.assets.get',
      failures: [404],
      summary: 'One asset',
      description:
        'The bytes are at `GET /api/assets/{assetId}/content`. An asset that is unknown or not yours gets 404.',
      response: { 200: Asset },
      handle: async ({ actor, params }) => await assets.get(actor.userId, params.assetId),
    });

    route('PUT', '/api/assets/:assetId', {
      operation: 'cloud.assets.update',
      failures: [404],
      preValidation: withoutNullMembers,
      summary: 'Change the name, metadata or preview of an asset',
      description:
        'Send at least one of `name`, `user_metadata` and `preview_id`; `null` counts as absent. `user_metadata` is replaced as a whole and has at most 16,384 bytes as JSON. Tags are changed with `POST` and `DELETE /api/assets/{assetId}/tags`.',
      body: AssetUpdate,
      response: { 200: Asset },
      handle: async ({ actor, params, body }) => await assets.update(actor.userId, params.assetId, body),
    });

    route('DELETE', '/api/assets/:assetId', {
      operation: 'cloud.assets.delete',
      failures: [404],
      summary: 'Delete an asset',
      description:
        'It no longer counts toward your storage. The bytes are deleted when no other asset has them. A second call gets 404.',
      response: done('Deleted.'),
      handle: async ({ actor, params }) => await assets.remove(actor.userId, params.assetId),
    });

    route('POST', '/api/assets/delete', {
      operation: 'cloud.assets.deleteMany',
      summary: 'Delete many assets',
      description:
        'Ids that are unknown or not yours are passed over. `ids` of the answer are those that were deleted.',
      body: AssetIds,
      response: { 200: AssetIds },
      handle: async ({ actor, body }) => ({ ids: await assets.removeAll(actor.userId, body.ids) }),
    });

    route('POST', '/api/assets/tags', {
      operation: 'cloud.assets.tags.change',
      summary: 'Add tags to many assets, and remove some',
      description:
        'Ids that are unknown or not yours are passed over. `ids` of the answer are the others. A tag that names a folder gets 400.',
      body: AssetTagsChange,
      response: { 200: AssetIds },
      handle: async ({ actor, body }) => ({ ids: await assetTags.change(actor.userId, body) }),
    });

    route('GET', '/api/assets/:assetId/content', {
      operation: 'cloud.assets.content',
      failures: [404],
      summary: 'A redirect to the bytes of an asset, behind a signed link',
      description:
        'The link needs no credential and expires after 60 to 70 minutes. A file that a browser could run is always an attachment.',
      query: optional({
        disposition: oneOf(['inline', 'attachment'], {
          default: 'attachment',
          description: '`inline` lets a browser show the file instead of saving it.',
        }),
      }),
      response: { 302: Type.Null({ description: 'Location has the link.' }) },
      handle: async ({ actor, params, query: { disposition = 'attachment' }, reply }) => {
        const link = await assets.contentLink(actor.userId, params.assetId, disposition);
        return await reply.header('cache-control', 'private, no-store').redirect(link, 302);
      },
    });

    route('POST', '/api/assets/:assetId/tags', {
      operation: 'cloud.assets.tags.add',
      failures: [404],
      summary: 'Add tags to an asset',
      description:
        'An asset has at most 100 tags, including its folder; a tag has at most 128 characters and no comma. A tag that names another folder gets 400. `total_tags` has all tags of the asset afterward.',
      body: TagNames,
      response: { 200: TagsAdded },
      handle: async ({ actor, params, body }) => await assetTags.add(actor.userId, params.assetId, body.tags),
    });

    route('DELETE', '/api/assets/:assetId/tags', {
      operation: 'cloud.assets.tags.remove',
      failures: [404],
      summary: 'Remove tags from an asset',
      description:
        'Tags that the asset does not have are returned in `not_present`. The tag of its folder stays and is returned in `protected`.',
      body: TagNames,
      response: { 200: TagsRemoved },
      handle: async ({ actor, params, body }) =>
        await assetTags.remove(actor.userId, params.assetId, body.tags),
    });

    route('GET', '/api/tags', {
      operation: 'cloud.tags.list',
      summary: 'The tags of your assets, and how many have each',
      description:
        'Temporary files are not counted. `total` counts all pages; without tags the list is empty.',
      query: tagListQuery,
      response: { 200: TagPage },
      handle: async ({ actor, query }) => await assetTags.list(actor.userId, query),
    });

    route('GET', '/api/assets/tags/refine', {
      operation: 'cloud.assets.tags.refine',
      summary: 'The commonest tags of the assets that a filter lets through',
      description: 'Takes the filters of `GET /api/assets`. `tag_counts` is empty when no asset matches.',
      query: tagRefineQuery,
      response: { 200: TagCounts },
      handle: async ({ actor, query }) => await assetTags.refine(actor.userId, query),
    });
  };

/** Public clients send `null` for fields without a value. Within `user_metadata`, `null` is a value. */
async function withoutNullMembers(request: FastifyRequest): Promise<void> {
  const { body } = request;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) return;
  request.body = Object.fromEntries(Object.entries(body).filter(([, member]) => member !== null));
}
