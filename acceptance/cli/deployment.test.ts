import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { PATIENCE_MS, temporaryFolder } from '@atelier/testing';

import { runCli } from '../support/cli.ts';
import { until } from '../support/until.ts';

const ROOT = join(import.meta.dirname, '../..');

describe('atelier serve, worker and admin', { timeout: PATIENCE_MS }, () => {
  test('start the server of the installation around, pass settings and signals on, and end with its code', async () => {
    await using folder = await temporaryFolder();
    let child: ChildProcess | undefined;
    let said = '';
    const ended = runCli(['serve'], {
      cwd: join(ROOT, 'docs'),
      env: { ATELIER_DATA_DIR: folder.path, ATELIER_PORT: '0', HOME: folder.path },
      onStart: (started) => {
        child = started;
        started.stdout?.on('data', (chunk: Buffer) => (said += String(chunk)));
        started.stderr?.on('data', (chunk: Buffer) => (said += String(chunk)));
      },
    });
    const url = await until('the server to listen', () => /Atelier listens on ([^\s,]+)/.exec(said)?.[1]);
    assert.equal((await fetch(`${url}/health`)).status, 200);
    child?.kill('SIGTERM');
    assert.equal((await ended).code, 0);
    await assert.rejects(fetch(`${url}/health`));
  });

  test('end as the server does that cannot start', async () => {
    await using folder = await temporaryFolder();
    const env = { ATELIER_DATA_DIR: folder.path, ATELIER_PORT: 'none', HOME: folder.path };
    const { code, stderr, stdout } = await runCli(['serve'], { cwd: ROOT, env });
    assert.notEqual(code, 0);
    assert.match(stdout + stderr, /ATELIER_PORT/);
  });

  test('pass options to the worker', async () => {
    const missing = await runCli(['worker', '--slots', '1'], { cwd: ROOT });
    assert.equal(missing.code, 2);
    assert.match(missing.stderr, /--token is missing/);
    const help = await runCli(['worker', '--', '--help'], { cwd: ROOT });
    assert.match(help.stdout, /--comfyui URL/);
  });

  test('refuse options that name a server, because they work on the installation around', async () => {
    for (const args of [
      ['--url', 'http://127.0.0.1:9', 'admin', 'list-users'],
      ['--profile', 'x', 'serve'],
    ]) {
      const { code, stdout, stderr } = await runCli(args, { cwd: ROOT });
      assert.deepEqual([code, stdout], [2, ''], args.join(' '));
      assert.match(stderr, /Options before the command do not apply to it: --(url|profile)\./);
    }
    const behind = await runCli(['admin', '--url', 'http://127.0.0.1:9', 'list-users'], { cwd: ROOT });
    assert.deepEqual([behind.code, behind.stdout], [2, '']);
    assert.doesNotMatch((await runCli(['admin', '--help'], { cwd: ROOT })).stdout, /--url/);
  });

  test('pass commands for operators on to the installation', async () => {
    const listed = await runCli(['admin'], { cwd: join(ROOT, 'docs') });
    assert.equal(listed.code, 2);
    assert.match(listed.stderr, /move-files +move all files to an S3 bucket/);
    const wrong = await runCli(['admin', 'move-files', '--to', 'elsewhere'], { cwd: ROOT });
    assert.equal(wrong.code, 2);
    assert.match(wrong.stderr, /^--to is the address of a bucket/);
    const help = await runCli(['admin', 'list-users', '--help'], { cwd: ROOT });
    assert.match(help.stdout, /^Usage: npm run admin -- list-users/);
  });
});
