import { createInterface } from 'node:readline/promises';
import { type ParseArgsConfig, parseArgs } from 'node:util';

import { BadUse, CommandFailed } from './command.ts';

/** Anything else shows how the command is called. */
export function readOptions<T extends NonNullable<ParseArgsConfig['options']>>(
  args: readonly string[],
  options: T,
) {
  try {
    return parseArgs({ args: [...args], options }).values;
  } catch {
    throw new BadUse();
  }
}

/** What is destroyed without a question needs `--yes`. */
export function assertCanAsk(what: string): void {
  if (!process.stdin.isTTY) throw new BadUse(`${what} There is no terminal to ask on: add --yes.`);
}

/** Asks on the terminal before something is destroyed. */
export async function confirm(what: string, signal: AbortSignal): Promise<void> {
  assertCanAsk(what);
  const asking = createInterface({ input: process.stdin, output: process.stdout });
  try {
    const answer = await asking.question(`${what} Type yes to go on: `, { signal });
    if (answer.trim().toLowerCase() !== 'yes') throw new CommandFailed('Nothing was changed.');
  } finally {
    asking.close();
  }
}
