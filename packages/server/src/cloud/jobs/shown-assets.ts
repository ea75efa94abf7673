import { parseJson } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { findAssetAt } from '../files/assets.repo.ts';
import { namedFiles } from '../files/named-files.ts';
import type { NodeOutput } from '../files/user-files.ts';

/** More than a page has, and few enough to be looked up one by one. */
const MAX_ASSETS = 2000;

/**
 * The files that a finished job shows and that are still there, under the places where it shows them. A job that was answered from
 * earlier results shows files that another one made.
 */
export async function findShownAssets(
  db: Db,
  userId: string,
  { outputs, now }: { readonly outputs: string; readonly now: number },
): Promise<AssetRow[]> {
  const named = Object.entries(parseJson(outputs) as Record<string, NodeOutput>).flatMap(([nodeId, output]) =>
    namedFiles(output).map((file) => ({ nodeId, ...file })),
  );
  const found: AssetRow[] = [];
  for (const { nodeId, folder, subfolder, fileName, outputKey, outputIndex } of named.slice(0, MAX_ASSETS)) {
    const asset = await findAssetAt(db, userId, folder, subfolder, fileName);
    if (!asset || (asset.expires_at !== null && asset.expires_at <= now)) continue;
    found.push({ ...asset, node_id: nodeId, output_key: outputKey, output_index: outputIndex });
  }
  return found;
}
