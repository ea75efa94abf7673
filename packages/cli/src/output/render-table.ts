import stringWidth from 'fast-string-width';

import { plainLine } from './plain-text.ts';

export interface Column<T> {
  readonly title: string;
  readonly text: (row: T) => string;
  readonly align?: 'left' | 'right';
}

interface TableOptions {
  /** Of the terminal; `Infinity` where nothing is cut. */
  readonly width: number;
  readonly bold: (text: string) => string;
}

const GAP = 2;
const MIN_COLUMN = 6;

/** Rows in aligned columns. What does not fit is cut; where even that is too little, each row becomes a block of lines. */
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
  if (room < MIN_COLUMN * columns.length) return renderBlocks(cells, columns, { width, bold });
  shrink(widths, room);
  const line = (row: readonly string[]): string =>
    row
      .map((cell, index) => pad(cut(cell, widths[index] ?? 0), widths[index] ?? 0, columns[index]?.align))
      .join(' '.repeat(GAP))
      .trimEnd();
  return [bold(line(columns.map(({ title }) => title))), ...cells.map(line)].join('\n');
}

/** Takes from the widest column until all of them fit. */
function shrink(widths: number[], room: number): void {
  let excess = widths.reduce((sum, one) => sum + one, 0) - room;
  while (excess > 0) {
    const widest = widths.indexOf(Math.max(...widths));
    const next = Math.max(...widths.filter((_, index) => index !== widest), MIN_COLUMN);
    const taken = Math.max(1, Math.min(excess, (widths[widest] ?? 0) - next));
    widths[widest] = (widths[widest] ?? 0) - taken;
    excess -= taken;
  }
}

function renderBlocks<T>(
  cells: readonly (readonly string[])[],
  columns: readonly Column<T>[],
  { width, bold }: TableOptions,
): string {
  return cells
    .map((row) =>
      columns
        .map(({ title }, index) => `${bold(`${title}:`)} ${cut(row[index] ?? '', width - title.length - 2)}`)
        .join('\n'),
    )
    .join('\n\n');
}

function pad(text: string, width: number, align: Column<unknown>['align'] = 'left'): string {
  const space = ' '.repeat(Math.max(0, width - stringWidth(text)));
  return align === 'right' ? space + text : text + space;
}

/** To so many columns of the terminal. */
export function cut(text: string, width: number): string {
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
