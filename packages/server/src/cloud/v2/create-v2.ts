import type { FileStore } from '../../platform/files/file-store.ts';
import type { App } from '../../platform/http/route-config.ts';
import { createAssetLinks } from '../assets/asset-links.ts';
import { createAssetTagsService } from '../assets/asset-tags.service.ts';
import type { Events } from '../events/create-events.ts';
import type { FilesOfUsers } from '../files/create-user-files.ts';
import type { FormLimits } from '../files/uploads/upload-form.ts';
import { v2AssetsRoutes } from './assets.routes.ts';
import { createV2AssetsService } from './assets.service.ts';
import { createProgressElsewhere } from './elsewhere-progress.ts';
import { v2EventsRoutes } from './events.routes.ts';
import { createOutputFinder } from './find-outputs.ts';
import { v2JobsRoutes } from './jobs.routes.ts';
import { createV2JobsService, type V2JobsParts } from './jobs.service.ts';
import { createTextAssets } from './text-assets.ts';

interface Parts extends Omit<V2JobsParts, 'outputs' | 'progressElsewhere' | 'live'> {
  readonly files: FilesOfUsers;
  readonly store: FileStore;
  readonly limits: FormLimits;
  readonly streaming: Events['streaming'];
  readonly baseUrl: () => string;
}

/** The Comfy API v2: another interface to the same jobs, files and assets. It has no state of its own. */
export function createV2(parts: Parts) {
  const { db, clock, files, store, limits, streaming, baseUrl } = parts;
  const { live } = streaming;
  const linkTo = createAssetLinks(store, clock);
  const outputs = createOutputFinder({ db, clock, linkTo, baseUrl });
  const progressElsewhere = createProgressElsewhere({ ...streaming, db });
  const jobs = createV2JobsService({ ...parts, live, outputs, progressElsewhere });
  const assetTags = createAssetTagsService({ db, clock });
  const assets = createV2AssetsService({ db, clock, files, assetTags, linkTo, limits });
  const texts = createTextAssets({ db, live, outputs });
  return {
    async routes(app: App): Promise<void> {
      await v2JobsRoutes({ jobs })(app);
      await v2EventsRoutes({ jobs, streaming, progressElsewhere })(app);
      await v2AssetsRoutes({ assets, texts, store, limits })(app);
    },
  };
}
