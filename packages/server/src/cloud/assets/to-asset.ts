import type { Asset } from '@atelier/contracts';

import { toIso } from '../../platform/clock.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { hasPreview } from '../../platform/pictures/picture-limits.ts';
import { pathBelowFolder, placeOf } from '../files/file-place.ts';
import { loaderPath } from '../files/name-assets.ts';
import { toHash } from './asset-hash.ts';

interface Beside {
  readonly tags: readonly string[];
  /** The asset that is its preview, if it exists. */
  readonly preview: AssetRow | undefined;
}

export function toAsset(row: AssetRow, { tags, preview }: Beside): Asset {
  const shown = preview ?? row;
  const hash = toHash(row.blake3);
  return {
    id: row.id,
    name: row.name,
    display_name: row.name,
    hash,
    asset_hash: hash,
    size: row.size,
    mime_type: row.media_type,
    tags: tags.toSorted(),
    user_metadata: toObject(row.user_metadata),
    metadata: toObject(row.metadata),
    ...(preview && { preview_id: preview.id }),
    ...(shown.media_type.startsWith('image/') && { preview_url: viewOf(shown) }),
    ...(hasPreview(shown.media_type) && { thumbnail_url: `/api/assets/${row.id}/preview` }),
    ...(row.width && row.height && { width: row.width, height: row.height }),
    loader_path: loaderPath(row),
    file_path: `${row.folder}/${pathBelowFolder(placeOf(row))}`,
    ...(row.job_id !== null && { job_id: row.job_id, prompt_id: row.job_id }),
    is_immutable: false,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    last_access_time: toIso(row.last_access_at),
  };
}

/** The editor reads the folder of the file from this address. */
function viewOf({ folder, subfolder, file_name }: AssetRow): string {
  const within = subfolder === '' ? {} : { subfolder };
  return `/api/view?${new URLSearchParams({ type: folder, filename: file_name, ...within }).toString()}`;
}

function toObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
