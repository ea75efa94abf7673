import { Readable } from 'node:stream';

import { type Db, withTransaction } from '../../platform/db/database.ts';
import { lockByName } from '../../platform/db/lock-by-name.ts';
import type { FileStore, StoredFile } from '../../platform/files/file-store.ts';
import { isContentUsed } from '../tasks.repo.ts';
import { MOST_PICTURE_BYTES } from './check-picture.ts';

interface Parts {
  readonly db: Db;
  /** Shared with nobody: a sweep deletes what no task has. */
  readonly store: FileStore;
}

export type TaskContents = ReturnType<typeof createTaskContents>;

/** The bytes of tasks. Who names a content in a row and who takes it away come by the same lock. */
export function createTaskContents({ db, store }: Parts) {
  const lock = async (tx: Db, hash: string) => await lockByName(tx, `task-content:${hash}`);

  return {
    async putBytes(bytes: Uint8Array): Promise<StoredFile> {
      return await store.put(Readable.from([bytes]), { maxBytes: MOST_PICTURE_BYTES });
    },

    /** In the transaction that names the content. False when a sweep was faster: put the bytes again. */
    async claim(tx: Db, hash: string): Promise<boolean> {
      await lock(tx, hash);
      return (await store.stat(hash)) !== undefined;
    },

    /** Takes away those that no task has. */
    async sweep(hashes: Iterable<string>): Promise<void> {
      for (const hash of new Set(hashes)) {
        await withTransaction(db, async (tx) => {
          await lock(tx, hash);
          if (!(await isContentUsed(tx, hash))) await store.delete(hash);
        });
      }
    },
  };
}
