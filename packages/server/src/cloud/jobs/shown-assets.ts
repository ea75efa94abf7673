import { parseJson } from '@atelier/engine';

import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { findAssetAt, isExpired } from '../files/assets.repo.ts';
import { namedFiles } from '../files/named-files.ts';
import type { NodeOutput } from '../files/user-files.ts';

/** More than fit on a page, and few enough to look up one by one. */
const MAX_ASSETS = 2000;

/**
 * The files that the outputs of a finished job name and that still exist, each with its position in the outputs. Nodes whose results
 * were cached name files that an earlier job made.
 */
export async function findShownAssets(
  db: Db,
  userId: string,
  { outputs, now }: { readonly outputs: string; readonly now: number },
): Promise<AssetRow[]> {
  const named = Object.entries(parseJson(outputs) as Record<string, NodeOutput>).flatMap(([nodeId, output]) =>
    namedFiles(output).map((file) => ({ nodeId, file })),
  );
  const found: AssetRow[] = [];
  for (const { nodeId, file } of named.slice(0, MAX_ASSETS)) {
    const asset = await findAssetAt(db, userId, file);
    if (!asset || isExpired(asset, now)) continue;
    found.push({
      ...asset,
      node_id: nodeId,
      output_key: file.outputKey,
      output_index: file.outputIndex,
    });
  }
  return found;
}
