import { type Db, withTransaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Task } from '../tasks.repo.ts';
import { type Due, isBusy, leaseTasks, listDue } from './leases.repo.ts';

/** A task that this server works on, until the lease runs out. */
export type HeldTask = Task & { readonly lease: string };

interface ClaimOptions {
  readonly now: number;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Put-off tasks this near to their deadline wait for no idle queue any more. */
const URGENT_MS = 8 * 3_600_000;

/** Takes due tasks of one adapter. What was put off comes when nothing else is there, or its deadline is near. */
export async function claimTasks(
  db: Db,
  { adapter, now, limit, leaseMs }: ClaimOptions & { readonly adapter: string },
): Promise<HeldTask[]> {
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
    return await lease(tx, due, { leaseUntil: now + leaseMs, putOff: 0 });
  });
}

/** Takes due tasks whose pictures are to be fetched, also of those that are put off: a link may not live as long as they wait. */
export async function claimFetches(db: Db, { now, limit, leaseMs }: ClaimOptions): Promise<HeldTask[]> {
  return await withTransaction(
    db,
    async (tx) => await lease(tx, await listDue(tx, { now, limit }), { leaseUntil: now + leaseMs }),
  );
}

async function lease(
  tx: Db,
  due: readonly Due[],
  options: { readonly leaseUntil: number; readonly putOff?: 0 },
): Promise<HeldTask[]> {
  if (due.length === 0) return [];
  const id = newId();
  const tasks = await leaseTasks(
    tx,
    due.map(({ seq }) => seq),
    { lease: id, ...options },
  );
  return tasks.map((task) => ({ ...task, lease: id })).toSorted((left, right) => left.seq - right.seq);
}
