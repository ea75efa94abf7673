import type { NodeContext, PreviewFrame } from '@atelier/engine';
import type { Standing } from './read-task.ts';
import type { Deadline } from './retry-request.ts';
import type { TaskWatcher } from './run-task.ts';

export type ProgressReport = ReturnType<typeof createProgressReport>;

/** A task that is done has its result still to be fetched. */
const BEFORE_RESULT = 99;
const MAX_GUESS = 95;

/**
 * How far the tasks of one node are, as the job's watchers see it. `usualMs` is how long a task takes that does not say how far
 * it is.
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
    // Never backwards.
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
    /** For one of the tasks. */
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
    /** Its result is there. */
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
      // Approaches the maximum without reaching it.
      return Math.min(BEFORE_RESULT, Math.floor(standing.progress ?? MAX_GUESS * (1 - Math.exp(-2 * usual))));
    case 'done':
      return BEFORE_RESULT;
  }
}
