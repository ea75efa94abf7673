import type { NodeContext, PreviewFrame } from '@atelier/engine';
import type { Standing } from './read-task.ts';
import type { Deadline } from './retry-request.ts';
import type { TaskWatcher } from './run-task.ts';

export type ProgressReport = ReturnType<typeof createProgressReport>;

/** The result of a finished task must still be fetched. */
const BEFORE_RESULT = 99;
const MAX_GUESS = 95;

/**
 * Shows the progress of a node's tasks to watchers. `usualMs` is the usual duration of a task that does not report its
 * progress.
 */
export function createProgressReport(
  context: Pick<NodeContext, 'progress' | 'showText'>,
  { tasks, usualMs }: { readonly tasks: number; readonly usualMs: number },
) {
  const percents = Array.from({ length: tasks }, () => 0);
  const startedMs = performance.now();
  let price: number | undefined;
  let done = 0;
  let said = '';

  function report(index: number, percent: number, preview?: PreviewFrame): void {
    if (percent <= (percents[index] ?? 0) && !preview) return;
    percents[index] = percent;
    const sum = percents.reduce((total, each) => total + each, 0);
    context.progress(sum, tasks * 100, preview);
  }

  function say(status: string): void {
    const lines = [
      `Status: ${status}`,
      ...(tasks > 1 ? [`Done: ${done} of ${tasks}`] : []),
      ...(price === undefined ? [] : [`Price: ${price} credits`]),
      `Elapsed: ${Math.floor((performance.now() - startedMs) / 1000)} s`,
    ];
    const text = lines.join('\n');
    if (text !== said) context.showText(text);
    said = text;
  }

  return {
    /** For one task. */
    watcher: (index: number, deadline: Deadline): TaskWatcher => ({
      onStanding(standing) {
        say(standing.state === 'done' ? 'fetching the result' : standing.state);
        report(index, percentOf(standing, deadline.passedMs() / usualMs));
      },
      onCrowded(ms) {
        say(`too many at once, trying again in ${Math.ceil(ms / 1000)} s`);
      },
      onPrice(credits) {
        price = credits;
      },
    }),
    /** The result of the task has been fetched. */
    onDone(index: number, preview?: PreviewFrame): void {
      done += 1;
      report(index, 100, preview);
    },
  };
}

function percentOf(standing: Standing, usual: number): number {
  switch (standing.state) {
    case 'queued':
    case 'failed':
      return 0;
    case 'running':
      // The estimate never reaches its maximum.
      return Math.min(BEFORE_RESULT, Math.floor(standing.progress ?? MAX_GUESS * (1 - Math.exp(-2 * usual))));
    case 'done':
      return BEFORE_RESULT;
  }
}
