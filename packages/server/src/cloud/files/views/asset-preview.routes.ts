import { Type } from 'typebox';

import { createFileServer, fileAnswers } from '../../../platform/files/serve-file.ts';
import { abortOnDisconnect } from '../../../platform/http/abort-on-disconnect.ts';
import { createRouteDefiner } from '../../../platform/http/define-route.ts';
import type { Routes } from '../../../platform/http/route-config.ts';
import type { VariantCache } from './variant-cache.ts';
import type { ViewService } from './view.service.ts';

interface Parts {
  readonly views: Pick<ViewService, 'preview'>;
  readonly variants: VariantCache;
}

/** The bytes of an asset never change. */
const YEAR_SECONDS = 365 * 24 * 3600;
/** Few sizes, so that the cache holds few variants of each picture. */
const SIZES = [256, 512, 1024] as const;

/** Small pictures of assets, for grids. */
export const assetPreviewRoutes: Routes<Parts> =
  ({ views, variants }) =>
  async (app) => {
    const serve = createFileServer(variants);
    const route = createRouteDefiner(app, {
      tag: 'assets',
      parameters: { assetId: 'Id of the asset.' },
    });
    route('GET', '/api/assets/:assetId/preview', {
      operation: 'cloud.assets.preview',
      failures: [404, 412, 416],
      summary: 'A small WebP of an asset',
      description:
        'Of a picture, of the first frame of a video, or of the asset that `preview_id` names; any other asset gets 400. It never changes, so browsers keep it for a year.',
      query: {
        size: Type.Optional(
          Type.Union(
            SIZES.map((size) => Type.Literal(size)),
            { description: `The square that it fits in: ${SIZES.join(', ')}. Default: 512.` },
          ),
        ),
      },
      response: fileAnswers('image/webp', 'The picture.'),
      handle: async ({ actor: { userId }, params, query, request, reply }) => {
        const { key, isOwn } = await views.preview(
          { userId, assetId: params.assetId },
          query.size ?? 512,
          abortOnDisconnect(reply),
        );
        return await serve(request, reply, {
          hash: key,
          name: 'preview.webp',
          mediaType: 'image/webp',
          disposition: 'inline',
          // Another asset that is its preview may be replaced.
          secondsLeft: isOwn ? YEAR_SECONDS : 60,
        });
      },
    });
  };
