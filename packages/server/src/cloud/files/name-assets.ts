import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import type { ServiceParts } from '../../platform/service-parts.ts';
import { type AssetNames, missingAssets } from '../submit/asset-references.ts';
import { assetsOf, isExpired } from './assets.repo.ts';
import { pathBelowFolder, placeOf } from './file-place.ts';

/** What a loader node calls a file of its user. Loaders look in the input folder unless the name says otherwise. */
export function loaderPath(asset: AssetRow): string {
  const path = pathBelowFolder(placeOf(asset));
  return asset.folder === 'input' ? path : `${path} [${asset.folder}]`;
}

/** What nodes call these assets. Throws `v2.missing_asset` when the user does not have one of them. */
export async function nameAssets(
  { db, clock }: ServiceParts,
  userId: string,
  ids: readonly string[],
): Promise<AssetNames> {
  const rows = await assetsOf(db, userId).where('id', 'in', ids).execute();
  const now = clock();
  const present = rows.filter((row) => !isExpired(row, now));
  const names = Object.fromEntries(present.map((row) => [row.id, loaderPath(row)]));
  const missing = ids.filter((id) => !Object.hasOwn(names, id));
  if (missing.length > 0) throw missingAssets(missing);
  return names;
}
