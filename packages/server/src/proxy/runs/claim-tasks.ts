import { type Db, withTransaction } from '../../platform/db/database.ts';
import { newId } from '../../platform/ids.ts';
import type { Task } from '../tasks.repo.ts';
import { type Due, isBusy, leaseTasks, listDue } from './leases.repo.ts';

/** A task that this server may work on until the lease runs out. */
export type HeldTask = Task & { readonly lease: string };

interface ClaimOptions {
  readonly now: number;
  readonly limit: number;
  readonly leaseMs: number;
}

/** Put-off tasks this near to their deadline no longer wait for an idle queue. */
const URGENT_MS = 8 * 3_600_000;

/** Claims due tasks of one adapter. Put-off tasks are claimed when the queue is idle or their deadline is near. */
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
          // One at a time, because the queue is no longer idle after that.
          limit: 1,
          putOff: 1,
          deadlineBefore: due.length > 0 || (await isBusy(tx, adapter)) ? now + URGENT_MS : undefined,
        })),
      );
    }
    return await lease(tx, due, { leaseUntil: now + leaseMs, putOff: 0 });
  });
}

/** Claims due tasks whose pictures have to be fetched, even if they are put off, because a link may expire before they run. */
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
