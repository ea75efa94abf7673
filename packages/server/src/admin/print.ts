import { stripVTControlCharacters } from 'node:util';

import { say } from './command.ts';

export const JSON_OPTION = { json: { type: 'boolean' } } as const;

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
  for (const line of lines)
    say(
      line
        .map((cell, index) => cell.padEnd(widths[index] ?? 0))
        .join('  ')
        .trimEnd(),
    );
}
