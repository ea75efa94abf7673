import { fork } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/**
 * Starts a script of this folder in a process of its own, hands it `input` and gives back the message that it
 * answers. The process ends by itself, or with the deadline.
 */
export async function inProcess<Answer>(
  script: string,
  input: object,
  { deadlineMs }: { readonly deadlineMs: number },
): Promise<Answer> {
  const child = fork(join(import.meta.dirname, script), { timeout: deadlineMs, killSignal: 'SIGKILL' });
  let answered: Answer | undefined;
  child.once('message', (message) => {
    answered = message as Answer;
  });
  child.send(input);
  await once(child, 'exit');
  if (answered === undefined) throw new Error(`${script} ended without an answer`);
  return answered;
}

/** The other end: what the parent hands over. */
export async function inputOf<Input>(): Promise<Input> {
  const [input] = (await once(process, 'message')) as [Input];
  return input;
}

/** Answers the parent and lets go of it, so that the process may end. */
export function answer(value: object): void {
  if (!process.send) throw new Error('this script is started by bench/run.ts');
  process.send(value, () => process.disconnect?.());
}
