import { answerTasks } from '@atelier/engine/threads';
import { messageOf } from '../errors/message-of.ts';

import { type Handle, openHandle } from './sqlite-handle.ts';

export interface ReadTask {
  readonly file: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ReadAnswer = { readonly rows: unknown[] } | { readonly failed: string };

/** Per thread. Four times as much would save 4 ms in a scan of 250,000 jobs. */
const CACHE_KIB = 8 * 1024;

let handle: Handle | undefined;

answerTasks<ReadTask, ReadAnswer>(({ file, sql, parameters }) => {
  try {
    handle ??= openHandle(file, { readOnly: true, cacheKib: CACHE_KIB });
    return { rows: handle.run({ sql, parameters }).rows };
  } catch (error) {
    return { failed: messageOf(error) };
  }
});
