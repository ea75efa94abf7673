import { type Db, withTransaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Task } from '../tasks.repo.ts';
import { isBusy, leaseTasks, listDue } from './leases.repo.ts';

/** A task that this server works on, until the lease runs out. */
export type HeldTask = Task & { readonly lease: string };

export interface ClaimOptions {
  readonly adapter: string;
  readonly now: number;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Put-off tasks this near to their deadline wait for no idle queue any more. */
const URGENT_MS = 8 * 3_600_000;

/** Takes due tasks of one adapter. What was put off comes when nothing else is there, or its deadline is near. */
export async function claimTasks(db: Db, options: ClaimOptions): Promise<HeldTask[]> {
  const { adapter, now, limit, leaseMs } = options;
  return await withTransaction(db, async (tx) => {
    const due = await listDue(tx, { adapter, now, limit, putOff: 0 });
    if (due.length < limit) {
      due.push(
        ...(await listDue(tx, {
          adapter,
          now,
          // One at a time: the queue is not idle any more once it is taken.
          limit: 1,
          putOff: 1,
          deadlineBefore: due.length > 0 || (await isBusy(tx, adapter)) ? now + URGENT_MS : undefined,
        })),
      );
    }
    if (due.length === 0) return [];
    const lease = newId();
    const seqs = due.map(({ seq }) => seq);
    const tasks = await leaseTasks(tx, seqs, { lease, leaseUntil: now + leaseMs });
    return tasks.map((task) => ({ ...task, lease })).toSorted((left, right) => left.seq - right.seq);
  });
}
