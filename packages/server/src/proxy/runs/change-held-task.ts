import { type Db, withTransaction } from '../../platform/db/database.ts';
import type { StoredFile } from '../../platform/files/file-store.ts';
import type { TaskContents } from '../pictures/task-contents.ts';
import type { ProxyParts } from '../proxy-parts.ts';
import type { NotifyTask } from '../task-webhooks.ts';
import { insertFiles, roomOf, type Task } from '../tasks.repo.ts';
import type { FileRole } from '../vendors/vendor.ts';
import type { HeldTask } from './claim-tasks.ts';
import { changeTask } from './leases.repo.ts';

/** Both run in the transaction that ends the task. */
export interface TaskCredits {
  settle(tx: Db, reference: string): Promise<boolean>;
  giveBack(tx: Db, reference: string, reason?: string): Promise<boolean>;
}

interface Parts extends ProxyParts {
  readonly credits: TaskCredits;
  readonly contents: Pick<TaskContents, 'claim'>;
  readonly notify: NotifyTask;
  /** After a commit that may have written a delivery. */
  readonly wake: () => void;
  /** After the commit that ended a task. */
  readonly onEnded: (task: Task, outcome: 'done' | 'failed') => void;
}

export interface Result extends StoredFile {
  readonly role: FileRole;
}

export type HeldTaskChanges = ReturnType<typeof createHeldTaskChanges>;

export function creditReference(taskId: string): string {
  return `task:${taskId}`;
}

/** The writes of one step. Each is guarded by the lease and throws `LeaseLost` when that is gone. */
export function createHeldTaskChanges(parts: Parts) {
  const { db, clock, credits, countStorage, contents, notify, wake, onEnded } = parts;
  const ended = () => {
    const now = clock();
    return { lease: null, due_at: null, ended_at: now, updated_at: now };
  };
  /** Passes through every state between. */
  const enterRunning = async (tx: Db, held: HeldTask): Promise<void> => {
    if (held.state === 'running') return;
    if (held.state === 'created') await changeTask(tx, held, { updated_at: clock() }, 'queued');
    const task = await changeTask(tx, held, { updated_at: clock(), troubles: 0 }, 'running');
    await notify(tx, task, []);
  };

  return {
    async setProgress(held: HeldTask, progress: number): Promise<void> {
      await changeTask(db, held, { progress: Math.max(held.progress, progress), updated_at: clock() });
    },

    /** Its pictures are there. Its adapter is next. */
    async toWork(held: HeldTask): Promise<void> {
      await changeTask(db, held, { stage: 'work', lease: null, due_at: clock(), troubles: 0 });
    },

    async toQueued(held: HeldTask): Promise<HeldTask> {
      if (held.state !== 'created') return held;
      await changeTask(db, held, { updated_at: clock() }, 'queued');
      return { ...held, state: 'queued' };
    },

    /** Called before the request that begins the task is sent: after a crash it may have arrived. */
    async markSent(held: HeldTask): Promise<HeldTask> {
      const sentAt = clock();
      await changeTask(db, held, { sent_at: sentAt });
      return { ...held, sent_at: sentAt };
    },

    async toRunning(held: HeldTask): Promise<HeldTask> {
      if (held.state === 'running') return held;
      await withTransaction(db, async (tx) => await enterRunning(tx, held));
      wake();
      return { ...held, state: 'running' };
    },

    /** The vendor has it, and a later step checks it. */
    async leaveWithVendor(
      held: HeldTask,
      taskStatus: {
        readonly vendorTaskId: string;
        readonly state: 'queued' | 'running';
        readonly progress?: number | undefined;
        readonly dueAt: number;
      },
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        if (taskStatus.state === 'running') await enterRunning(tx, held);
        await changeTask(tx, held, {
          lease: null,
          due_at: taskStatus.dueAt,
          vendor_task_id: taskStatus.vendorTaskId,
          troubles: 0,
          looks: held.looks + 1,
          ...(taskStatus.progress !== undefined && {
            progress: Math.max(held.progress, taskStatus.progress),
          }),
        });
      });
      wake();
    },

    /** This step changed nothing, and there will be another. */
    async putBack(
      held: HeldTask,
      { dueAt, isTrouble, surelyNotSent }: { dueAt: number; isTrouble: boolean; surelyNotSent: boolean },
    ): Promise<void> {
      await changeTask(db, held, {
        lease: null,
        due_at: dueAt,
        ...(isTrouble && { troubles: held.troubles + 1 }),
        ...(surelyNotSent && { sent_at: null }),
      });
    },

    async fail(
      held: HeldTask,
      { code, message }: { readonly code: string; readonly message: string },
    ): Promise<void> {
      await withTransaction(db, async (tx) => {
        await enterRunning(tx, held);
        const error = { error_code: code, error_message: message };
        const task = await changeTask(tx, held, { ...ended(), ...error }, 'failed');
        await credits.giveBack(tx, creditReference(task.id), message);
        await notify(tx, task, []);
      });
      wake();
      onEnded(held, 'failed');
    },

    async complete(held: HeldTask, results: readonly Result[]): Promise<void> {
      await withTransaction(db, async (tx) => {
        await enterRunning(tx, held);
        const task = await changeTask(tx, held, { ...ended(), progress: 100 }, 'done');
        for (const { hash } of results) {
          if (!(await contents.claim(tx, hash)))
            throw new Error(`The result ${hash} is gone from the store.`);
        }
        const files = await insertFiles(
          tx,
          results.map(({ role, hash, mediaType, size }) => ({
            task_seq: task.seq,
            role,
            is_input: 0,
            url: null,
            hash,
            media_type: mediaType,
            size,
          })),
        );
        await credits.settle(tx, creditReference(task.id));
        await notify(tx, task, files);
        await countStorage(tx, task.user_id, roomOf(files));
      });
      wake();
      onEnded(held, 'done');
    },
  };
}
