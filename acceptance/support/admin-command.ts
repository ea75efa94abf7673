import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const ENTRY = join(import.meta.dirname, '../../packages/server/src/admin.ts');

export interface CommandEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
}

/** A command for operators as a process of its own, without a terminal. */
export function spawnAdmin(settings: Readonly<Record<string, string>>, args: readonly string[], input = '') {
  const child = spawn(process.execPath, [ENTRY, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    cwd: settings['ATELIER_DATA_DIR'],
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  child.stdin.end(input);
  const ended = (async (): Promise<CommandEnd> => {
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit') as Promise<[number | null]>,
    ]);
    return { code, out, err };
  })();
  return { child, ended };
}

export async function runAdmin(
  settings: Readonly<Record<string, string>>,
  args: readonly string[],
  input = '',
): Promise<CommandEnd> {
  return await spawnAdmin(settings, args, input).ended;
}
