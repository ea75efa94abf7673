import { type TaskKind, type TaskState, VENDORS, vendorOf } from '@atelier/contracts';

import type { Db } from '../platform/db/database.ts';
import type { TaskLinks } from './task-links.ts';
import type { Task, TaskFile } from './tasks.repo.ts';
import { definitionOf } from './vendors/all-vendors.ts';

/** Stores a notification in the transaction that changes its subject. */
export type Enqueue = (
  tx: Db,
  delivery: {
    readonly userId: string;
    readonly url: string;
    readonly subject: string;
    readonly type: string;
    readonly body: string;
  },
) => Promise<void>;

export type NotifyTask = (tx: Db, task: Task, files: readonly TaskFile[]) => Promise<void>;

/** The caller knows about `created`, and not every vendor has a word for `queued`. */
const NOTIFIED: ReadonlySet<TaskState> = new Set(['running', 'done', 'failed']);

/** Notifies the webhook of a task about its new state. */
export function createTaskWebhooks(enqueue: Enqueue, links: TaskLinks): NotifyTask {
  return async (tx, task, files) => {
    if (task.webhook_url === null || !NOTIFIED.has(task.state)) return;
    const vendor = vendorOf(task.kind as TaskKind);
    const body = await definitionOf(vendor).toMessage(task, files, links);
    await enqueue(tx, {
      userId: task.user_id,
      url: task.webhook_url,
      subject: `task:${task.id}`,
      type: `task.${VENDORS[vendor].states[task.state].toLowerCase()}`,
      body: JSON.stringify(body),
    });
  };
}
