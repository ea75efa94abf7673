import { join } from 'node:path';

import type { Clock } from '../../platform/clock.ts';
import type { Db } from '../../platform/db/database.ts';
import * as repo from './assets.repo.ts';
import type { FilesOfUsers } from './create-user-files.ts';
import { STAGING } from './folder-places.ts';
import { listAbandonedParts } from './made-files.repo.ts';
import { removeOldIn } from './remove-strays.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly files: Pick<FilesOfUsers, 'remove' | 'removeParts' | 'tidyPlaces'>;
  readonly folder: string;
}

const AT_A_TIME = 100;
/** Nothing comes in for so long. */
export const STAGED_MS = 3_600_000;

/** Removes what has outlived its time: files with an expiry, and what crashes left in folders. */
export async function tidyFiles(parts: Parts): Promise<void> {
  const { db, folder, clock, files } = parts;
  await removeExpired(parts);
  const before = clock() - STAGED_MS;
  for (const name of await listAbandonedParts(db, before)) await files.removeParts(name);
  await removeOldIn(join(folder, STAGING), before);
  await files.tidyPlaces();
}

async function removeExpired({ db, clock, files }: Parts): Promise<void> {
  for (;;) {
    const now = clock();
    const expired = await repo.listExpired(db, now, AT_A_TIME);
    for (const { id, user_id: userId } of expired) await files.remove(userId, id, { expiredAt: now });
    if (expired.length < AT_A_TIME) return;
  }
}
