import { Type } from 'typebox';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { AppError, notFound } from '../../platform/errors/app-error.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { createFileServer } from '../../platform/files/serve-file.ts';
import { actorOf } from '../../platform/http/actor.ts';
import type { Routes } from '../../platform/http/route-config.ts';
import type { Mutex } from '../../platform/mutex.ts';
import { noteAccess } from './assets.repo.ts';
import type { FilesOfUsers } from './create-user-files.ts';
import { findNamedFile } from './find-files.ts';
import { isPictureType } from './picture-limits.ts';
import type { VariantCache } from './variant-cache.ts';
import { nameVariant, renderVariant, toVariant, type Variant } from './variants.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly store: FileStore;
  readonly files: Pick<FilesOfUsers, 'stage'>;
  readonly variants: VariantCache;
  readonly rendering: Mutex;
}

const LINK_MS = 3_600_000;
/** A redirect that is used again must lead to a link that still lives for a while. */
const REDIRECT_SECONDS = 1800;
const ACCESS_NOTED_MS = 3_600_000;
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
export const viewRoutes: Routes<Parts> = (parts) => async (app) => {
  const { db, clock, store, variants } = parts;
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
          200: Type.Unsafe<unknown>({
            description: 'The picture in the form that was asked for.',
            content: { 'image/*': { schema: { type: 'string', format: 'binary' } } },
          }),
          302: Type.Unsafe<unknown>({ description: 'Location has a link that lives an hour.', type: 'null' }),
        },
      },
      handler: async (request, reply) => {
        const asset = await findNamedFile(parts, actorOf(request).userId, request.query);
        const variant = toVariant(request.query);
        const now = clock();
        if (now - asset.last_access_at >= ACCESS_NOTED_MS) await noteAccess(db, asset.id, now);
        reply.header('vary', VARY);
        if (variant) {
          const key = await ensureVariant(parts, asset, variant);
          return await serve(request, reply, {
            hash: key,
            name: `${stem(asset.file_name)}.${variant.format}`,
            mediaType: `image/${variant.format}`,
            disposition: 'inline',
            secondsLeft: REDIRECT_SECONDS,
          });
        }
        const location = await store.signedUrl(
          { hash: asset.content_hash },
          { name: asset.file_name, mediaType: asset.media_type, expiresAt: now + LINK_MS },
        );
        reply.header('cache-control', `private, max-age=${REDIRECT_SECONDS}`);
        return await reply.redirect(location, 302);
      },
    });
  }
};

async function ensureVariant(
  { store, files, variants, rendering }: Parts,
  asset: AssetRow,
  variant: Variant,
): Promise<string> {
  if (!isPictureType(asset.media_type)) {
    throw new AppError(
      'request.invalid',
      'channel, res and preview are for pictures, which this file is not.',
    );
  }
  const key = `${asset.content_hash}-${nameVariant(variant)}`;
  await variants.ensure(key, async (target) => {
    const release = await rendering.acquire();
    try {
      await using source = await files.stage();
      if (!(await store.copyTo(asset.content_hash, source.path))) throw notFound('file', asset.file_name);
      await renderVariant(source.path, target, variant);
    } finally {
      release();
    }
  });
  return key;
}

function stem(fileName: string): string {
  return fileName.replace(/\.[^.]+$/, '') || fileName;
}
