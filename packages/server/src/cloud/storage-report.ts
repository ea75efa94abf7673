import type { StorageReport } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import type { Db } from '../platform/db/database.ts';
import { type FindPeople, findEmails } from './people.ts';
import { listStorage, sumStorage } from './use.repo.ts';

interface Parts {
  readonly db: Db;
  /** The quota of each user. */
  readonly storageBytes: number;
  readonly findPeople: FindPeople;
}

const MAX_USERS = 100;

/** How much storage all users take, and which users take the most. */
export async function readStorageReport({ db, storageBytes, findPeople }: Parts): Promise<StorageReport> {
  const rows = await listStorage(db, MAX_USERS);
  const userIds = rows.map((row) => row.user_id);
  const emails = await findEmails(findPeople, userIds);
  return {
    used_bytes: await sumStorage(db),
    quota_bytes: storageBytes,
    users: rows.map(({ user_id: id, files, bytes }) => ({
      user: { id, ...present({ email: emails.get(id) }) },
      used_bytes: bytes,
      files,
    })),
  };
}
