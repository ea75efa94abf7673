import { AtelierError, type JobHandle, type JobResult, type Workflow } from '@atelier/sdk';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { exitCodeOf } from '../output/report-error.ts';
import { detectPictures } from '../pictures/detect-pictures.ts';
import { createProgressView } from './show-progress.ts';

type Choice = 'cancel' | 'leave' | 'go on';

/** Shows a job until it ends. Ctrl-C asks what to do with the job; without a terminal it cancels. */
export async function followJob(
  { output, signal, onInterrupt }: Context,
  job: JobHandle,
  workflow: Pick<Workflow, 'nodes'>,
): Promise<JobResult> {
  const pictures = await detectPictures(output);
  const view = output.isLive ? createProgressView(output, { workflow, pictures }) : undefined;
  const left = new AbortController();
  let isAsking = false;

  /** The job then ends as cancelled, like any other. */
  const cancel = (): void => void job.cancel().catch(() => left.abort());

  async function decide(): Promise<void> {
    if (isAsking || !output.canAsk) return cancel();
    isAsking = true;
    view?.pause();
    const choice = await askWhatToDo();
    isAsking = false;
    view?.resume();
    if (choice === 'cancel') cancel();
    else if (choice === 'leave') left.abort();
  }

  const off = onInterrupt(() => void decide());
  signal.addEventListener('abort', cancel, { once: true });
  if (signal.aborted) cancel();
  try {
    return await job.result({
      signal: left.signal,
      previews: pictures !== undefined,
      onEvent: (event) => view?.event(event),
    });
  } catch (error) {
    if (!left.signal.aborted) {
      const isLost = error instanceof AtelierError && exitCodeOf(error) === EXIT.unreachable;
      if (!isLost) throw error;
      const advice = `Go on with "atelier watch ${job.id}" once the server is back.`;
      throw new CliError(error.message, { exitCode: EXIT.unreachable, advice, cause: error });
    }
    throw new CliError(`The job ${job.id} keeps running.`, {
      exitCode: EXIT.cancelled,
      advice: `See it with "atelier watch ${job.id}".`,
    });
  } finally {
    off();
    signal.removeEventListener('abort', cancel);
    view?.end();
  }
}

async function askWhatToDo(): Promise<Choice> {
  const { isCancel, select } = await import('@clack/prompts');
  const choice = await select<Choice>({
    message: 'The job still runs.',
    options: [
      { value: 'cancel', label: 'Cancel it' },
      { value: 'leave', label: 'Leave it running and go' },
      { value: 'go on', label: 'Go on watching' },
    ],
    output: process.stderr,
  });
  return isCancel(choice) ? 'cancel' : choice;
}
