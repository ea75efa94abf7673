import type { Asset } from '@atelier/contracts';

import { toIso } from '../../platform/clock.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { toHash } from './asset-hash.ts';

interface Beside {
  readonly tags: readonly string[];
  /** Only of a preview that is there. */
  readonly previewId: string | undefined;
  readonly previewUrl: string | undefined;
}

export function toAsset(row: AssetRow, { tags, previewId, previewUrl }: Beside): Asset {
  const path = row.subfolder === '' ? row.file_name : `${row.subfolder}/${row.file_name}`;
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
    ...(previewId !== undefined && { preview_id: previewId }),
    ...(previewUrl !== undefined && { preview_url: previewUrl }),
    // Loaders look among the inputs unless the name says otherwise.
    loader_path: row.folder === 'input' ? path : `${path} [${row.folder}]`,
    file_path: `${row.folder}/${path}`,
    ...(row.job_id !== null && { job_id: row.job_id, prompt_id: row.job_id }),
    is_immutable: false,
    created_at: toIso(row.created_at),
    updated_at: toIso(row.updated_at),
    last_access_time: toIso(row.last_access_at),
  };
}

function toObject(text: string): Record<string, unknown> {
  const value: unknown = JSON.parse(text);
  return typeof value === 'object' && value !== null ? { ...value } : {};
}
