import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { describe, it } from 'node:test';

import type { OutboundRequest } from './outbound.ts';
import { because, names, startHttp, startOutbound } from './test/loopback-server.ts';

const WEB: OutboundRequest = {
  protocols: ['http:', 'https:'],
  maxBytes: 10_000,
  timeoutMs: 10_000,
  maxRedirects: 3,
};

const SECRETS = {
  Authorization: 'Bearer a',
  Cookie: 'b=c',
  'X-API-Key': 'd',
  'Proxy-Authorization': 'e',
  'X-Other': 'f',
};

describe('redirects', () => {
  it('are returned as they are unless asked to follow', async (t) => {
    const server = await startHttp(t, to('http://169.254.169.254/'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const answer = await outbound.request(server.origin, { ...WEB, maxRedirects: 0 });
    assert.equal(answer.status, 302);
    assert.equal(answer.headers.location, 'http://169.254.169.254/');
  });

  it('are followed up to the limit, relative ones too', async (t) => {
    const server = await startHttp(t, (request, response) => {
      const left = Number(new URL(request.url ?? '', 'http://a').searchParams.get('left'));
      if (left === 0) response.end('there');
      else response.writeHead(302, { location: `?left=${left - 1}` }).end('x'.repeat(5_000));
    });
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const answer = await outbound.request(`${server.origin}/a/?left=3`, WEB);
    assert.equal(answer.body.toString(), 'there');
    assert.equal(answer.url, `${server.origin}/a/?left=0`);
    await assert.rejects(
      outbound.request(`${server.origin}/a/?left=4`, WEB),
      because('redirects', { sent: true }),
    );
  });

  it('end when they form a loop', async (t) => {
    const server = await startHttp(t, to('/'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    await assert.rejects(outbound.request(server.origin, WEB), because('redirects'));
    assert.equal(server.sockets.length, 4);
  });

  for (const host of ['127.0.0.1', '2130706433', '[::ffff:127.0.0.1]', 'private.example']) {
    it(`never lead to a loopback server through ${host}`, async (t) => {
      const secret = await startHttp(t, (_request, response) => response.end('secret'));
      const server = await startHttp(t, to(`http://${host}:${secret.port}/`));
      const lookup = names({ 'private.example': ['127.0.0.1'] });
      const outbound = startOutbound(t, { allow: [`127.0.0.1:${server.port}`], lookup });
      await assert.rejects(outbound.request(server.origin, WEB), because('address', { sent: true }));
      assert.equal(secret.sockets.length, 0);
    });
  }

  const targets = {
    'file:///etc/passwd': 'scheme',
    'https://u:p@example.com/': 'url',
    'http://[': 'url',
    '//0/': 'address',
  } as const;
  for (const [location, reason] of Object.entries(targets)) {
    it(`to ${location} are refused because of its ${reason}`, async (t) => {
      const server = await startHttp(t, to(location));
      const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
      await assert.rejects(outbound.request(server.origin, WEB), because(reason, { sent: true }));
    });
  }

  it('to plain http are refused where only https is listed, even in between', async (t) => {
    const server = await startHttp(t, to('http://8.8.8.8/'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const options: OutboundRequest = { ...WEB, protocols: ['https:'] };
    await assert.rejects(outbound.request(server.origin, options), because('scheme', { sent: true }));
  });

  it('free the connection of an answer that never ends', async (t) => {
    const last = await startHttp(t, (_request, response) => response.end('there'));
    const first = await startHttp(t, (_request, response) => {
      response.writeHead(302, { location: last.origin }).write('and so on');
    });
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    await outbound.request(first.origin, WEB);
    const [socket] = first.sockets;
    assert.ok(socket);
    if (!socket.destroyed) await once(socket, 'close');
  });

  it('without a target are answers', async (t) => {
    const server = await startHttp(t, (_request, response) => response.writeHead(302).end('nowhere'));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const answer = await outbound.request(server.origin, WEB);
    assert.equal(answer.body.toString(), 'nowhere');
  });

  it('share one deadline', async (t) => {
    const silent = await startHttp(t, () => {});
    const server = await startHttp(t, to(silent.origin));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    await assert.rejects(outbound.request(server.origin, { ...WEB, timeoutMs: 200 }), because('timeout'));
  });
});

describe('what a redirect carries', () => {
  it('drops credentials at another origin, permanently', async (t) => {
    const first = await startHttp(t, (request, response) => {
      if (request.url === '/start') response.writeHead(307, { location: `${second.origin}/away` }).end();
      else echo(request, response);
    });
    const second = await startHttp(t, to(`${first.origin}/back`, 307));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const answer = await outbound.request(`${first.origin}/start`, { ...WEB, headers: SECRETS });
    const { headers } = JSON.parse(answer.body.toString());
    for (const name of ['authorization', 'cookie', 'x-api-key', 'proxy-authorization'])
      assert.ok(!(name in headers), name);
    assert.equal(headers['x-other'], 'f');
  });

  it('keeps credentials within the origin', async (t) => {
    const server = await startHttp(t, (request, response) => {
      if (request.url === '/') response.writeHead(302, { location: '/next' }).end();
      else echo(request, response);
    });
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const answer = await outbound.request(server.origin, { ...WEB, headers: SECRETS });
    const { headers } = JSON.parse(answer.body.toString());
    assert.equal(headers.authorization, 'Bearer a');
    assert.equal(headers['x-api-key'], 'd');
  });

  const becomes = [
    ['POST', 301, 'GET', ''],
    ['POST', 302, 'GET', ''],
    ['POST', 303, 'GET', ''],
    ['POST', 307, 'POST', 'sent'],
    ['POST', 308, 'POST', 'sent'],
    ['PUT', 302, 'PUT', 'sent'],
    ['PUT', 303, 'GET', ''],
    ['DELETE', 303, 'GET', ''],
  ] as const;
  for (const [method, status, next, body] of becomes) {
    it(`turns ${method} into ${next} on ${status}${body ? ', with its body' : ', without its body'}`, async (t) => {
      const server = await startHttp(t, (request, response) => {
        if (request.url === '/') response.writeHead(status, { location: '/next' }).end();
        else echo(request, response);
      });
      const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
      const answer = await outbound.request(server.origin, {
        ...WEB,
        method,
        body: 'sent',
        headers: { 'content-type': 'text/x' },
      });
      const seen = JSON.parse(answer.body.toString());
      assert.deepEqual([seen.method, seen.body], [next, body]);
      assert.equal(seen.headers['content-type'], body === '' ? undefined : 'text/x');
    });
  }
});

function to(location: string, status = 302) {
  return (_request: IncomingMessage, response: ServerResponse) =>
    response.writeHead(status, { location }).end();
}

async function echo(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, headers } = request;
  response.end(JSON.stringify({ method, headers, body: (await request.toArray()).join('') }));
}
