import { Type } from 'typebox';

import { createFileServer, fileAnswers } from '../../platform/files/serve-file.ts';
import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { VariantCache } from './variant-cache.ts';
import { toVariant } from './variants.ts';
import type { ViewService } from './view.service.ts';

interface Parts {
  readonly views: ViewService;
  readonly variants: VariantCache;
}

/** Names may be given again once their file is deleted, so nobody keeps an answer for long. */
const REDIRECT_SECONDS = 60;
const tags = ['workflows'];
/** Whose file it is depends on who asks. */
const VARY = 'Authorization, X-API-Key, Cookie';

const ViewQuery = Type.Object({
  filename: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'May end in ` [input]`, ` [output]` or ` [temp]`, or be `blake3:` and a hash.',
    }),
  ),
  subfolder: Type.Optional(Type.String({ maxLength: 1024 })),
  type: Type.Optional(Type.String({ description: '`output` (default), `temp` or `input`.' })),
  channel: Type.Optional(
    Type.Union([Type.Literal('rgb'), Type.Literal('rgba'), Type.Literal('a'), Type.Literal('alpha')], {
      description:
        'A PNG of it: `rgb` without alpha, `rgba` with one, `a` black with its alpha, `alpha` its alpha as gray.',
      expects: 'rgb, rgba, a or alpha',
    }),
  ),
  res: Type.Optional(
    Type.Integer({ minimum: 64, maximum: 1024, description: 'A JPEG that fits in a square of this edge.' }),
  ),
  preview: Type.Optional(
    Type.String({
      maxLength: 32,
      description: '`webp` or `jpeg`, and perhaps `;` and a quality: `webp;80`.',
    }),
  ),
});

const ROUTES = [
  ['/view', 'host.files.view'],
  ['/api/view', 'cloud.files.view'],
  ['/api/viewvideo', 'cloud.files.viewVideo'],
] as const;

/** Files of a user by the names that jobs and uploads give them. */
export const viewRoutes: Routes<Parts> =
  ({ views, variants }) =>
  async (app) => {
    const serve = createFileServer(variants);

    for (const [url, operation] of ROUTES) {
      app.route({
        method: ['GET', 'HEAD'],
        url,
        exposeHeadRoute: false,
        config: { operation, access: 'user', session: true, errorShape: 'code', failures: [404, 412, 416] },
        schema: {
          summary: 'A file of yours: a redirect to a link that needs no key, or a picture made of it',
          tags,
          querystring: ViewQuery,
          response: {
            ...fileAnswers('image/*', 'The picture in the form that was asked for.'),
            302: Type.Unsafe<unknown>({
              description: 'Location has a link that lives an hour.',
              type: 'null',
            }),
          },
        },
        handler: async (request, reply) => {
          const variant = toVariant(request.query);
          const asset = await views.find(actorOf(request).userId, request.query);
          reply.header('vary', VARY);
          if (variant) {
            const key = await views.ensureVariant(asset, variant);
            return await serve(request, reply, {
              hash: key,
              name: `${stem(asset.file_name)}.${variant.format}`,
              mediaType: `image/${variant.format}`,
              disposition: 'inline',
              secondsLeft: REDIRECT_SECONDS,
            });
          }
          reply.header('cache-control', `private, max-age=${REDIRECT_SECONDS}`);
          return await reply.redirect(await views.linkTo(asset), 302);
        },
      });
    }
  };

function stem(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '') || fileName;
}
