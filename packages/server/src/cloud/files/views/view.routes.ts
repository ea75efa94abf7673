import { optional } from '@atelier/contracts';
import { Type } from 'typebox';

import { cleanFileName } from '../../../platform/files/clean-file-name.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { dispositionFor } from '../../../platform/files/media-types.ts';
import { createFileServer, fileAnswers } from '../../../platform/files/serve-file.ts';
import { abortOnDisconnect } from '../../../platform/http/abort-on-disconnect.ts';
import { createRouteDefiner } from '../../../platform/http/define-route.ts';
import type { Routes } from '../../../platform/http/route-config.ts';
import { CLOUD_DEFAULTS } from '../../../platform/http/route-defaults.ts';
import type { VariantCache } from './variant-cache.ts';
import { toVariant } from './variants.ts';
import type { ViewService } from './view.service.ts';

interface Parts {
  readonly views: ViewService;
  readonly variants: VariantCache;
  readonly store: Pick<FileStore, 'stat' | 'open'>;
}

/** A name may be reused after its file is deleted, so answers are cached briefly. */
const REDIRECT_SECONDS = 60;
/** The same address means another file for another caller. */
const VARY = 'Authorization, X-API-Key, Cookie';

const viewQuery = optional({
  filename: Type.String({
    maxLength: 1024,
    description: 'May end in ` [input]`, ` [output]` or ` [temp]`, or be `blake3:` and a hash.',
  }),
  subfolder: Type.String({ maxLength: 1024, description: 'A folder below the one that `type` names.' }),
  type: Type.String({ description: '`output` (default), `temp` or `input`.' }),
  channel: Type.Union([Type.Literal('rgb'), Type.Literal('rgba'), Type.Literal('a'), Type.Literal('alpha')], {
    description:
      'A PNG of it: `rgb` without alpha, `rgba` with one, `a` black with its alpha, `alpha` its alpha as gray.',
    expects: 'rgb, rgba, a or alpha',
  }),
  res: Type.Integer({
    minimum: 64,
    maximum: 1024,
    description: 'A JPEG that fits in a square of this edge.',
  }),
  preview: Type.String({
    maxLength: 32,
    description: '`webp` or `jpeg`, and perhaps `;` and a quality: `webp;80`.',
  }),
});

/** ComfyUI sends the bytes; the public cloud redirects to them. */
const ROUTES = [
  { url: '/view', operation: 'host.files.view', sendsBytes: true },
  { url: '/api/view', operation: 'cloud.files.view', sendsBytes: false },
  { url: '/api/viewvideo', operation: 'cloud.files.viewVideo', sendsBytes: false },
] as const;

const CONVERTED =
  '`channel`, `res` and `preview` convert a picture, `res` alone the first frame of a video; any other file gets 400 for them. A file that is unknown, expired or not yours gets 404.';
const DESCRIPTIONS = {
  bytes: `Supports ranges and conditional requests; \`channel=rgba\` sends the file as it is. ${CONVERTED}`,
  link: `Anyone who has the link can fetch the bytes. ${CONVERTED}`,
};

const Redirect = Type.Unsafe<unknown>({
  description: 'Location has a link that lives an hour.',
  type: 'null',
});

export const viewRoutes: Routes<Parts> =
  ({ views, variants, store }) =>
  async (app) => {
    const route = createRouteDefiner(app, { ...CLOUD_DEFAULTS, tag: 'workflows' });
    const serveVariant = createFileServer(variants);
    const serveFile = createFileServer(store);

    for (const { url, operation, sendsBytes } of ROUTES) {
      route(['GET', 'HEAD'], url, {
        operation,
        exposeHeadRoute: false,
        failures: [404, 412, 416],
        summary: sendsBytes
          ? 'A file of yours, or a picture made of it'
          : 'A file of yours: a redirect to a link that needs no key, or a picture made of it',
        description: DESCRIPTIONS[sendsBytes ? 'bytes' : 'link'],
        query: viewQuery,
        response: {
          ...fileAnswers(
            sendsBytes ? '*/*' : 'image/*',
            'The file, or the picture in the form that was asked for.',
          ),
          ...(!sendsBytes && { 302: Redirect }),
        },
        handle: async ({ actor, query, request, reply }) => {
          const { channel, ...others } = query;
          // In ComfyUI, `rgba` means the unchanged file.
          const variant = toVariant(sendsBytes && channel === 'rgba' ? others : query);
          const asset = await views.find(actor.userId, query);
          reply.header('vary', VARY);
          if (variant) {
            const key = await views.ensureVariant(asset, variant, abortOnDisconnect(reply));
            return await serveVariant(request, reply, {
              hash: key,
              name: `${stem(asset.file_name)}.${variant.format}`,
              mediaType: `image/${variant.format}`,
              disposition: 'inline',
              secondsLeft: REDIRECT_SECONDS,
            });
          }
          if (sendsBytes) {
            return await serveFile(request, reply, {
              hash: asset.content_hash,
              name: cleanFileName(asset.file_name),
              mediaType: asset.media_type,
              disposition: dispositionFor(asset.media_type, undefined),
              // A file of this name may be overwritten at any time.
              secondsLeft: 0,
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
