import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { freePort, PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';

import { cliFor, runCli } from '../support/cli.ts';

interface Report {
  readonly exit_code: number;
  readonly checks: readonly { name: string; status: string; message: string; advice?: string }[];
}

const reportOf = (stdout: string): Report => JSON.parse(stdout) as Report;

/** A server that is something else. */
async function otherServer(answer: (path: string) => { status?: number; body: string; date?: string }) {
  const server = createServer((request, response) => {
    const { status = 200, body, date } = answer(request.url ?? '');
    response.writeHead(status, date === undefined ? {} : { date }).end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}`, [Symbol.dispose]: () => void server.close() };
}

describe('atelier doctor', { timeout: PATIENCE_MS }, () => {
  let server: RunningServer;
  before(async () => {
    server = await startServer();
  });
  after(async () => await server?.[Symbol.asyncDispose]());

  test('finds nothing wrong where nothing is, one line each', async () => {
    const atelier = cliFor(server, server.admin.api_key);
    const { code, stdout, stderr } = await atelier(['doctor']);
    assert.equal(code, 0, stdout + stderr);
    for (const name of [
      'settings',
      'version',
      'health',
      'clock',
      'latency',
      'key',
      'plan',
      'storage',
      'workers',
    ])
      assert.match(stdout, new RegExp(`^[✓!] ${name} +\\S`, 'm'));
    assert.doesNotMatch(stdout, /✗/);
    assert.equal(stdout.includes(server.admin.api_key), false);
    const { checks, exit_code: exitCode } = reportOf((await atelier(['doctor', '--json'])).stdout);
    assert.equal(exitCode, 0);
    assert.ok(checks.every(({ name, message }) => name && message));
    assert.ok(checks.every(({ status }) => status === 'ok' || status === 'warning'));
  });

  test('[CLI-18] says what to do about each problem, and its exit code is that of the worst', async () => {
    const port = await freePort();
    using foreign = await otherServer(() => ({ body: '<h1>Welcome</h1>' }));
    for (const [args, status, name, pattern] of [
      [[], 2, 'settings', /No server specified/],
      [['--url', `http://127.0.0.1:${port}`], 4, 'connection', /ECONNREFUSED/],
      [['--url', foreign.url], 4, 'version', /is not an Atelier server, or it is too old/],
      [['--url', server.url], 3, 'key', /There is none/],
      [['--url', server.url, '--key', 'atelier_wrong'], 3, 'key', /refuses the key from --key/],
    ] as const) {
      const { code, stdout } = await runCli(['doctor', '--json', ...args]);
      const report = reportOf(stdout);
      assert.equal(code, status, stdout);
      assert.equal(report.exit_code, status);
      const last = report.checks.at(-1);
      assert.equal(last?.name, name);
      assert.equal(last?.status, 'problem');
      assert.match(last?.message ?? '', pattern);
      assert.ok(last?.advice);
    }
  });

  test('[CLI-18] says that no worker is ready, which one and why, and how it works again', async () => {
    const atelier = cliFor(server, server.admin.api_key);
    const { stdout: listed } = await atelier(['workers', 'list', '--json']);
    const { workers } = JSON.parse(listed) as { workers: { id: string }[] };
    const id = workers[0]?.id ?? '';
    assert.equal((await atelier(['workers', 'drain', id])).code, 0);
    const { code, stdout } = await atelier(['doctor']);
    assert.equal(code, 1, stdout);
    assert.match(stdout, /^✗ workers +None is ready, so jobs wait\. .*"atelier workers list"\.$/m);
    assert.match(stdout, /^! worker +built-in is draining.*"atelier workers release"\.$/m);
    assert.equal((await atelier(['workers', 'release', id])).code, 0);
    assert.equal((await atelier(['doctor'])).code, 0);
  });

  test('warns of another version and of a wrong clock, and shows no control characters of a server', async () => {
    using newer = await otherServer((path) => ({
      body: path === '/version' ? '{"name":"atelier","version":"99.0.0\\u001b[2J"}' : 'OK',
      date: new Date(Date.now() - 3_600_000).toUTCString(),
    }));
    const { stdout } = await runCli(['doctor', '--url', newer.url]);
    assert.match(stdout, /^! version +The server has 99\.0\.0.*Update this program\.$/m);
    assert.match(stdout, /^! clock +This machine is 3\d\d\d seconds ahead of the server\./m);
    assert.equal(stdout.includes('\u001b'), false);
  });
});
