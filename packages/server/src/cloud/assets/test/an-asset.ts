import { randomBytes } from 'node:crypto';

import type { Db } from '../../../platform/db/database.ts';
import type { AssetRow } from '../../../platform/db/schema/cloud.ts';
import { newId } from '../../../platform/ids.ts';
import { insertAsset, lockStorageUse } from '../../files/assets.repo.ts';

let made = 0;

/** A row without bytes. Ids go up with every one, which those of the same millisecond do not by themselves. */
export async function anAsset(
  db: Db,
  { tags = [], ...columns }: Partial<AssetRow> & { user_id: string; tags?: readonly string[] },
): Promise<AssetRow> {
  made += 1;
  const id = `${String(made).padStart(8, '0')}${newId().slice(8)}`;
  const row: AssetRow = {
    id,
    folder: 'output',
    subfolder: '',
    file_name: `${id}.png`,
    name: 'cat.png',
    content_hash: randomBytes(32).toString('hex'),
    blake3: randomBytes(32).toString('hex'),
    size: 5,
    media_type: 'image/png',
    user_metadata: '{}',
    metadata: '{}',
    preview_id: null,
    job_id: null,
    node_id: null,
    output_key: null,
    output_index: null,
    created_at: 1000,
    updated_at: 1000,
    last_access_at: 1000,
    expires_at: null,
    width: null,
    height: null,
    ...columns,
  };
  await lockStorageUse(db, row.user_id);
  await insertAsset(db, row, tags);
  return row;
}
