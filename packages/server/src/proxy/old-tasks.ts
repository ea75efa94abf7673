import { type Db, withTransaction } from '../platform/db/database.ts';
import { deleteOld } from '../platform/db/delete-old.ts';
import { inRestedSlices } from '../platform/in-slices.ts';
import type { TaskContents } from './pictures/task-contents.ts';
import type { ProxyParts } from './proxy-parts.ts';
import * as repo from './tasks.repo.ts';

interface Parts extends ProxyParts {
  readonly contents: TaskContents;
  /** 0: forever. */
  readonly keptMs: number;
}

const KEY_MS = 24 * 3_600_000;
/** As long as links to them last. */
const INPUT_MS = 24 * 3_600_000;
const BATCH_SIZE = 100;

/** Removes expired keys, inputs and tasks, with the bytes that no other task has. */
export function createOldTasks({ db, clock, contents, countStorage, keptMs }: Parts) {
  /** Users in one order everywhere, because two servers may do this at once. */
  async function giveRoomBack(tx: Db, files: readonly repo.ForgottenFile[]): Promise<void> {
    const byOwner = Map.groupBy(files, ({ user_id: userId }) => userId);
    for (const userId of [...byOwner.keys()].toSorted()) {
      const room = repo.roomOf(byOwner.get(userId) ?? []);
      await countStorage(tx, userId, { files: -room.files, bytes: -room.bytes });
    }
  }

  /** Forgets files batch by batch, and deletes the bytes that no other task has. */
  async function forget<T>(
    listSome: () => Promise<readonly T[]>,
    change: (tx: Db, some: readonly T[]) => Promise<readonly repo.ForgottenFile[]>,
  ): Promise<void> {
    await inRestedSlices(async () => {
      const some = await listSome();
      if (some.length === 0) return false;
      const files = await withTransaction(db, async (tx) => {
        const forgotten = await change(tx, some);
        await giveRoomBack(tx, forgotten);
        return forgotten;
      });
      await contents.sweep(files.flatMap(({ hash }) => hash ?? []));
      return true;
    });
  }

  return {
    async tidy(): Promise<void> {
      await deleteOld(db, 'task_keys', clock() - KEY_MS);
      await forget(
        async () => await repo.listSpentInputs(db, clock() - INPUT_MS, BATCH_SIZE),
        repo.forgetInputs,
      );
      if (keptMs > 0) {
        await forget(
          async () => await repo.listEndedBefore(db, clock() - keptMs, BATCH_SIZE),
          repo.deleteTasks,
        );
      }
    },

    /** Tasks under way go too: their step finds its lease gone. */
    async deleteAllOf(userId: string): Promise<void> {
      await forget(async () => await repo.listSeqsOf(db, userId, BATCH_SIZE), repo.deleteTasks);
      await repo.deleteTaskKeysOf(db, userId);
    },
  };
}
