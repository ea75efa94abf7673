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
          tags,
          querystring: TagRefineQuery,
          response: { 200: TagCounts },
        },
      },
      async (request) => await assetTags.refine(actorOf(request).userId, request.query),
    );
  };
