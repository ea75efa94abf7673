import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { tmpdir } from 'node:os';
import { ENTRY, PATIENCE_MS, SERVER_PROGRAM } from '@atelier/testing';

interface RunOptions {
  readonly settings?: Readonly<Record<string, string>>;
  readonly node?: string;
  readonly nodeOptions?: readonly string[];
  readonly args?: readonly string[];
}

export interface Ended {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Starts the server where it is meant to refuse, and waits until it has ended. */
export async function runToEnd({
  settings = {},
  node = process.execPath,
  nodeOptions = [],
  args = [],
}: RunOptions = {}): Promise<Ended> {
  // Which versions of Node can start it is decided in its first file.
  const program = node === process.execPath && nodeOptions.length === 0 ? SERVER_PROGRAM : ENTRY;
  const child = spawn(node, [...nodeOptions, program, ...args], {
    env: { PATH: process.env['PATH'], ATELIER_PORT: '0', ...settings },
    cwd: tmpdir(),
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: PATIENCE_MS,
    killSignal: 'SIGKILL',
  });
  let stdout = '';
  let stderr = '';
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => (stdout += chunk));
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => (stderr += chunk));
  const [code] = (await once(child, 'close')) as [number | null];
  return { code, stdout, stderr };
}
