import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { FileStore } from '../../platform/files/file-store.ts';
import { isContentInUse, lockContent } from './assets.repo.ts';

interface Parts {
  readonly db: Db;
  readonly store: Pick<FileStore, 'delete'>;
}

/** Removes bytes that nothing refers to. */
export async function sweepContent({ db, store }: Parts, hash: string): Promise<void> {
  await withTransaction(db, async (tx) => {
    await lockContent(tx, hash);
    if (!(await isContentInUse(tx, hash))) await store.delete(hash);
  });
}
