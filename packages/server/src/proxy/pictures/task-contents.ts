import { Readable } from 'node:stream';

import { type Db, engineOf, withTransaction } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts';
import { isContentUsed } from '../tasks.repo.ts';
import { MOST_PICTURE_BYTES } from './check-picture.ts';

interface Parts {
  readonly db: Db;
  /** Shared with nobody: a sweep deletes what no task has. */
  readonly store: FileStore;
}

/**
 * Counts what the files of a task take, in the transaction that names or forgets them and last in it, because others lock the
 * user's count first. With `assertRoom` it refuses when the account had no room before.
 */
export type CountStorage = (
  tx: Db,
  userId: string,
  change: { readonly files: number; readonly bytes: number },
  options?: { readonly assertRoom?: boolean },
) => Promise<void>;

export type TaskContents = ReturnType<typeof createTaskContents>;

/** The bytes of tasks. Who names a content in a row and who takes it away come by the same lock. */
export function createTaskContents({ db, store }: Parts) {
  const lock = async (tx: Db, hash: string) => await lockByName(tx, `task-content:${hash}`);
  /**
   * What is surely there: just put, and nothing was taken away since. Only on SQLite, where nobody else takes anything away. All writes
   * wait while a transaction asks the disk, and on a busy one that took 18 ms for one in ten.
   */
  const present = new Set<string>();
  let takings = 0;
  const forgetPresent = (): void => {
    takings += 1;
    present.clear();
  };

  return {
    async putBytes(bytes: Uint8Array): Promise<StoredFile> {
      const before = takings;
      const file = await store.put(Readable.from([bytes]), { maxBytes: MOST_PICTURE_BYTES });
      if (takings === before && engineOf(db) === 'sqlite') present.add(file.hash);
      return file;
    },

    /** In the transaction that names the content. False when a sweep was faster: put the bytes again. */
    async claim(tx: Db, hash: string): Promise<boolean> {
      if (present.delete(hash)) return true;
      await lock(tx, hash);
      return (await store.stat(hash)) !== undefined;
    },

    /** Takes away those that no task has. */
    async sweep(hashes: Iterable<string>): Promise<void> {
      for (const hash of new Set(hashes)) {
        await withTransaction(db, async (tx) => {
          await lock(tx, hash);
          if (await isContentUsed(tx, hash)) return;
          forgetPresent();
          try {
            await store.delete(hash);
          } finally {
            // A put that came meanwhile may have found what was about to go.
            forgetPresent();
          }
        });
      }
    },
  };
}
