import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { delimiter, join } from 'node:path';

export const ROOT = join(import.meta.dirname, '..');

/** Runs a program of node_modules/.bin in the project's root with its output shown. True when it succeeds. */
export async function runCommand(command: string, args: readonly string[]): Promise<boolean> {
  const bin = join(ROOT, 'node_modules/.bin');
  const child = spawn(command, args, {
    cwd: ROOT,
    stdio: ['ignore', 'inherit', 'inherit'],
    env: {
      ...process.env,
      PATH: `${bin}${delimiter}${process.env['PATH']}`,
      // The OpenAPI linter would otherwise report its use to its makers.
      REDOCLY_TELEMETRY: 'off',
      REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
    },
  });
  const [code] = (await once(child, 'exit')) as [number | null];
  return code === 0;
}
