import { text as readText } from 'node:stream/consumers';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';

/** Secrets are prompted for or read from standard input, because other users can see the arguments of a process. */
export async function readSecret({ output, signal }: Context, message: string): Promise<string> {
  if (output.canAsk) {
    const { isCancel, password } = await import('@clack/prompts');
    const answer = await password({ message, input: output.stdin, output: output.stderr, signal });
    if (isCancel(answer)) throw new CliError('Nothing was done.', { exitCode: EXIT.cancelled });
    return answer;
  }
  const given = output.stdin.isTTY ? '' : (await readText(output.stdin)).replace(/\r?\n$/, '');
  if (given !== '') return given;
  throw new CliError(`${message} is missing.`, { advice: 'Pipe it into the command.' });
}
