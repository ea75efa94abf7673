import { createInterface } from 'node:readline/promises';

import { BadUse, CommandFailed } from './command.ts';

export const YES = { yes: { type: 'boolean' } } as const;

/** For what cannot be taken back. A person is asked; a program has to say `--yes`. */
export async function confirm(
  question: string,
  isSure: boolean | undefined,
  signal: AbortSignal,
): Promise<void> {
  if (isSure) return;
  if (!(process.stdin.isTTY && process.stderr.isTTY))
    throw new BadUse(`${question} There is no terminal to ask on. Add --yes to do it.`);
  const terminal = createInterface({ input: process.stdin, output: process.stderr });
  try {
    // Ctrl-C and Ctrl-D mean no.
    const answer = await terminal.question(`${question} [y/N] `, { signal }).catch(() => '');
    if (/^y(es)?$/i.test(answer.trim())) return;
  } finally {
    terminal.close();
  }
  throw new CommandFailed('Nothing was done.');
}
