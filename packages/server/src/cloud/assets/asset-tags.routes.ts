import { TagCounts, TagNames, TagPage, TagsAdded, TagsRemoved } from '@atelier/contracts';

import { createRouteDefiner } from '../../platform/http/define-route.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import { tagListQuery, tagRefineQuery } from './asset-queries.ts';
import type { AssetTagsService } from './asset-tags.service.ts';
import { siblings } from './assets.routes.ts';

interface Parts {
  readonly assetTags: AssetTagsService;
}

export const assetTagsRoutes: Routes<Parts> =
  ({ assetTags }) =>
  async (app) => {
    const route = createRouteDefiner(app, siblings);
    route('POST', '/api/assets/:assetId/tags', {
      operation: 'cloud.assets.tags.add',
      failures: [404],
      summary: 'Give an asset more tags',
      description:
        'An asset has at most 100 tags, including its folder; a tag has at most 128 characters and no comma. A tag that names another folder gets 400. `total_tags` has all tags of the asset afterward.',
      body: TagNames,
      response: { 200: TagsAdded },
      handle: async ({ actor, params, body }) => await assetTags.add(actor.userId, params.assetId, body.tags),
    });

    route('DELETE', '/api/assets/:assetId/tags', {
      operation: 'cloud.assets.tags.remove',
      failures: [404],
      summary: 'Take tags from an asset',
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
