import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { ADMIN_PROGRAM, type TestS3 } from '@atelier/testing';

import { until } from './until.ts';

export type Settings = Readonly<Record<string, string>>;

export interface CommandEnd {
  readonly code: number | null;
  readonly out: string;
  readonly err: string;
  /** Both, as they came. */
  readonly text: string;
}

/** Starts `npm run admin -- …` as a process of its own, without a terminal and with these settings alone. */
export function startAdmin(settings: Settings, args: readonly string[], input = '') {
  const child = spawn(process.execPath, [ADMIN_PROGRAM, ...args], {
    env: { PATH: process.env['PATH'], ...settings },
    cwd: tmpdir(),
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  // It may have ended before it reads.
  child.stdin.on('error', () => {}).end(input);
  const said = { out: '', err: '', text: '' };
  for (const [name, stream] of [
    ['out', child.stdout],
    ['err', child.stderr],
  ] as const)
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      said[name] += chunk;
      said.text += chunk;
    });
  const ended = once(child, 'close').then(([code]): CommandEnd => ({ code: code as number | null, ...said }));
  return { child, ended };
}

/** What a command says when a server or another command works on the data folder. */
export function inUse(dataFolder: string): string {
  return `A server or another command uses ${dataFolder}. Stop the server, or wait for the command. Nothing was changed.\n`;
}

/** Starts a command and kills it while it waits for the answer to such a request. */
export async function killAdminAt(
  service: TestS3,
  isAwaited: (method: string, name: string) => boolean,
  settings: Settings,
  args: readonly string[],
): Promise<void> {
  const { child, ended } = startAdmin(settings, args);
  let hasCome = false;
  service.fault = (method, name) => {
    if (!isAwaited(method, name)) return undefined;
    hasCome = true;
    return { kind: 'slow', ms: 3000 };
  };
  await until('the request', () => hasCome);
  child.kill('SIGKILL');
  await ended;
  service.fault = () => undefined;
}

export async function runAdmin(settings: Settings, args: readonly string[], input = ''): Promise<CommandEnd> {
  return await startAdmin(settings, args, input).ended;
}
