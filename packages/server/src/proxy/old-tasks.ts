import { type Db, withTransaction } from '../platform/db/database.ts';
import { deleteOld } from '../platform/db/delete-old.ts';
import { inRestedSlices } from '../platform/in-slices.ts';
import type { TaskContents } from './pictures/task-contents.ts';
import type { ProxyParts } from './proxy-parts.ts';
import * as repo from './tasks.repo.ts';

interface Parts extends ProxyParts {
  readonly contents: TaskContents;
  /** 0 keeps them forever. */
  readonly keptMs: number;
}

const KEY_MS = 24 * 3_600_000;
/** As long as links to them may be in somebody's hands. */
const INPUT_MS = 24 * 3_600_000;
const BATCH_SIZE = 100;

/** Keys, inputs and ended tasks go when their time is over, with the bytes that only they had. */
export function createOldTasks({ db, clock, contents, countStorage, keptMs }: Parts) {
  /** Accounts in one order everywhere, because two servers may do it at once. */
  async function giveRoomBack(tx: Db, files: readonly repo.ForgottenFile[]): Promise<void> {
    const byOwner = Map.groupBy(files, ({ user_id: userId }) => userId);
    for (const userId of [...byOwner.keys()].toSorted()) {
      const room = repo.roomOf(byOwner.get(userId) ?? []);
      await countStorage(tx, userId, { files: -room.files, bytes: -room.bytes });
    }
  }

  async function forgetInputs(): Promise<void> {
    await inRestedSlices(async () => {
      const spent = await repo.listSpentInputs(db, clock() - INPUT_MS, BATCH_SIZE);
      if (spent.length === 0) return false;
      await withTransaction(db, async (tx) => {
        const forgotten = await repo.forgetInputs(
          tx,
          spent.map(({ seq }) => seq),
        );
        await giveRoomBack(
          tx,
          spent.filter(({ seq }) => forgotten.has(seq)),
        );
      });
      await contents.sweep(spent.flatMap(({ hash }) => hash ?? []));
      return true;
    });
  }

  async function deleteTasks(listSome: () => Promise<readonly number[]>): Promise<void> {
    await inRestedSlices(async () => {
      const seqs = await listSome();
      if (seqs.length === 0) return false;
      const files = await withTransaction(db, async (tx) => {
        const deleted = await repo.deleteTasks(tx, seqs);
        await giveRoomBack(tx, deleted);
        return deleted;
      });
      await contents.sweep(files.flatMap(({ hash }) => hash ?? []));
      return true;
    });
  }

  return {
    async tidy(): Promise<void> {
      await deleteOld(db, 'task_keys', clock() - KEY_MS);
      await forgetInputs();
      if (keptMs > 0) {
        await deleteTasks(async () => await repo.listEndedBefore(db, clock() - keptMs, BATCH_SIZE));
      }
    },

    /** Also those under way: their step finds its lease gone. */
    async deleteAllOf(userId: string): Promise<void> {
      await deleteTasks(async () => await repo.listSeqsOf(db, userId, BATCH_SIZE));
      await repo.deleteTaskKeysOf(db, userId);
    },
  };
}
