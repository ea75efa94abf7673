import { answerTasks } from '@atelier/engine/threads';

import { type Handle, openHandle } from './sqlite-handle.ts';

export interface ReadTask {
  readonly file: string;
  readonly sql: string;
  readonly parameters: readonly unknown[];
}

export type ReadAnswer = { readonly rows: unknown[] } | { readonly failed: string };

let handle: Handle | undefined;

answerTasks<ReadTask, ReadAnswer>(({ file, sql, parameters }) => {
  try {
    handle ??= openHandle(file, { readOnly: true });
    return { rows: handle.run({ sql, parameters }).rows };
  } catch (error) {
    return { failed: error instanceof Error ? error.message : String(error) };
  }
});
