import type { Db } from '../platform/db/database.ts';
import type { TaskState } from '../platform/db/schema/proxy.ts';
import { IMAGE_STATUS, VIDEO_STATE } from './task.state.ts';
import type { TaskWire } from './task-wire.ts';
import type { Task, TaskFile } from './tasks.repo.ts';

/** A notification to be delivered, written in the transaction that changes what it is about. */
export interface Enqueue {
  (
    tx: Db,
    delivery: {
      readonly userId: string;
      readonly url: string;
      readonly subject: string;
      readonly type: string;
      readonly body: string;
    },
  ): Promise<void>;
}

export type TellTask = (tx: Db, task: Task, files: readonly TaskFile[]) => Promise<void>;

/** That it was created its caller knows already, and `queued` is no change to who watches an image. */
const TOLD: ReadonlySet<TaskState> = new Set(['running', 'done', 'failed']);

/** Tells the callback of a task of its new state. */
export function createTaskWebhooks(parts: { readonly enqueue: Enqueue; readonly wire: TaskWire }): TellTask {
  const { enqueue, wire } = parts;
  return async (tx, task, files) => {
    if (task.webhook_url === null || !TOLD.has(task.state)) return;
    const isVideo = task.kind === 'video';
    const state = isVideo ? VIDEO_STATE[task.state] : IMAGE_STATUS[task.state];
    const body = isVideo ? await wire.creations(task, files) : await wire.imageTask(task, files);
    await enqueue(tx, {
      userId: task.user_id,
      url: task.webhook_url,
      subject: `task:${task.id}`,
      type: `task.${state.toLowerCase()}`,
      body: JSON.stringify(body),
    });
  };
}
