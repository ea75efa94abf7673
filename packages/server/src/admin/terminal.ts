import { createInterface } from 'node:readline/promises';
import { stripVTControlCharacters } from 'node:util';

import { BadUse, CommandFailed, say } from './command.ts';

export const JSON_OPTION = { json: { type: 'boolean' } } as const;
export const YES = { yes: { type: 'boolean' } } as const;

const PROGRESS_MS = 2_000;

/** One line that changes nothing on the terminal, whatever users have written. */
export function plain(text: string): string {
  return stripVTControlCharacters(text).replaceAll(/[\p{Cc}\p{Zl}\p{Zp}\u202A-\u202E\u2066-\u2069]+/gu, ' ');
}

/** Rows as JSON, or as a table. */
export function printRows<Row extends object>(
  rows: readonly Row[],
  columns: Readonly<Record<string, (row: Row) => string | number | undefined>>,
  { json, none }: { readonly json: boolean | undefined; readonly none: string },
): void {
  if (json) return say(JSON.stringify(rows, null, 2));
  if (rows.length === 0) return say(none);
  const titles = Object.keys(columns);
  const cells = rows.map((row) => Object.values(columns).map((text) => plain(String(text(row) ?? ''))));
  const lines = [titles, ...cells];
  const widths = titles.map((_, index) => Math.max(...lines.map((line) => line[index]?.length ?? 0)));
  for (const line of lines) {
    const padded = line.map((cell, index) => cell.padEnd(widths[index] ?? 0));
    say(padded.join('  ').trimEnd());
  }
}

/** Call the result after each step of a long command: it calls `report` at most every two seconds. */
export function createProgress<Args extends unknown[]>(report: (...args: Args) => void) {
  let reportedAt = performance.now();
  return (...args: Args): void => {
    if (performance.now() - reportedAt < PROGRESS_MS) return;
    reportedAt = performance.now();
    report(...args);
  };
}

/** For what cannot be undone. A person is asked; a program has to pass `--yes`. */
export async function confirm(question: string, isSure: boolean | undefined, signal: AbortSignal) {
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
