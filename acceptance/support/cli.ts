import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/atelier.js');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface CliOptions {
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Hears of the process as soon as it runs. */
  readonly onStart?: (child: ChildProcess) => void;
}

/** Runs `atelier` as a user does, in a pipe. Nothing of this process's own settings or profiles reaches it. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd,
    env: { PATH: process.env['PATH'], ATELIER_CONFIG: '/nonexistent/profiles.json', ...options.env },
    stdio: 'pipe',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  options.onStart?.(child);
  const [stdout, stderr, code] = await Promise.all([text(child.stdout), text(child.stderr), ended]);
  return { code, stdout, stderr };
}

/** For a server, with a key. */
export function cliFor(server: { readonly url: string }, key: string) {
  return async (args: readonly string[], { env, ...options }: CliOptions = {}): Promise<CliResult> =>
    await runCli(args, { ...options, env: { ATELIER_URL: server.url, ATELIER_API_KEY: key, ...env } });
}
