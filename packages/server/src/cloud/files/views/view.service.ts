import type { AssetRow } from '../../../platform/db/schema/cloud.ts';
import { invalid, notFound } from '../../../platform/errors/app-error.ts';
import type { FileStore } from '../../../platform/files/file-store.ts';
import { hasPreview, isPictureType } from '../../../platform/pictures/picture-limits.ts';
import type { ServiceParts } from '../../../platform/service-parts.ts';
import { findAsset, noteAccess } from '../assets.repo.ts';
import type { FilesOfUsers } from '../create-user-files.ts';
import { type FileName, findNamedFile } from '../find-files.ts';
import type { Posters } from './posters.ts';
import type { VariantCache } from './variant-cache.ts';
import { nameVariant, renderVariant, type Variant } from './variants.ts';

interface Parts extends ServiceParts {
  readonly store: FileStore;
  readonly files: Pick<FilesOfUsers, 'stage'>;
  readonly variants: VariantCache;
  readonly posters: Pick<Posters, 'render'>;
}

const LINK_MS = 3_600_000;
const PREVIEW = { channel: 'rgba', format: 'webp', quality: 80 } as const;

export type ViewService = ReturnType<typeof createViewService>;

/** Files of a user for viewing: the file itself behind a link, or a picture made of it. */
export function createViewService({ db, clock, store, files, variants, posters }: Parts) {
  /** Makes the picture unless it exists or the caller is gone; returns its key in the cache. */
  const ensure = async (asset: AssetRow, variant: Variant, signal: AbortSignal): Promise<string> => {
    const key = `${asset.content_hash}-${nameVariant(variant)}`;
    await variants.ensure(key, { account: asset.user_id, signal }, async (target) => {
      await using source = await files.stage();
      if (!(await store.copyTo(asset.content_hash, source.path))) throw notFound('file', asset.file_name);
      if (isPictureType(asset.media_type)) return await renderVariant(source.path, target, variant);
      await using poster = await files.stage();
      await posters.render(source.path, poster.path);
      await renderVariant(poster.path, target, variant);
    });
    return key;
  };

  return {
    async find(userId: string, name: FileName): Promise<AssetRow> {
      const asset = await findNamedFile({ db, clock }, userId, name);
      await noteAccess(db, asset, clock());
      return asset;
    },

    async linkTo({ content_hash: hash, file_name: name, media_type: mediaType }: AssetRow): Promise<string> {
      return await store.signedUrl({ hash }, { name, mediaType, expiresAt: clock() + LINK_MS });
    },

    async ensureVariant(asset: AssetRow, variant: Variant, signal: AbortSignal): Promise<string> {
      // A video has only one variant: a small picture of its first frame.
      const isMade = variant.channel === 'flat' ? hasPreview : isPictureType;
      if (isMade(asset.media_type)) return await ensure(asset, variant, signal);
      throw invalid('channel, res and preview are for pictures, which this file is not.');
    },

    /** Makes a small picture of an asset, or of the asset that is its preview. Returns its key in the cache. */
    async preview(
      { userId, assetId }: { userId: string; assetId: string },
      res: number,
      signal: AbortSignal,
    ) {
      const asset = await findAsset(db, userId, assetId);
      if (!asset) throw notFound('asset', assetId);
      const { preview_id: previewId } = asset;
      const shown = (previewId !== null && (await findAsset(db, userId, previewId))) || asset;
      if (!hasPreview(shown.media_type)) {
        throw invalid('This asset is not a picture or video and has no preview.');
      }
      return { key: await ensure(shown, { ...PREVIEW, res }, signal), isOwn: shown === asset };
    },
  };
}
