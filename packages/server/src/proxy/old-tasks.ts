import type { Clock } from '../platform/clock.ts';
import { type Db, withTransaction } from '../platform/db/database.ts';
import type { TaskContents } from './pictures/task-contents.ts';
import * as repo from './tasks.repo.ts';

interface Parts {
  readonly db: Db;
  readonly clock: Clock;
  readonly contents: TaskContents;
  /** 0 keeps them for ever. */
  readonly keptMs: number;
}

const KEY_MS = 24 * 3_600_000;
/** As long as links to them may be in somebody's hands. */
const INPUT_MS = 24 * 3_600_000;
const AT_ONCE = 100;

/** Keys, inputs and ended tasks go when their time is over, with the bytes that only they had. */
export function createOldTasks({ db, clock, contents, keptMs }: Parts) {
  async function forgetInputs(): Promise<void> {
    for (;;) {
      const spent = await repo.listSpentInputs(db, clock() - INPUT_MS, AT_ONCE);
      if (spent.length === 0) return;
      await repo.forgetInputs(
        db,
        spent.map(({ seq }) => seq),
      );
      await contents.sweep(spent.flatMap(({ hash }) => hash ?? []));
    }
  }

  async function deleteTasks(): Promise<void> {
    if (keptMs === 0) return;
    for (;;) {
      const seqs = await repo.listEndedBefore(db, clock() - keptMs, AT_ONCE);
      if (seqs.length === 0) return;
      const hashes = await withTransaction(db, async (tx) => await repo.deleteTasks(tx, seqs));
      await contents.sweep(hashes);
    }
  }

  return {
    async tidy(): Promise<void> {
      await repo.deleteTaskKeysBefore(db, clock() - KEY_MS);
      await forgetInputs();
      await deleteTasks();
    },
  };
}
