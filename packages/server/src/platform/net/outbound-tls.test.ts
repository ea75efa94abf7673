import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { getCACertificates, setDefaultCACertificates, TLSSocket } from 'node:tls';

import type { OutboundRequest } from './outbound.ts';
import { createCertificate } from './test/certificate.ts';
import { because, names, startHttp, startHttps, startOutbound, startTcp } from './test/loopback-server.ts';

const SECURE: OutboundRequest = { protocols: ['https:'], maxBytes: 1_000, timeoutMs: 10_000 };
const trusted = createCertificate(['good.example', '127.0.0.1']);
const unknown = createCertificate(['good.example']);
const lookup = names({ 'good.example': ['127.0.0.1'], 'other.example': ['127.0.0.1'] });

// The test file is a process of its own, so this reaches no other test.
setDefaultCACertificates([...getCACertificates('default'), trusted.cert]);

describe('https', () => {
  it('sends the name as server name and checks the certificate against it', async (t) => {
    const server = await startHttps(t, trusted, (request, response) => {
      response.end(request.socket instanceof TLSSocket ? String(request.socket.servername) : 'none');
    });
    const outbound = startOutbound(t, { allow: ['127.0.0.1'], lookup });
    for (const host of ['good.example', 'GOOD.example.']) {
      const answer = await outbound.request(`https://${host}:${server.port}/`, SECURE);
      assert.equal(answer.body.toString(), 'good.example');
    }
  });

  it('checks the certificate of an address against that address', async (t) => {
    const server = await startHttps(t, trusted, (_request, response) => response.end('ok'));
    const outbound = startOutbound(t, { allow: ['127.0.0.0/8'], lookup });
    const answer = await outbound.request(`https://127.0.0.1:${server.port}/`, SECURE);
    assert.equal(answer.body.toString(), 'ok');
  });

  it('refuses a certificate for another name, before the request is sent', async (t) => {
    let requests = 0;
    const server = await startHttps(t, trusted, () => (requests += 1));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'], lookup });
    const url = `https://other.example:${server.port}/`;
    await assert.rejects(outbound.request(url, SECURE), because('tls', { sent: false }));
    assert.equal(requests, 0);
  });

  it('refuses an untrusted certificate, whatever the environment says', async (t) => {
    const server = await startHttps(t, unknown, (_request, response) => response.end());
    const outbound = startOutbound(t, { allow: ['good.example'], lookup });
    process.env.NODE_TLS_REJECT_UNAUTHORIZED = '0';
    t.after(() => delete process.env.NODE_TLS_REJECT_UNAUTHORIZED);
    await assert.rejects(outbound.request(`https://good.example:${server.port}/`, SECURE), because('tls'));
  });

  it('refuses a server that speaks no TLS, breaks off the handshake or never answers it', async (t) => {
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const plain = await startHttp(t, (_request, response) => response.end());
    const short = await startTcp(t, (socket) => socket.once('data', () => socket.end()));
    const silent = await startTcp(t, (socket) => socket.resume());
    await assert.rejects(
      outbound.request(`https://127.0.0.1:${plain.port}/`, SECURE),
      because('tls', { sent: false }),
    );
    await assert.rejects(
      outbound.request(`https://127.0.0.1:${short.port}/`, SECURE),
      because('tls', { sent: false }),
    );
    const soon = { ...SECURE, timeoutMs: 150 };
    await assert.rejects(
      outbound.request(`https://127.0.0.1:${silent.port}/`, soon),
      because('timeout', { sent: false }),
    );
    const [socket] = silent.sockets;
    assert.ok(socket);
    await new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once('close', resolve)));
  });

  it('frees the encrypted connection with the answer', async (t) => {
    const server = await startHttps(t, trusted, (_request, response) => response.write('some'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(`https://127.0.0.1:${server.port}/`, SECURE);
    body.destroy();
    const [socket] = server.sockets;
    assert.ok(socket);
    await new Promise((resolve) => (socket.destroyed ? resolve(null) : socket.once('close', resolve)));
  });

  it('does not follow a redirect to plain http, unless that is on the allow list', async (t) => {
    const plain = await startHttp(t, (_request, response) => response.end('plain'));
    const server = await startHttps(t, trusted, (request, response) => {
      const location = request.url === '/listed' ? plain.origin : 'http://8.8.8.8/';
      response.writeHead(302, { location }).end();
    });
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const options = { ...SECURE, maxRedirects: 1 };
    const origin = `https://127.0.0.1:${server.port}`;
    await assert.rejects(outbound.request(origin, options), because('scheme'));
    const answer = await outbound.request(`${origin}/listed`, options);
    assert.equal(answer.body.toString(), 'plain');
  });
});
