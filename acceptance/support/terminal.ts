import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { spawn } from '@lydell/node-pty';

import { until } from './until.ts';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/atelier.js');

export interface TerminalOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly columns?: number;
}

/** `atelier` in a terminal, with a person who types. */
export function openTerminal(args: readonly string[], { env, cwd, columns = 100 }: TerminalOptions = {}) {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    name: 'xterm-256color',
    cols: columns,
    rows: 40,
    cwd: cwd ?? process.cwd(),
    env: { PATH: process.env['PATH'], ATELIER_CONFIG: '/nonexistent/profiles.json', ...env },
  });
  let bytes = '';
  let isSeen = 0;
  child.onData((data) => {
    bytes += data;
  });
  const exit = new Promise<number>((resolve) => child.onExit(({ exitCode }) => resolve(exitCode)));
  return {
    pid: child.pid,
    exit,
    /** Everything so far, with its control sequences. */
    bytes: () => bytes,
    /** Everything so far, as text. */
    text: () => stripVTControlCharacters(bytes).replaceAll('\r', ''),
    /** Waits for what was not there at the last question. */
    async sees(pattern: RegExp): Promise<RegExpExecArray> {
      return await until(`${pattern} in ${JSON.stringify(args)}`, () => {
        const shown = stripVTControlCharacters(bytes).replaceAll('\r', '');
        const found = pattern.exec(shown.slice(isSeen));
        if (found) isSeen += found.index + found[0].length;
        return found ?? undefined;
      });
    },
    types: (keys: string): void => child.write(keys),
    kill: (): void => child.kill('SIGKILL'),
  };
}

export const KEYS = { enter: '\r', down: '\u001b[B', interrupt: '\u0003' } as const;
