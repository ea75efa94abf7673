import assert from 'node:assert/strict';
import { after, afterEach, before, describe, test } from 'node:test';

import { type Console, settled, startConsole } from '../support/console.ts';

const MAX_FIRST_LOAD = 250_000;

describe('how the console is served', () => {
  let app: Console;
  before(async () => {
    app = await startConsole();
  });
  afterEach(async () => await app.closePages());
  after(async () => {
    await app[Symbol.asyncDispose]();
  });

  test('with a policy that allows nothing from elsewhere and nothing that stands in a page', async () => {
    const answer = await fetch(`${app.server.url}/console/jobs/anything`);
    assert.equal(answer.status, 200);
    assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
    const policy = answer.headers.get('content-security-policy') ?? '';
    assert.match(policy, /default-src 'none'/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.doesNotMatch(policy, /unsafe|https?:|\*/);
    assert.equal(answer.headers.get('cache-control'), 'no-cache');
  });

  test('in less than 250 kB before the first page is shown', async () => {
    const page = await app.openSignedOut();
    const { email, password } = app.server.admin;
    const headers = { origin: app.server.url };
    await page.context().request.post('/auth/session', { data: { email, password }, headers });
    await page.goto('/console/');
    await page.getByRole('heading', { name: 'Run your first workflow' }).waitFor();
    await settled(page);
    const bytes = await page.evaluate(() => {
      const loaded = [
        ...performance.getEntriesByType('navigation'),
        ...performance.getEntriesByType('resource'),
      ];
      return (loaded as PerformanceResourceTiming[])
        .filter(({ name }) => new URL(name).pathname.startsWith('/console/'))
        .reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0);
    });
    assert.ok(bytes > 50_000 && bytes < MAX_FIRST_LOAD, `${bytes} bytes`);
  });

  test('with assets that are kept forever, compressed, and nothing else of the disk', async () => {
    const html = await (await fetch(`${app.server.url}/console/`)).text();
    const [, script = ''] = /src="(\/console\/assets\/[^"]+\.js)"/.exec(html) ?? [];
    const asset = await fetch(`${app.server.url}${script}`, { headers: { 'accept-encoding': 'br' } });
    assert.equal(asset.headers.get('content-encoding'), 'br');
    assert.match(asset.headers.get('cache-control') ?? '', /immutable/);
    for (const path of [
      'assets/../../package.json',
      'assets/%2e%2e/sources.txt',
      'sources.txt',
      '../package.json',
    ]) {
      const answer = await fetch(`${app.server.url}/console/${path}`);
      assert.doesNotMatch(await answer.text(), /"version"|^[\da-f]{64}$/);
    }
  });

  test('to browsers that come to the front page, and not to programs', async () => {
    const { url } = app.server;
    const asBrowser = await fetch(url, { headers: { accept: 'text/html' }, redirect: 'manual' });
    assert.equal(asBrowser.headers.get('location'), '/console/');
    const asProgram = await fetch(url, { redirect: 'manual' });
    assert.equal(asProgram.status, 200);
  });
});
