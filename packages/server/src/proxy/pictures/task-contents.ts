import { Readable } from 'node:stream';

import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import type { StoredFile } from '../../platform/files/file-store.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import { isContentUsed } from '../tasks.repo.ts';

export type TaskContents = ReturnType<typeof createTaskContents>;

/** The bytes of tasks. A row that names a content and a sweep that deletes it take the same lock. */
export function createTaskContents({ db, store }: Pick<ProxyParts, 'db' | 'store'>) {
  const lock = async (tx: Db, hash: string) => await lockByName(tx, `task-content:${hash}`);
  /**
   * Contents that were stored and not deleted since. Only on SQLite, where no other server deletes. All writes wait while a transaction
   * looks at the disk, which took 18 ms for one in ten on a busy disk.
   */
  const present = new Set<string>();
  let deletions = 0;
  const forgetPresent = (): void => {
    deletions += 1;
    present.clear();
  };

  return {
    async putBytes(bytes: Uint8Array): Promise<StoredFile> {
      const before = deletions;
      const file = await store.put(Readable.from([bytes]), { maxBytes: bytes.length });
      if (deletions === before && engineOf(db) === 'sqlite') present.add(file.hash);
      return file;
    },

    /** Called in the transaction that names the content. False when a sweep came first and the bytes must be stored again. */
    async claim(tx: Db, hash: string): Promise<boolean> {
      if (present.delete(hash)) return true;
      await lock(tx, hash);
      return (await store.stat(hash)) !== undefined;
    },

    async sweep(hashes: Iterable<string>): Promise<void> {
      for (const hash of new Set(hashes)) {
        await withTransaction(db, async (tx) => {
          await lock(tx, hash);
          if (await isContentUsed(tx, hash)) return;
          forgetPresent();
          try {
            await store.delete(hash);
          } finally {
            // A put in the meantime may have found the bytes just before they were deleted.
            forgetPresent();
          }
        });
      }
    },
  };
}
