import { TagCounts, TagNames, TagPage, TagsAdded, TagsRemoved } from '@atelier/contracts';

import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { TagListQuery, TagRefineQuery } from './asset-queries.ts';
import type { AssetTagsService } from './asset-tags.service.ts';
import { AssetParams } from './assets.routes.ts';

interface Parts {
  readonly assetTags: AssetTagsService;
}

const tags = ['assets'];

export const assetTagsRoutes: Routes<Parts> =
  ({ assetTags }) =>
  async (app) => {
    app.post(
      '/api/assets/:assetId/tags',
      {
        config: { operation: 'cloud.assets.tags.add', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Give an asset more tags',
          description:
            'An asset has at most 100 tags, including its folder; a tag has at most 128 characters and no ' +
            'comma. A tag that names another folder gets 400. `total_tags` has all tags of the asset ' +
            'afterward.',
          tags,
          params: AssetParams,
          body: TagNames,
          response: { 200: TagsAdded },
        },
      },
      async (request) =>
        await assetTags.add(actorOf(request).userId, request.params.assetId, request.body.tags),
    );

    app.delete(
      '/api/assets/:assetId/tags',
      {
        config: { operation: 'cloud.assets.tags.remove', access: 'user', session: true, failures: [404] },
        schema: {
          summary: 'Take tags from an asset',
          description:
            'Tags that the asset does not have are returned in `not_present`. The tag of its folder stays ' +
            'and is returned in `protected`.',
          tags,
          params: AssetParams,
          body: TagNames,
          response: { 200: TagsRemoved },
        },
      },
      async (request) =>
        await assetTags.remove(actorOf(request).userId, request.params.assetId, request.body.tags),
    );

    app.get(
      '/api/tags',
      {
        config: { operation: 'cloud.tags.list', access: 'user', session: true },
        schema: {
          summary: 'The tags of your assets, and how many have each',
          description:
            'Temporary files are not counted. `total` counts all pages; without tags the list is empty.',
          tags,
          querystring: TagListQuery,
          response: { 200: TagPage },
        },
      },
      async (request) => await assetTags.list(actorOf(request).userId, request.query),
    );

    app.get(
      '/api/assets/tags/refine',
      {
        config: { operation: 'cloud.assets.tags.refine', access: 'user', session: true },
        schema: {
          summary: 'The commonest tags of the assets that a filter lets through',
          description: 'Takes the filters of `GET /api/assets`. `tag_counts` is empty when no asset matches.',
          tags,
          querystring: TagRefineQuery,
          response: { 200: TagCounts },
        },
      },
      async (request) => await assetTags.refine(actorOf(request).userId, request.query),
    );
  };
