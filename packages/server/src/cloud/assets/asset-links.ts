import { type Clock, toIso } from '../../platform/clock.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import type { Disposition, FileStore } from '../../platform/files/file-store.ts';

const LINK_MS = 3_600_000;
/** Links made within this time are identical, so that browsers can cache what is behind them. */
const LINK_STEP_MS = 600_000;

export type AssetLinks = ReturnType<typeof createAssetLinks>;

/** Makes links to the bytes of assets that need no credential. */
export function createAssetLinks(store: Pick<FileStore, 'signedUrl'>, clock: Clock) {
  return async (
    { content_hash: hash, name, media_type: mediaType }: AssetRow,
    disposition: Disposition = 'inline',
  ) => {
    const expiresAt = Math.ceil(clock() / LINK_STEP_MS) * LINK_STEP_MS + LINK_MS;
    const url = await store.signedUrl({ hash }, { name, mediaType, expiresAt, disposition });
    return { url, url_expires_at: toIso(expiresAt) };
  };
}
