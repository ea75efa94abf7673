import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { PATIENCE_MS, type RunningServer, temporaryFolder } from '@atelier/testing';

import { admin } from './people.ts';

const PROGRAM = fileURLToPath(new URL('../../packages/worker/src/main.ts', import.meta.url));
const COMMAND = [process.execPath, PROGRAM];
const LOOK_MS = 50;

export interface RemoteWorker extends AsyncDisposable {
  readonly token: string;
  output(): string;
}

interface WorkerOptions {
  readonly name: string;
  readonly url?: string;
  /** What else is on its command line. */
  readonly args?: readonly string[];
  /** The program and its first arguments, when it is not that of the repository. */
  readonly command?: readonly string[];
  /** What is put before the command, to run it somewhere else. */
  readonly prefix?: readonly string[];
}

/** The worker program as an operator starts it on another machine, with a token of its own. */
export async function spawnRemoteWorker(
  server: RunningServer,
  { name, url = server.url, args = ['--slots', '1'], command = COMMAND, prefix = [] }: WorkerOptions,
) {
  const { body } = await admin(server).post<{ token: string }>('/admin/worker-tokens', { name });
  const folder = await temporaryFolder();
  const [program = '', ...first] = [...prefix, ...command];
  const child = spawn(program, [...first, '--server', url, '--name', name, '--cache', folder.path, ...args], {
    env: { PATH: process.env['PATH'], ATELIER_WORKER_TOKEN: body.token },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let text = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (chunk: string) => {
      text += chunk;
    });
  }
  const worker: RemoteWorker = {
    token: body.token,
    output: () => text,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
      await folder[Symbol.asyncDispose]();
    },
  };
  return { child, worker };
}

/** Resolves once it is connected. */
export async function startRemoteWorker(
  server: RunningServer,
  options: WorkerOptions,
): Promise<RemoteWorker> {
  const { name } = options;
  const { child, worker } = await spawnRemoteWorker(server, options);
  const deadline = AbortSignal.timeout(PATIENCE_MS);
  while (!(await isConnected(server, name))) {
    if (deadline.aborted || child.exitCode !== null) {
      await worker[Symbol.asyncDispose]();
      throw new Error(`the worker did not connect:\n${worker.output()}`);
    }
    await new Promise((resolve) => setTimeout(resolve, LOOK_MS));
  }
  return worker;
}

async function isConnected(server: RunningServer, name: string): Promise<boolean> {
  const { body } = await admin(server).get<{ workers: { name: string; state: string }[] }>('/admin/workers');
  return body.workers.some((worker) => worker.name === name && worker.state === 'ready');
}
