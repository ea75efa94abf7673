import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const ADMIN_PROGRAM = join(import.meta.dirname, '../../packages/server/src/admin.ts');

export type Settings = Readonly<Record<string, string>>;

/** Starts `npm run admin -- …` between pipes, with these settings alone. */
export function startAdmin(settings: Settings, ...args: readonly string[]) {
  const child = spawn(process.execPath, [ADMIN_PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (chunk: string) => (text += chunk));
  const ended = once(child, 'close').then(([code]) => ({ code: code as number | null, text }));
  return { child, ended };
}

export async function runAdmin(settings: Settings, ...args: readonly string[]) {
  return await startAdmin(settings, ...args).ended;
}
