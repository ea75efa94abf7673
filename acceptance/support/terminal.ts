import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';

import { until } from './until.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/atelier.js');

/** What a program asks a terminal for pictures with: `ESC _ … ESC \\`. */
const QUESTION = /\u001b_.*?\u001b\\/g;

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
  /** `atelier` by default. */
  readonly program?: string;
}

/** A program in a terminal, with a person who types. */
export function openTerminal(
  args: readonly string[],
  { env, cwd, columns = 100, program = PROGRAM }: TerminalOptions = {},
) {
  const child = spawn(process.execPath, [program, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows: 40,
    cwd: cwd ?? process.cwd(),
    env: { PATH: process.env['PATH'], ATELIER_CONFIG: '/nonexistent/profiles.json', ...env },
  });
  let bytes = '';
  let seen = 0;
  child.onData((data) => {
    bytes += data;
  });
  const exit = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  const text = (): string => stripVTControlCharacters(bytes.replaceAll(QUESTION, '')).replaceAll('\r', '');
  return {
    exit,
    /** Everything so far, with its control sequences. */
    bytes: () => bytes,
    /** Everything so far, as text. */
    text,
    /** Waits for what was not there at the last question. */
    async sees(pattern: RegExp): Promise<RegExpExecArray> {
      return await until(`${pattern} in ${JSON.stringify(args)}`, () => {
        const found = pattern.exec(text().slice(seen));
        if (found) seen += found.index + found[0].length;
        return found ?? undefined;
      });
    },
    types: (keys: string): void => child.write(keys),
  };
}

export const KEYS = { enter: '\r', down: '\u001b[B', interrupt: '\u0003' } as const;
