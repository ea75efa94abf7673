import stringWidth from 'fast-string-width';

import { plainLine } from './plain-text.ts';

export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
  readonly align?: 'left' | 'right';
  /** Never truncated, such as an id that another command needs. */
  readonly isWhole?: boolean;
}

interface TableOptions {
  /** The width of the terminal; `Infinity` if nothing is truncated. */
  readonly width: number;
  readonly bold: (text: string) => string;
}

const GAP = 2;
const MIN_COLUMN = 6;

/** Rows in aligned columns. Text that does not fit is truncated; if the terminal is too narrow even for that, each row becomes a block of lines. */
export function renderTable<T>(
  rows: readonly T[],
  columns: readonly Column<T>[],
  { width, bold }: TableOptions,
): string {
  const cells = rows.map((row) => columns.map(({ text }) => plainLine(text(row))));
  const widths = columns.map(({ title }, index) =>
    Math.max(stringWidth(title), ...cells.map((row) => stringWidth(row[index] ?? ''))),
  );
  const room = width - GAP * (columns.length - 1);
  const least = columns.map(({ isWhole }, index) => (isWhole ? (widths[index] ?? 0) : MIN_COLUMN));
  if (room < sum(least)) return renderBlocks(cells, columns, { width, bold });
  shrink(widths, room, columns);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) =>
        pad(truncate(cell, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align),
      )
      .join(' '.repeat(GAP))
      .trimEnd();
  return [bold(line(columns.map(({ title }) => title))), ...cells.map(line)].join('\n');
}

/** Shrinks the widest column until all columns fit. */
function shrink(widths: number[], room: number, columns: readonly Pick<Column<never>, 'isWhole'>[]): void {
  let excess = sum(widths) - room;
  const others = (but?: number): number[] =>
    widths.map((width, index) => (columns[index]?.isWhole || index === but ? 0 : width));
  while (excess > 0) {
    const widest = others().indexOf(Math.max(...others()));
    const next = Math.max(...others(widest), MIN_COLUMN);
    const taken = Math.max(1, Math.min(excess, (widths[widest] ?? 0) - next));
    widths[widest] = (widths[widest] ?? 0) - taken;
    excess -= taken;
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((all, one) => all + one, 0);

function renderBlocks<T>(
  cells: readonly (readonly string[])[],
  columns: readonly Column<T>[],
  { width, bold }: TableOptions,
): string {
  return cells
    .map((row) =>
      columns
        .map(
          ({ title }, index) =>
            `${bold(`${title}:`)} ${truncate(row[index] ?? '', width - title.length - 2)}`,
        )
        .join('\n'),
    )
    .join('\n\n');
}

function pad(text: string, width: number, align: Column<unknown>['align'] = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** Truncates a text to a number of terminal columns. */
export function truncate(text: string, width: number): string {
  if (stringWidth(text) <= width) return text;
  let kept = '';
  let used = 1;
  for (const { segment } of new Intl.Segmenter().segment(text)) {
    used += stringWidth(segment);
    if (used > width) break;
    kept += segment;
  }
  return `${kept}…`;
}
