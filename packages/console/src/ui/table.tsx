import type { ReactNode } from 'react';

import { cx } from './class-names.ts';

export interface Column<Row> {
  readonly id: string;
  readonly header: ReactNode;
  readonly cell: (row: Row) => ReactNode;
  readonly align?: 'right';
  /** Hidden on small screens: below `md` or `lg`. */
  readonly from?: 'md' | 'lg';
}

interface Props<Row> {
  readonly rows: readonly Row[];
  readonly columns: readonly Column<Row>[];
  readonly rowKey: (row: Row) => string;
  /** What the table lists, for screen readers. */
  readonly label: string;
}

const FROM = { md: 'hidden md:table-cell', lg: 'hidden lg:table-cell' } as const;

/** Rows of data with a border between them. */
export function Table<Row>({ rows, columns, rowKey, label }: Props<Row>) {
  const cell = ({ align, from }: Column<Row>) =>
    cx(align === 'right' && 'text-right tabular-nums', from && FROM[from]);
  return (
    // It scrolls sideways if it does not fit, so it must be reachable by keyboard.
    <div
      className="scroll-quiet min-w-0 overflow-x-auto rounded-md border border-line bg-surface"
      tabIndex={0}
      role="region"
      aria-label={label}
    >
      <table className="w-full border-collapse text-left text-13">
        <thead>
          <tr className="border-b border-line">
            {columns.map((column) => (
              <th
                key={column.id}
                scope="col"
                className={cx('h-9 px-3 font-medium whitespace-nowrap text-muted', cell(column))}
              >
                {column.header}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={rowKey(row)} className="border-b border-line last:border-b-0 hover:bg-hover/60">
              {columns.map((column) => (
                <td key={column.id} className={cx('h-11 px-3 py-1.5 align-middle', cell(column))}>
                  {column.cell(row)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
