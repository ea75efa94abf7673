import { type ChildProcess, spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';

const PROGRAM = join(import.meta.dirname, '../../packages/cli/bin/atelier.js');

export interface CliResult {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface JsonResult<T> extends CliResult {
  readonly json: T;
}

export interface CliOptions {
  readonly url?: string;
  readonly key?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly input?: string;
  /** Hears of the process as soon as it runs. What fails in it fails the run. */
  readonly onStart?: (child: ChildProcess) => void | Promise<void>;
}

/** Runs `atelier` as a user does, in a pipe. Nothing of this process's own settings or profiles reaches it. */
export async function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliResult> {
  const child = spawn(process.execPath, [PROGRAM, ...args], {
    cwd: options.cwd,
    env: {
      PATH: process.env['PATH'],
      ATELIER_CONFIG: '/nonexistent/profiles.json',
      ...(options.url !== undefined && { ATELIER_URL: options.url }),
      ...(options.key !== undefined && { ATELIER_API_KEY: options.key }),
      ...options.env,
    },
    stdio: 'pipe',
  });
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  child.stdin.on('error', () => {});
  child.stdin.end(options.input ?? '');
  const [stdout, stderr, code] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    ended,
    options.onStart?.(child),
  ]);
  return { code, stdout, stderr };
}

/** For a server, with a key. */
export function cliFor(server: { readonly url: string }, key: string) {
  return async (args: readonly string[], { env, ...options }: CliOptions = {}): Promise<CliResult> =>
    await runCli(args, { ...options, env: { ATELIER_URL: server.url, ATELIER_API_KEY: key, ...env } });
}

/** The same with --json. */
export async function runJson<T>(args: readonly string[], options: CliOptions = {}): Promise<JsonResult<T>> {
  const result = await runCli([...args, '--json'], options);
  try {
    return { ...result, json: JSON.parse(result.stdout) as T };
  } catch (error) {
    throw new Error(`no JSON: ${JSON.stringify(result)}`, { cause: error });
  }
}
