import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort, temporaryFolder } from '@atelier/testing';

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
