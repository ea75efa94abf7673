import type { Db } from '../platform/db/database.ts';
import {
  type ExportUser,
  isoOrNull,
  jsonLines,
  pagesOf,
  storedFile,
} from '../platform/export/exported-file.ts';
import type { FileStore } from '../platform/files/file-store.ts';
import { extensionOf } from './task-links.ts';
import { listFiles, listTasksAfter, type Task } from './tasks.repo.ts';

const BATCH_SIZE = 100;

/** Tasks with their inputs and results. */
export function createExportUser(db: Db, store: Pick<FileStore, 'open'>): ExportUser {
  return async function* exportUser(userId) {
    const tasks = () =>
      pagesOf<Task>(async (last) => await listTasksAfter(db, userId, last?.seq ?? 0, BATCH_SIZE));
    yield jsonLines('tasks.jsonl', async function* rows() {
      for await (const page of tasks()) yield page.map(toExported);
    });
    for await (const page of tasks())
      for (const task of page)
        for (const { seq, role, hash, media_type: type } of await listFiles(db, task.seq)) {
          const name = `${role}-${seq}.${extensionOf(type)}`;
          if (hash !== null) yield storedFile(`tasks/${task.id}/${name}`, store, hash);
        }
  };
}

function toExported(task: Task) {
  return {
    id: task.id,
    kind: task.kind,
    state: task.state,
    credits: task.credits,
    error_code: task.error_code,
    error_message: task.error_message,
    webhook_url: task.webhook_url,
    created_at: isoOrNull(task.created_at),
    ended_at: isoOrNull(task.ended_at),
    request: JSON.parse(task.settings) as unknown,
    payload: task.payload,
  };
}
