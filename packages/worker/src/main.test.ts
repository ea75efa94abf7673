import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { FromWorker, ToWorker } from '@atelier/contracts';
import { WORKER_CLOSE } from '@atelier/contracts/worker-protocol';
import { freePort, temporaryFolder } from '@atelier/testing';
import { WebSocketServer } from 'ws';

import { until } from './comfyui/test/run-at-scripted.ts';

const PROGRAM = fileURLToPath(new URL('./main.ts', import.meta.url));
const run = (...args: readonly string[]) =>
  spawnSync(process.execPath, [PROGRAM, ...args], { encoding: 'utf8' });

test('--help shows the options', () => {
  const { status, stdout } = run('--help');
  assert.equal(status, 0);
  assert.match(stdout, /--server URL/);
});

test('a missing folder of packs is reported in one sentence', () => {
  const { status, stderr } = run('--server', 'http://127.0.0.1:9', '--token', 'x', '--packs', '/nowhere');
  assert.equal(status, 1);
  assert.equal(stderr, 'The node pack /nowhere cannot be loaded: there is no such folder.\n');
});

test('a worker whose ComfyUI never comes up is stopped by a signal, and ends what it started', async () => {
  await using folder = await temporaryFolder();
  const started = join(folder.path, 'started');
  const ended = join(folder.path, 'ended');
  const command = `trap 'touch ${ended}; exit' TERM; touch ${started}; while :; do sleep 0.1; done`;
  const comfyui = `http://127.0.0.1:${await freePort()}`;
  const server = ['--server', 'http://127.0.0.1:9', '--token', 'x'];
  const options = [...server, '--comfyui', comfyui, '--start', command];
  const worker = spawn(process.execPath, [PROGRAM, ...options], { stdio: 'ignore' });
  const exit = once(worker, 'exit');
  await until(() => existsSync(started), 'the command');
  worker.kill('SIGTERM');
  assert.deepEqual(await exit, [0, null]);
  assert.ok(existsSync(ended));
});

test('a worker that is refused while it finishes its jobs ends', async () => {
  const port = await freePort();
  await using folder = await temporaryFolder();
  const server = new WebSocketServer({ port, host: '127.0.0.1' });
  const job = {
    jobId: '1',
    graph: '{"1":{"class_type":"PreviewAny","inputs":{"source":"text"}}}',
    extraData: '{}',
    targets: ['1'],
    order: ['1'],
    scope: 'one',
    files: { kind: 'folders', folders: { input: folder.path, output: folder.path, temp: folder.path } },
  } as const;
  server.on('connection', (socket) => {
    const send = (message: ToWorker): void => socket.send(JSON.stringify(message));
    socket.on('message', (data: Buffer) => {
      const { type } = JSON.parse(data.toString()) as FromWorker;
      if (type === 'hello') {
        send({ type: 'welcome', graceMs: 30_000, attempts: [] });
        send({ type: 'run', attempt: '1/1', job });
      }
      // Nothing is acknowledged, so the worker cannot finish.
      if (type === 'end') worker.kill('SIGTERM');
      if (type === 'draining') socket.close(WORKER_CLOSE.refused, 'Its token was revoked.');
    });
  });
  const options = ['--server', `http://127.0.0.1:${port}`, '--token', 'x', '--cache', folder.path];
  const worker = spawn(process.execPath, [PROGRAM, ...options], { stdio: ['ignore', 'ignore', 'pipe'] });
  const errors = worker.stderr.setEncoding('utf8').toArray();
  assert.deepEqual(await once(worker, 'exit'), [1, null]);
  assert.match((await errors).join(''), /Its token was revoked\. Check the token and the version\.\n$/);
  server.close();
});
