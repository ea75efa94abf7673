import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import type { AssetRow } from '../../platform/db/schema/cloud.ts';
import { assetsOf } from './assets.repo.ts';

/** What a loader node calls a file of its user. Loaders look among the inputs unless the name says otherwise. */
export function loaderPath({ folder, subfolder, file_name }: AssetRow): string {
  const path = subfolder === '' ? file_name : `${subfolder}/${file_name}`;
  return folder === 'input' ? path : `${path} [${folder}]`;
}

/** The names of those of these assets that the user has. */
export async function nameAssets(
  { db, clock }: { readonly db: Db; readonly clock: Clock },
  userId: string,
  ids: readonly string[],
): Promise<Record<string, string>> {
  const rows = await assetsOf(db, userId)
    .where('id', 'in', [...ids])
    .execute();
  const now = clock();
  const present = rows.filter(({ expires_at }) => expires_at === null || expires_at > now);
  return Object.fromEntries(present.map((row) => [row.id, loaderPath(row)]));
}
