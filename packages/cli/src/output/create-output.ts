import { styleText } from 'node:util';

import { plainText } from './plain-text.ts';
import { type Column, renderTable } from './render-table.ts';

type Style = Parameters<typeof styleText>[0];

export interface Streams {
  readonly stdin: NodeJS.ReadStream;
  readonly stdout: NodeJS.WriteStream;
  readonly stderr: NodeJS.WriteStream;
}

export interface OutputOptions {
  /** Prints results as JSON, for programs. */
  readonly isJson: boolean;
  /** Prints nothing but results and errors. */
  readonly isQuiet: boolean;
  readonly hasColor: boolean;
}

export type Output = ReturnType<typeof createOutput>;

const NARROW = 20;

/** The output of commands. Results go to standard output; everything else goes to standard error, and only on a terminal. */
export function createOutput({ stdin, stdout, stderr }: Streams, options: OutputOptions) {
  const { isJson, isQuiet } = options;
  // `hasColors` obeys NO_COLOR, FORCE_COLOR and TERM.
  const paints = (stream: NodeJS.WriteStream): boolean =>
    options.hasColor && stream.isTTY && stream.hasColors();
  const paint =
    (stream: NodeJS.WriteStream) =>
    (style: Style, text: string): string =>
      paints(stream) ? styleText(style, text) : text;
  const styled = paint(stdout);

  function write(stream: NodeJS.WriteStream, text: string): void {
    stream.write(text.endsWith('\n') ? text : `${text}\n`);
  }

  return {
    isJson,
    isQuiet,
    stdin,
    stdout,
    stderr,
    /** Standard error is a terminal, so progress may be drawn. */
    isLive: !isJson && !isQuiet && stderr.isTTY,
    /** The user can be prompted. */
    canAsk: !isJson && stdin.isTTY && stderr.isTTY,
    /** Columns of standard output; infinite for a file or a pipe. */
    width: stdout.isTTY ? Math.max(NARROW, stdout.columns || 80) : Number.POSITIVE_INFINITY,
    styled,
    styledError: paint(stderr),
    /** The result of a command: as JSON, or as text for people. */
    result(data: unknown, text: () => string): void {
      const shown = isJson ? JSON.stringify(data, null, 2) : text();
      if (shown !== '') write(stdout, shown);
    },
    /** One of many results, printed as it arrives. */
    line(data: unknown, text: () => string): void {
      write(stdout, isJson ? JSON.stringify(data) : text());
    },
    table<T>(rows: readonly T[], columns: readonly Column<T>[]): string {
      const width = stdout.isTTY ? Math.max(NARROW, stdout.columns || 80) : Number.POSITIVE_INFINITY;
      return renderTable(rows, columns, { width, bold: (text) => styled('bold', text) });
    },
    /** A note for people watching. */
    note(text: string): void {
      if (!isJson && !isQuiet && stderr.isTTY) write(stderr, plainText(text));
    },
    /** A warning, printed even without a terminal. */
    warn(text: string): void {
      if (!isQuiet) write(stderr, `${paint(stderr)('yellow', 'warning:')} ${plainText(text)}`);
    },
  };
}
