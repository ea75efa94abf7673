import type { GenerationTask, TaskResult, TaskStatus } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { formatDuration } from '../output/formats.ts';
import { createLiveDisplay } from '../output/live-display.ts';

const WORDS: Readonly<Record<TaskStatus['state'], string>> = {
  waiting: 'Waiting',
  running: 'Generating',
  completed: 'Done',
  failed: 'Failed',
};

/** Shows a task until it ends. A task cannot be cancelled: Ctrl-C only stops waiting. */
export async function followTask(
  { output, signal, onInterrupt }: Context,
  task: GenerationTask,
  isLeft: boolean,
): Promise<TaskResult> {
  const display = output.isLive ? createLiveDisplay(output.stderr) : undefined;
  const left = new AbortController();
  const leave = (): void => left.abort();
  const off = onInterrupt(leave);
  signal.addEventListener('abort', leave, { once: true });
  if (isLeft || signal.aborted) leave();
  const beganAt = performance.now();
  let status: TaskStatus | undefined;
  const draw = () => {
    const percent = status && status.fraction > 0 ? ` ${Math.floor(status.fraction * 100)} %` : '';
    const took = formatDuration(performance.now() - beganAt);
    return { lines: [`${WORDS[status?.state ?? 'waiting']}${percent} · ${took}`] };
  };
  const tick = setInterval(() => display?.show(draw), 1000);
  try {
    display?.show(draw);
    return await task.result({
      signal: left.signal,
      onProgress(now) {
        status = now;
        display?.show(draw);
      },
    });
  } catch (error) {
    if (!left.signal.aborted) throw error;
    throw new CliError(`The task ${task.id} keeps running, and is paid for.`, {
      exitCode: EXIT.cancelled,
      advice: `Get what it makes with "atelier generate get ${task.id}".`,
    });
  } finally {
    clearInterval(tick);
    off();
    signal.removeEventListener('abort', leave);
    display?.clear();
  }
}
