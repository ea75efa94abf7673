import type { Clock } from '../../platform/clock.ts';
import { toIso } from '../../platform/clock.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import type { FileStore } from '../../platform/files/file-store.ts';

const LINK_MS = 3_600_000;
/** Links that are made within it are the same, so that browsers know a picture again. */
const LINK_STEP_MS = 600_000;

export interface AssetLink {
  readonly url: string;
  readonly url_expires_at: string;
}

export type AssetLinks = (
  asset: Pick<AssetRow, 'content_hash' | 'name' | 'media_type'>,
) => Promise<AssetLink>;

/** Makes links to the bytes of assets that need no credential. */
export function createAssetLinks(store: Pick<FileStore, 'signedUrl'>, clock: Clock): AssetLinks {
  return async ({ content_hash: hash, name, media_type: mediaType }) => {
    const expiresAt = Math.ceil(clock() / LINK_STEP_MS) * LINK_STEP_MS + LINK_MS;
    const url = await store.signedUrl({ hash }, { name, mediaType, expiresAt, disposition: 'inline' });
    return { url, url_expires_at: toIso(expiresAt) };
  };
}
