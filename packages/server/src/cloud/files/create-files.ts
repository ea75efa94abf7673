import { join } from 'node:path';

import { createFairSemaphore } from '../../platform/fair-semaphore.ts';
import type { App } from '../../platform/http/route-config.ts';
import type { Secret } from '../../platform/secret.ts';
import { listExpired } from './assets.repo.ts';
import { createUserFiles, type FilesOfUsers, type UserFilesParts } from './create-user-files.ts';
import { STAGING } from './folder-places.ts';
import { listAbandonedParts } from './made-files.repo.ts';
import { removeOldIn } from './remove-strays.ts';
import { createSingleFlight } from './single-flight.ts';
import type { FormLimits } from './uploads/upload-form.ts';
import { uploadGrantsRoutes } from './uploads/upload-grants.routes.ts';
import { createUploadGrants } from './uploads/upload-grants.ts';
import { uploadsRoutes } from './uploads/uploads.routes.ts';
import { createUploadsService } from './uploads/uploads.service.ts';
import { assetPreviewRoutes } from './views/asset-preview.routes.ts';
import { createPosters } from './views/posters.ts';
import { createVariantCache } from './views/variant-cache.ts';
import { viewRoutes } from './views/view.routes.ts';
import { createViewService } from './views/view.service.ts';

interface Parts extends UserFilesParts {
  readonly grantKey: Secret<Uint8Array>;
  readonly uploadLimits: FormLimits;
  /** The size of the cache of variants, next to `folder`. */
  readonly cacheBytes?: number;
}

const CACHE_BYTES = 1024 ** 3;
const CACHE_IDLE_MS = 24 * 3_600_000;
/** A large picture takes hundreds of megabytes while it is decoded. */
const RENDER_CONCURRENCY = 2;
const EXPIRED_BATCH_SIZE = 100;
/** No upload takes this long. */
const STAGED_MS = 3_600_000;

/** The files of users: uploads, outputs of jobs, and views of both. */
export function createFiles(parts: Parts) {
  const { db, clock, store, folder, grantKey, uploadLimits: limits } = parts;
  const files = createUserFiles(parts);
  const rendering = createFairSemaphore(RENDER_CONCURRENCY);
  const variants = createVariantCache({
    folder: join(folder, '..', 'variants'),
    clock,
    maxBytes: parts.cacheBytes ?? CACHE_BYTES,
    idleMs: CACHE_IDLE_MS,
    share: createSingleFlight(rendering),
  });
  const uploads = createUploadsService({ db, clock, store, files, rendering });
  const posters = createPosters();
  const views = createViewService({ db, clock, store, files, variants, posters });
  const grants = createUploadGrants({ key: grantKey, clock, db });
  const routes = [
    uploadsRoutes({ uploads, files, limits }),
    uploadGrantsRoutes({ grants, uploads, files, maxBytes: limits.maxFileBytes }),
    viewRoutes({ views, variants, store }),
    assetPreviewRoutes({ views, variants }),
  ];
  return {
    files,
    linkTo: views.linkTo,
    close: posters.close,
    async routes(app: App): Promise<void> {
      for (const register of routes) await register(app);
    },
    async tidy(): Promise<void> {
      await removeExpired(parts, files);
      // What crashes have left behind.
      const before = clock() - STAGED_MS;
      for (const name of await listAbandonedParts(db, before)) await files.removeParts(name);
      await removeOldIn(join(folder, STAGING), before);
      await files.tidyPlaces();
      await grants.tidy();
      await variants.tidy();
    },
  };
}

async function removeExpired({ db, clock }: Parts, files: FilesOfUsers): Promise<void> {
  for (;;) {
    const now = clock();
    const expired = await listExpired(db, now, EXPIRED_BATCH_SIZE);
    for (const { id, user_id: userId } of expired) await files.remove(userId, id, { expiredAt: now });
    if (expired.length < EXPIRED_BATCH_SIZE) return;
  }
}
