import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import type { Disposition, FileStore } from '../../platform/files/file-store.ts';
import type { App } from '../../platform/http/route-config.ts';
import type { FilesOfUsers } from '../files/create-user-files.ts';
import type { FormLimits } from '../files/uploads/upload-form.ts';
import { createPictureSizes } from '../files/views/picture-sizes.ts';
import { assetScanRoutes } from './asset-scan.routes.ts';
import { createAssetTagsService } from './asset-tags.service.ts';
import { assetUploadsRoutes } from './asset-uploads.routes.ts';
import { createAssetUploadsService } from './asset-uploads.service.ts';
import { assetsRoutes } from './assets.routes.ts';
import { createAssetsService } from './assets.service.ts';

const LINK_MS = 3_600_000;
/** Links that are made within it are the same, so that browsers know a picture again. */
const LINK_STEP_MS = 600_000;

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: FilesOfUsers;
  /** Where the bytes of `files` are. */
  readonly store: Pick<FileStore, 'signedUrl' | 'copyTo'>;
  readonly limits: FormLimits;
  readonly onError: (error: unknown) => void;
}

export function createAssets(parts: Parts) {
  const { db, clock, files, store, limits } = parts;

  const linkTo = async (
    { content_hash: hash, name, media_type: mediaType }: AssetRow,
    wanted: Disposition,
  ) => {
    const expiresAt = Math.ceil(clock() / LINK_STEP_MS) * LINK_STEP_MS + LINK_MS;
    return await store.signedUrl({ hash }, { name, mediaType, expiresAt, disposition: wanted });
  };
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
