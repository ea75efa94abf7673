import type { FileStore } from '../../platform/files/file-store.ts';
import type { App } from '../../platform/http/route-config.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import type { FilesOfUsers } from '../files/create-user-files.ts';
import type { FormLimits } from '../files/uploads/upload-form.ts';
import { createPictureSizes } from '../files/views/picture-sizes.ts';
import { createAssetLinks } from './asset-links.ts';
import { assetScanRoutes } from './asset-scan.routes.ts';
import { createAssetTagsService } from './asset-tags.service.ts';
import { assetUploadsRoutes } from './asset-uploads.routes.ts';
import { createAssetUploadsService } from './asset-uploads.service.ts';
import { assetsRoutes } from './assets.routes.ts';
import { createAssetsService } from './assets.service.ts';

interface Parts extends ServiceParts {
  readonly files: FilesOfUsers;
  /** The store of `files`. */
  readonly store: Pick<FileStore, 'signedUrl' | 'copyTo'>;
  readonly limits: FormLimits;
  readonly onError: (error: unknown) => void;
}

export function createAssets(parts: Parts) {
  const { db, clock, files, store, limits } = parts;
  const linkTo = createAssetLinks(store, clock);
  const { measured } = createPictureSizes(parts);
  const assets = createAssetsService({ db, clock, files, linkTo, measured });
  const assetTags = createAssetTagsService({ db, clock });
  const uploads = createAssetUploadsService({ db, files, assets, limits });
  return {
    async routes(app: App): Promise<void> {
      await assetsRoutes({ assets, assetTags })(app);
      await assetScanRoutes(app);
      await assetUploadsRoutes({ uploads, limits })(app);
    },
  };
}
