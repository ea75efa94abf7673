import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a script of `drivers/` in a process of its own, hands it `input` and gives back its answer. The process ends by
 * itself, or with the deadline.
 */
export async function inProcess<Answer>(driver: string, input: object, deadlineMs: number): Promise<Answer> {
  const script = join(import.meta.dirname, 'drivers', `${driver}.ts`);
  const child = fork(script, { timeout: deadlineMs, killSignal: 'SIGKILL' });
  let answered: Answer | undefined;
  child.once('message', (message) => {
    answered = message as Answer;
  });
  child.send(input);
  await once(child, 'exit');
  if (answered === undefined) throw new Error(`the driver ${driver} ended without an answer`);
  return answered;
}

/** The other end: what the parent hands over. */
export async function inputOf<Input>(): Promise<Input> {
  const [input] = (await once(process, 'message')) as [Input];
  return input;
}

/** Answers the parent and lets go of it, so that the process may end. */
export function answer(value: object): void {
  process.send?.(value, () => process.disconnect?.());
}
