import assert from 'node:assert/strict';
import { once } from 'node:events';
import { test } from 'node:test';
import { PATIENCE_MS, startS3, startServer } from '@atelier/testing';

import { client } from '../support/http-client.ts';
import { measure } from '../support/metrics.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

interface Readiness {
  readonly status: string;
  readonly version: string;
  readonly commit?: string;
  readonly checks: Readonly<Record<string, { readonly ok: boolean; readonly message?: string }>>;
}

const DEADLINE = { timeout: 2 * PATIENCE_MS };
const GOOD = { ok: true };

async function ready(url: string) {
  return await client(url).get<Readiness>('/ready');
}

onEachEngine('a server that is well', (server) => {
  test('[ADM-40] [ADM-41] says so, and what it is', async () => {
    const { url } = server.current;
    const { status, body } = await ready(url);
    assert.equal(status, 200, JSON.stringify(body));
    assert.equal(body.status, 'ready');
    assert.deepEqual(body.checks, { database: GOOD, migrations: GOOD, store: GOOD, disk: GOOD });

    const health = await client(url).get<string>('/health');
    assert.deepEqual([health.status, health.body], [200, 'OK']);
    const { body: version } = await client(url).get<{ version: string; commit?: string }>('/version');
    assert.equal(health.headers.get('x-atelier-version'), version.version);
    assert.equal(health.headers.get('x-atelier-commit'), version.commit ?? null);
    assert.deepEqual([body.version, body.commit], [version.version, version.commit]);
    if (version.commit !== undefined) assert.match(version.commit, /^[0-9a-f]{40,64}$/);
  });

  test('[ADM-44] measures its checks and its disk', async () => {
    const measured = await measure(server.current.url);
    for (const check of ['database', 'migrations', 'store', 'disk'])
      assert.equal(measured.of('atelier_check_ok', { check }), 1);
    assert.equal(measured.of('atelier_disk_min_free_bytes'), 512 * 2 ** 20);
    assert.ok(measured.of('atelier_disk_free_bytes') > 0);
  });
});

test(
  '[ADM-42] a server that is asked to stop still answers while load balancers find out',
  DEADLINE,
  async () => {
    await using server = await startServer({ environment: { ATELIER_DRAIN_SECONDS: '600' } });
    const exited = once(server.process, 'exit');
    server.process.kill('SIGTERM');
    await until('the drain', async () => (await ready(server.url)).status === 503);
    const { body } = await ready(server.url);
    assert.deepEqual([body.status, body.checks['database']], ['stopping', GOOD]);
    const { status } = await client(server.url).post('/auth/token', {
      email: server.admin.email,
      password: server.admin.password,
    });
    assert.equal(status, 200);
    server.process.kill('SIGTERM');
    assert.deepEqual(await exited, [1, null]);
  },
);

test('[ADM-45] a server whose S3 store does not answer is not well until it does', DEADLINE, async () => {
  await using s3 = await startS3();
  await using server = await startServer({ environment: s3.environment });
  const { url } = server;
  assert.equal((await ready(url)).status, 200);
  s3.fault = () => ({ kind: 'unavailable' });
  await until('the outage to be noticed', async () => (await ready(url)).status === 503);
  const message = 'The file store does not answer.';
  assert.deepEqual((await ready(url)).body.checks['store'], { ok: false, message });
  assert.equal(await (await fetch(`${url}/health`)).text(), message);
  const before = s3.requests.length;
  for (let asked = 0; asked < 50; asked += 1) await ready(url);
  assert.ok(s3.requests.length - before <= 2, 'the store is not asked for each of them');
  s3.fault = () => undefined;
  await until('the server to be well', async () => (await ready(url)).status === 200);
});
