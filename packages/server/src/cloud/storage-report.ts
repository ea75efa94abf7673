import type { StorageReport } from '@atelier/contracts';
import { present } from '@atelier/contracts/present';

import type { Db } from '../platform/db/database.ts';
import { listStorage, sumStorage } from './use.repo.ts';

export interface StorageReportParts {
  readonly db: Db;
  /** What each user may have. */
  readonly storageBytes: number;
  readonly findPeople: (
    ids: readonly string[],
  ) => Promise<readonly { readonly id: string; readonly email: string }[]>;
}

const MAX_USERS = 100;

/** What the files of all users take, and who has most of them. */
export async function readStorageReport(parts: StorageReportParts): Promise<StorageReport> {
  const { db, storageBytes, findPeople } = parts;
  const rows = await listStorage(db, MAX_USERS);
  const people = await findPeople(rows.map((row) => row.user_id));
  const emails = new Map(people.map(({ id, email }) => [id, email]));
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
