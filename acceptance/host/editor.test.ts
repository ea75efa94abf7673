import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';
import { WebSocket } from 'ws';

import { client } from '../support/http-client.ts';
import { cookieOf, newPerson } from '../support/people.ts';
import { socketUrl } from '../support/sockets.ts';

/** The version that `npm run editor:get` fetches. */
const VERSION = '1.58.1';

describe('the stock editor', () => {
  let server: RunningServer;
  let cookie = '';
  before(async () => {
    server = await startServer();
    cookie = await cookieOf(server, await newPerson(server));
  });
  after(async () => await server?.[Symbol.asyncDispose]());
  const get = async (path: string, headers: Readonly<Record<string, string>> = {}) =>
    await client(server.url).get<string>(path, headers);
  const put = async (path: string, text: string) => {
    const file = join(server.dataFolder, 'editor', VERSION, path);
    await mkdir(join(file, '..'), { recursive: true });
    await writeFile(file, text);
  };

  test('[HOST-37] is not there until the operator has fetched it, and then without a restart', async () => {
    assert.equal((await get('/editor/', { cookie })).status, 404);
    assert.equal((await get('/editor/assets/a-1.js')).status, 404);
    const hasEditor = async () =>
      (await client(server.url, { cookie }).get<{ has_editor: boolean }>('/api/features')).body.has_editor;
    assert.equal(await hasEditor(), false);
    await put('index.html', '<title>editor</title>');
    await put('assets/a-1.js', 'export {}');
    await put('user.css', '');
    assert.equal(await hasEditor(), true);
    const { status, body, headers } = await get('/editor/', { cookie });
    assert.equal(status, 200);
    assert.equal(body, '<title>editor</title>');
    assert.match(headers.get('content-security-policy') ?? '', /connect-src 'self'/);
    assert.equal(headers.get('cache-control'), 'no-store');
    const file = await get('/editor/assets/a-1.js');
    assert.match(file.headers.get('content-type') ?? '', /^(text|application)\/javascript/);
    assert.match(file.headers.get('cache-control') ?? '', /immutable/);
  });

  test('[HOST-37] leads signed-out browsers to the sign-in page, and back', async () => {
    for (const headers of [{}, { cookie: 'atelier_session=old' }]) {
      const { status, headers: answer } = await get('/editor/', headers);
      assert.equal(status, 302);
      assert.equal(answer.get('location'), '/console/sign-in?return_to=%2Feditor%2F');
    }
    assert.equal((await get('/editor')).headers.get('location'), '/editor/');
    assert.equal((await get('/editor/index.html')).headers.get('location'), '/editor/');
  });

  test('[HOST-37] serves nothing else of the disk', async () => {
    for (const path of [
      '..%2F..%2Fbootstrap.json',
      '%2e%2e/%2e%2e/bootstrap.json',
      '..%5c..%5cbootstrap.json',
      'assets',
      'none.js',
    ]) {
      const { status, body } = await get(`/editor/${path}`);
      assert.ok([403, 404].includes(status), `${path}: ${status}`);
      assert.ok(!JSON.stringify(body).includes('api_key'));
    }
  });

  test('[HOST-37] finds the routes it calls below its own address', async () => {
    const page = client(server.url, { cookie, origin: server.url });
    for (const path of [
      '/api/queue',
      '/api/object_info',
      '/templates/index.json',
      '/internal/logs',
      '/api/users',
    ]) {
      assert.deepEqual((await page.get(`/editor${path}`)).body, (await page.get(path)).body, path);
    }
    assert.equal((await get('/editor/api/queue')).status, 401);
    assert.equal((await page.post('/editor/api/settings', { 'Comfy.Locale': 'en' })).status, 200);
    assert.equal((await page.get('/editor/apis')).status, 404);
    assert.equal((await page.get('/editor/metrics')).status, 404, 'and no others');
  });

  test('[HOST-37] opens its WebSocket below its own address', async () => {
    const url = socketUrl(server.url, { clientId: 'editor' }).replace('/ws', '/editor/ws');
    const socket = new WebSocket(url, { headers: { cookie, origin: server.url } });
    const [message] = (await once(socket, 'message')) as [Buffer];
    assert.match(String(message), /"type":"status"/);
    socket.close();
    const foreign = new WebSocket(url, { headers: { cookie, origin: 'https://elsewhere.example' } });
    const [error] = (await once(foreign, 'error')) as [Error];
    assert.match(error.message, /403/);
  });
});
