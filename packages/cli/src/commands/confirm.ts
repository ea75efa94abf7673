import type { Command } from 'commander';

import type { Context } from '../context.ts';
import { CliError, EXIT } from '../exit-codes.ts';
import { plainText } from '../output/plain-text.ts';

export interface SureOptions {
  readonly yes?: boolean;
}

/** For what cannot be taken back, or costs something. */
export function addYesOption(command: Command): Command {
  return command.option('-y, --yes', 'do not ask');
}

/** Asks a person who can be asked. Programs have said what they want. */
export async function confirm(
  { output, signal }: Pick<Context, 'output' | 'signal'>,
  question: string,
  { yes }: SureOptions,
): Promise<void> {
  if (yes || !output.canAsk) return;
  const prompts = await import('@clack/prompts');
  const { stdin: input, stderr } = output;
  const message = plainText(question);
  const answer = await prompts.confirm({ message, initialValue: false, input, output: stderr, signal });
  if (answer === true) return;
  throw new CliError('Nothing was done.', { exitCode: EXIT.cancelled });
}
