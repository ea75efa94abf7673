import type { GenerationTask } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { plainLine } from '../output/plain-text.ts';
import { saveOutputs } from '../run/save-outputs.ts';
import { followTask } from './follow-task.ts';

export interface SaveOptions {
  readonly out: string;
  readonly wait: boolean;
}

interface ShowOptions extends SaveOptions {
  readonly credits?: number | undefined;
  /** Ctrl-C was pressed while the task was being created. */
  readonly isLeft?: boolean;
}

/** Waits for a task, saves its results, and shows which vendor made them. */
export async function showTaskResult(
  context: Context,
  task: GenerationTask,
  { out, wait, credits, isLeft = false }: ShowOptions,
): Promise<void> {
  const { output, signal } = context;
  for (const warning of task.warnings) output.warn(warning);
  if (!wait) {
    output.result({ task_id: task.id, kind: task.kind, warnings: task.warnings }, () => plainLine(task.id));
    return;
  }
  output.note(`Task ${task.id}`);
  const { files, detail } = await followTask(context, task, isLeft);
  const saved: object[] = [];
  for await (const { output: file, path } of saveOutputs(files, {
    folder: out,
    signal,
    again: `atelier generate get ${task.id}`,
  })) {
    saved.push({ name: file.name, path });
    if (!output.isJson) output.stdout.write(`${plainLine(path)}\n`);
  }
  const { made_by, ignored_words = [] } = detail;
  if (ignored_words.length > 0) output.warn(`Words that had no effect: ${ignored_words.join(', ')}.`);
  output.note(`Made by: ${made_by}`);
  if (!output.isJson) return;
  const paid = 'credits' in detail ? detail.credits : credits;
  output.result(
    {
      task_id: task.id,
      kind: task.kind,
      ...(paid !== undefined && { credits: paid }),
      made_by,
      ignored_words,
      warnings: task.warnings,
      files: saved,
    },
    () => '',
  );
}
