import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

export interface CommandResult {
  readonly isGood: boolean;
  readonly output: string;
}

/** Runs a program of node_modules/.bin in the project's root. */
export async function runCommand(command: string, args: readonly string[]): Promise<CommandResult> {
  const bin = join(ROOT, 'node_modules/.bin');
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      // The OpenAPI linter would otherwise report its use to its makers.
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      output += chunk;
    });
  }
  const [code] = (await once(child, 'close')) as [number | null];
  return { isGood: code === 0, output };
}
