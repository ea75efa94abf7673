import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { plainText } from '../output/plain-text.ts';

export interface ConfirmOptions {
  readonly yes?: boolean;
}

/** For commands that cannot be undone, or cost something. */
export function addYesOption(command: Command): Command {
  return command.option('-y, --yes', 'do not ask');
}

/** Asks for confirmation at a terminal. Scripts are not asked. */
export async function confirm(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  question: string,
  { yes }: ConfirmOptions,
): Promise<void> {
  if (yes || !output.canAsk) return;
  const prompts = await import('@clack/prompts');
  const { stdin: input, stderr } = output;
  const message = plainText(question);
  const answer = await prompts.confirm({ message, initialValue: false, input, output: stderr, signal });
  if (answer === true) return;
  throw new CliError('Nothing was done.', { exitCode: EXIT.cancelled });
}
