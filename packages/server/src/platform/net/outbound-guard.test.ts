import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import type { Socket } from 'node:net';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';

import type { OutboundRequest } from './outbound.ts';
import { because, names, startHttp, startOutbound } from './test/loopback-server.ts';

const WEB: OutboundRequest = { protocols: ['http:', 'https:'], maxBytes: 1_000, timeoutMs: 10_000 };

describe('where a request connects', () => {
  it('reaches an allowed port and no other port of the same address', async (t) => {
    const open = await startHttp(t, (_request, response) => response.end('open'));
    const shut = await startHttp(t, (_request, response) => response.end('shut'));
    const outbound = startOutbound(t, { allow: [`127.0.0.1:${open.port}`] });
    const answer = await outbound.request(open.origin, WEB);
    assert.equal(answer.body.toString(), 'open');
    await assert.rejects(outbound.request(shut.origin, WEB), because('address', { sent: false }));
    assert.equal(shut.sockets.length, 0);
  });

  it('reaches an allowed name at any address, and keeps the name in the host header', async (t) => {
    const server = await startHttp(t, (request, response) => response.end(request.headers.host));
    const lookup = names({ 'dev.example': ['127.0.0.1'] });
    const outbound = startOutbound(t, { allow: ['dev.example'], lookup });
    const answer = await outbound.request(`http://dev.example:${server.port}/`, WEB);
    assert.equal(answer.body.toString(), `dev.example:${server.port}`);
    await assert.rejects(outbound.request(server.origin, WEB), because('address'));
  });

  for (const host of [
    '127.0.0.1',
    '2130706433',
    '0x7f.1',
    '0177.0.0.1',
    '[::ffff:127.0.0.1]',
    '[::127.0.0.1]',
    '0.0.0.0',
    'private.example',
    'half.example',
  ]) {
    it(`never touches a loopback server through ${host}`, async (t) => {
      const server = await startHttp(t, (_request, response) => response.end());
      const lookup = names({ 'private.example': ['127.0.0.1'], 'half.example': ['8.8.8.8', '127.0.0.1'] });
      const outbound = startOutbound(t, { lookup });
      await assert.rejects(
        outbound.request(`http://${host}:${server.port}/`, WEB),
        because('address', { sent: false }),
      );
      assert.equal(server.sockets.length, 0);
    });
  }

  it('connects to the checked address even if the name has changed since', async (t) => {
    const allowed = await startHttp(t, (_request, response) => response.end('checked'));
    const secret = await startHttp(t, (_request, response) => response.end('secret'), {
      address: '127.0.0.2',
      port: allowed.port,
    });
    let asked = 0;
    const lookup = async () => {
      asked += 1;
      return [asked === 1 ? '127.0.0.1' : '127.0.0.2'];
    };
    const outbound = startOutbound(t, { allow: ['127.0.0.1'], lookup });
    const url = `http://moving.example:${allowed.port}/`;
    const first = await outbound.request(url, WEB);
    assert.equal(first.body.toString(), 'checked');
    assert.equal(asked, 1);
    await assert.rejects(outbound.request(url, WEB), because('address'));
    assert.equal(secret.sockets.length, 0);
  });

  it('refuses a name that was public when checked and is private when requested', async (t) => {
    const server = await startHttp(t, (_request, response) => response.end('secret'));
    const answers = [['8.8.8.8'], ['127.0.0.1']];
    const outbound = startOutbound(t, { lookup: async () => answers.shift() ?? [] });
    const url = `http://moving.example:${server.port}/`;
    await outbound.check(url, { protocols: WEB.protocols });
    await assert.rejects(outbound.request(url, WEB), because('address'));
    assert.equal(server.sockets.length, 0);
  });

  it('drops a connection that the kernel made to another address', {
    skip: process.platform === 'win32',
  }, async (t) => {
    const server = await startHttp(t, (_request, response) => response.end('secret'));
    const outbound = startOutbound(t, { allow: ['0.0.0.0'] });
    const url = `http://0.0.0.0:${server.port}/`;
    await assert.rejects(outbound.request(url, WEB), because('address', { sent: false }));
  });

  it('tries the next address of a name when the first does not answer', async (t) => {
    const server = await startHttp(t, (_request, response) => response.end('second'));
    const lookup = names({ 'two.example': ['127.0.0.3', '127.0.0.1'] });
    const outbound = startOutbound(t, { allow: ['127.0.0.0/8'], lookup });
    const answer = await outbound.request(`http://two.example:${server.port}/`, WEB);
    assert.equal(answer.body.toString(), 'second');
  });

  it('reaches v6 and mapped addresses of the allow list', async (t) => {
    const v4 = await startHttp(t, (_request, response) => response.end('v4'));
    const outbound = startOutbound(t, { allow: ['::1', '127.0.0.1'] });
    const mapped = await outbound.request(`http://[::ffff:127.0.0.1]:${v4.port}/`, WEB);
    assert.equal(mapped.body.toString(), 'v4');
    const v6 = await startHttp(t, (_request, response) => response.end('v6'), { address: '::1' }).catch(
      () => {},
    );
    if (!v6) return t.diagnostic('this machine has no IPv6');
    const answer = await outbound.request(`http://[::1]:${v6.port}/`, WEB);
    assert.equal(answer.body.toString(), 'v6');
  });

  it('reports that nothing was sent when nobody listens', async (t) => {
    const server = await startHttp(t, () => {});
    const outbound = startOutbound(t, { allow: ['127.0.0.3'] });
    const url = `http://127.0.0.3:${server.port}/`;
    await assert.rejects(
      outbound.request(url, { ...WEB, method: 'POST' }),
      because('network', { sent: false }),
    );
  });

  it('uses no proxy from the environment', async (t) => {
    const proxy = await startHttp(t, (_request, response) => response.end('proxy'));
    const server = await startHttp(t, (_request, response) => response.end('direct'));
    const script = `
      import { createOutbound } from ${JSON.stringify(import.meta.resolve('./outbound.ts'))};
      import { parseAllowList } from ${JSON.stringify(import.meta.resolve('./allow-list.ts'))};
      const outbound = createOutbound({ allow: parseAllowList(['127.0.0.1']).allow });
      const answer = await outbound.request('${server.origin}', ${JSON.stringify(WEB)});
      process.stdout.write(answer.body);`;
    const proxies = ['HTTP_PROXY', 'http_proxy', 'HTTPS_PROXY', 'ALL_PROXY'].map((name) => [
      name,
      proxy.origin,
    ]);
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', script], {
      env: { ...process.env, ...Object.fromEntries(proxies), NO_PROXY: '', NODE_USE_ENV_PROXY: '1' },
    });
    assert.equal(stdout, 'direct');
    assert.equal(proxy.sockets.length, 0);
  });
});

describe('what a request holds', () => {
  it('gives every request a connection of its own and closes it with the answer', async (t) => {
    const server = await startHttp(t, (_request, response) => response.end('x'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    for (const count of [1, 2]) {
      await outbound.request(server.origin, WEB);
      assert.equal(server.sockets.length, count);
      const socket = server.sockets[count - 1];
      if (socket && !socket.destroyed) await once(socket, 'close');
    }
  });

  it('frees the connection when the signal aborts before the headers', async (t) => {
    const controller = new AbortController();
    const server = await startHttp(t, () => controller.abort(new Error('enough')));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const answer = outbound.request(server.origin, { ...WEB, signal: controller.signal });
    await assert.rejects(answer, because('aborted', { sent: true }));
    await closed(server.sockets[0]);
  });

  it('frees the connection when the signal aborts within the body', async (t) => {
    const controller = new AbortController();
    const server = await startHttp(t, (_request, response) => response.write('some'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, { ...WEB, signal: controller.signal });
    controller.abort();
    await assert.rejects(body.toArray(), because('aborted'));
    await closed(server.sockets[0]);
  });

  it('frees the connection when the reader destroys the body', async (t) => {
    const server = await startHttp(t, (_request, response) => response.write('some'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, WEB);
    body.destroy();
    await closed(server.sockets[0]);
  });

  it('frees the connection of an unread body at the deadline, without ending the process', async (t) => {
    const server = await startHttp(t, (_request, response) => response.write('some'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, { ...WEB, timeoutMs: 1_000 });
    await closed(server.sockets[0]);
    assert.equal(body.destroyed, true);
  });

  it('leaves no listener or timer behind', async (t) => {
    const server = await startHttp(t, (_request, response) => response.end('x'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { signal } = new AbortController();
    // Other tests of this process may have timers of their own, which end meanwhile.
    const timers = () => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const before = timers();
    let listeners = 0;
    t.mock.method(signal, 'addEventListener', () => (listeners += 1));
    t.mock.method(signal, 'removeEventListener', () => (listeners -= 1));
    await outbound.request(server.origin, { ...WEB, signal });
    await outbound.check(server.origin, { ...WEB, signal });
    await assert.rejects(outbound.request('http://10.0.0.1/', { ...WEB, signal }), because('address'));
    assert.equal(listeners, 0);
    assert.ok(timers() <= before);
  });

  it('aborts everything under way when the client is closed, and starts nothing more', async (t) => {
    const server = await startHttp(t, (_request, response) => response.write('some'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, WEB);
    outbound.close();
    await assert.rejects(body.toArray(), because('aborted'));
    await closed(server.sockets[0]);
    await assert.rejects(outbound.request(server.origin, WEB), because('aborted', { sent: false }));
    assert.equal(server.sockets.length, 1);
    await assert.rejects(outbound.check('https://8.8.8.8/', WEB), because('aborted'));
  });
});

async function closed(socket: Socket | undefined): Promise<void> {
  assert.ok(socket);
  if (!socket.destroyed) await once(socket, 'close');
}
