import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

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
