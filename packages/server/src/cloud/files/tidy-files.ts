import { join } from 'node:path';

import type { ServiceParts } from '../../platform/service-parts.ts';
import { listExpired } from './assets.repo.ts';
import type { FilesOfUsers } from './create-user-files.ts';
import { STAGING } from './folder-places.ts';
import { listAbandonedParts } from './made-files.repo.ts';
import { removeOldIn } from './remove-strays.ts';

interface Parts extends ServiceParts {
  readonly files: Pick<FilesOfUsers, 'remove' | 'removeParts' | 'tidyPlaces'>;
  readonly folder: string;
}

const BATCH_SIZE = 100;
/** No upload takes this long. */
const STAGED_MS = 3_600_000;

/** Removes expired files, and what crashes left in folders. */
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
    const expired = await listExpired(db, now, BATCH_SIZE);
    for (const { id, user_id: userId } of expired) await files.remove(userId, id, { expiredAt: now });
    if (expired.length < BATCH_SIZE) return;
  }
}
