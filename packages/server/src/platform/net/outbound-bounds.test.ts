import assert from 'node:assert/strict';
import { createWriteStream } from 'node:fs';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { describe, it, type TestContext } from 'node:test';
import { gzipSync } from 'node:zlib';

import type { OutboundRequest } from './outbound.ts';
import { because, startHttp, startOutbound, startScript, startTcp } from './test/loopback-server.ts';

const WEB: OutboundRequest = { protocols: ['http:', 'https:'], maxBytes: 1_000, timeoutMs: 10_000 };
const SOON: OutboundRequest = { ...WEB, timeoutMs: 150 };

describe('an answer', () => {
  it('has a status, headers, a body and a URL', async (t) => {
    const server = await startHttp(t, (_request, response) => {
      response.writeHead(404, { 'x-one': '1', 'set-cookie': ['a=1', 'b=2'] }).end('not here');
    });
    const answer = await ask(t, `${server.origin}/a?b=c#d`, WEB);
    assert.equal(answer.status, 404);
    assert.equal(answer.headers['x-one'], '1');
    assert.deepEqual(answer.headers['set-cookie'], ['a=1', 'b=2']);
    assert.equal(answer.body.toString(), 'not here');
    assert.equal(answer.url, `${server.origin}/a?b=c`);
  });

  it('follows a request whose method, headers and body arrive as given', async (t) => {
    const server = await startHttp(t, async (request, response) => {
      const { method, url, headers } = request;
      const body = (await request.toArray()).join('');
      response.end(
        JSON.stringify({ method, url, body, type: headers['content-type'], key: headers['x-key'] }),
      );
    });
    const answer = await ask(t, `${server.origin}/a%20b?c=%2F`, {
      ...WEB,
      method: 'POST',
      headers: { 'Content-Type': 'text/plain', 'X-Key': 'k' },
      body: Buffer.from('näive'),
    });
    assert.deepEqual(JSON.parse(answer.body.toString()), {
      method: 'POST',
      url: '/a%20b?c=%2F',
      body: 'näive',
      type: 'text/plain',
      key: 'k',
    });
  });

  it('follows a POST without a body that says so', async (t) => {
    const server = await startHttp(t, (request, response) => response.end(request.headers['content-length']));
    const answer = await ask(t, server.origin, { ...WEB, method: 'POST' });
    assert.equal(answer.body.toString(), '0');
  });

  it('may have headers of 20 000 bytes', async (t) => {
    const server = await startHttp(t, (_request, response) =>
      response.setHeader('a', 'b'.repeat(20_000)).end(),
    );
    const answer = await ask(t, server.origin, WEB);
    assert.equal(answer.headers.a?.length, 20_000);
  });

  it('of exactly the bound passes, with and without a stated length', async (t) => {
    for (const header of ['content-length', 'x-none']) {
      const server = await startHttp(t, (_request, response) => {
        response.setHeader(header, 1_000).end(Buffer.alloc(1_000));
      });
      const answer = await ask(t, server.origin, WEB);
      assert.equal(answer.body.length, 1_000);
    }
  });

  it('to HEAD may state any length', async (t) => {
    const server = await startHttp(t, (_request, response) =>
      response.setHeader('content-length', 5_000).end(),
    );
    const answer = await ask(t, server.origin, { ...WEB, method: 'HEAD' });
    assert.equal(answer.headers['content-length'], '5000');
    assert.equal(answer.body.length, 0);
  });

  it('that is encoded although we did not accept it is returned unchanged', async (t) => {
    const bomb = gzipSync(Buffer.alloc(100_000));
    const server = await startHttp(t, (request, response) => {
      response.setHeader('x-asked', String(request.headers['accept-encoding']));
      response.setHeader('content-encoding', 'gzip').end(bomb);
    });
    const answer = await ask(t, server.origin, WEB);
    assert.equal(answer.headers['x-asked'], 'identity');
    assert.deepEqual(answer.body, bomb);
  });

  it('after interim answers is the one that counts', async (t) => {
    const interim = 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n';
    const server = await startScript(t, `${interim}HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok`);
    const answer = await ask(t, server.origin, WEB);
    assert.equal(answer.body.toString(), 'ok');
  });

  it('ends where its stated length ends, whatever follows', async (t) => {
    const server = await startScript(
      t,
      'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nokHTTP/1.1 200 OK\r\n\r\nmore',
    );
    const answer = await ask(t, server.origin, WEB);
    assert.equal(answer.body.toString(), 'ok');
  });

  it('without a length ends with the connection', async (t) => {
    const server = await startScript(t, 'HTTP/1.1 200 OK\r\n\r\nall', (socket) => socket.end());
    const answer = await ask(t, server.origin, WEB);
    assert.equal(answer.body.toString(), 'all');
  });

  it('streams to disk, larger than any buffer', async (t) => {
    const size = 20 * 1024 * 1024;
    const server = await startHttp(t, (_request, response) => response.end(Buffer.alloc(size, 1)));
    const folder = await mkdtemp(join(tmpdir(), 'outbound-'));
    t.after(async () => await rm(folder, { recursive: true }));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, { ...WEB, maxBytes: size });
    const file = join(folder, 'download');
    await pipeline(body, createWriteStream(file));
    const { size: written } = await stat(file);
    assert.equal(written, size);
  });
});

describe('an answer beyond its bounds', () => {
  it('is refused by its stated length before a byte is read', async (t) => {
    const server = await startScript(t, 'HTTP/1.1 200 OK\r\ncontent-length: 1001\r\n\r\n');
    await assert.rejects(ask(t, server.origin, WEB), because('too_large', { sent: true }));
  });

  it('ends at the limit when it has no end', async (t) => {
    const server = await startHttp(t, (_request, response) =>
      drip(() => response.write(Buffer.alloc(64)), response.socket),
    );
    await assert.rejects(ask(t, server.origin, WEB), because('too_large'));
  });

  it('breaks the stream at the limit', async (t) => {
    const server = await startHttp(t, (_request, response) => {
      response.write(Buffer.alloc(600));
      response.write(Buffer.alloc(600));
    });
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, WEB);
    await assert.rejects(body.toArray(), because('too_large'));
  });

  it('ends when its headers are too large or too many', async (t) => {
    const large = await startScript(t, `HTTP/1.1 200 OK\r\na: ${'b'.repeat(40_000)}\r\n\r\n`);
    const many = await startScript(t, `HTTP/1.1 200 OK\r\n${'a: b\r\n'.repeat(40_000)}\r\n`);
    const trailing = await startScript(
      t,
      `HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n0\r\n${'a: b\r\n'.repeat(40_000)}\r\n`,
    );
    for (const { origin } of [large, many, trailing]) {
      await assert.rejects(ask(t, origin, WEB), because('too_large'));
    }
  });
});

describe('an answer that takes too long', () => {
  it('ends at the deadline when the server accepts and does not answer', async (t) => {
    const server = await startTcp(t, () => {});
    await assert.rejects(ask(t, server.origin, SOON), because('timeout'));
  });

  it('ends at the deadline when headers drip', async (t) => {
    const server = await startScript(t, 'HTTP/1.1 200 OK\r\n', (socket) =>
      drip(() => socket.write('a: b\r\n'), socket),
    );
    await assert.rejects(ask(t, server.origin, SOON), because('timeout'));
  });

  it('ends at the deadline when interim answers never stop', async (t) => {
    const hint = 'HTTP/1.1 103 Early Hints\r\n\r\n';
    const server = await startScript(t, hint, (socket) => drip(() => socket.write(hint), socket));
    await assert.rejects(ask(t, server.origin, SOON), because('timeout'));
  });

  it('ends at the deadline when the body drips', async (t) => {
    const server = await startHttp(t, (_request, response) =>
      drip(() => response.write('x'), response.socket),
    );
    await assert.rejects(ask(t, server.origin, SOON), because('timeout'));
  });

  it('ends at the deadline when its chunks never begin', async (t) => {
    const head = 'HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n1;a=';
    const server = await startScript(t, head, (socket) => drip(() => socket.write('b'), socket));
    await assert.rejects(ask(t, server.origin, SOON), because('timeout'));
  });

  it('ends at the deadline when the server does not take the request', async (t) => {
    const server = await startTcp(t, (socket) => socket.pause());
    const body = Buffer.alloc(30 * 1024 * 1024);
    await assert.rejects(ask(t, server.origin, { ...SOON, method: 'POST', body }), because('timeout'));
  });
});

describe('a broken answer', () => {
  const head = 'HTTP/1.1 200 OK\r\n';
  const broken: Readonly<Record<string, string>> = {
    'nothing at all': '',
    'a cut status line': 'HTTP/1.1 2',
    'cut headers': `${head}content-le`,
    'less than its stated length': `${head}content-length: 10\r\n\r\nshort`,
    'chunks without an end': `${head}transfer-encoding: chunked\r\n\r\n5\r\nshort\r\n`,
  };
  for (const [kind, text] of Object.entries(broken)) {
    it(`of ${kind}, then closed or reset, is a network error`, async (t) => {
      for (const cut of [(socket: Socket) => socket.end(), (socket: Socket) => socket.resetAndDestroy()]) {
        const server = await startScript(t, text, cut);
        await assert.rejects(ask(t, server.origin, WEB), because('network', { sent: true }));
      }
    });
  }

  it('does not count as complete when the connection is reset within a body of unknown length', async (t) => {
    let client: Socket | undefined;
    const server = await startScript(t, `${head}\r\npart`, (socket) => (client = socket));
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, WEB);
    client?.resetAndDestroy();
    await assert.rejects(body.toArray(), because('network'));
  });

  it('is complete when the connection is reset after its stated length', async (t) => {
    let client: Socket | undefined;
    const server = await startScript(
      t,
      `${head}content-length: 4\r\n\r\nfull`,
      (socket) => (client = socket),
    );
    const outbound = startOutbound(t, { allow: ['127.0.0.1'] });
    const { body } = await outbound.open(server.origin, WEB);
    client?.resetAndDestroy();
    const chunks = await body.toArray();
    assert.equal(chunks.join(''), 'full');
  });

  it('is a network error when the connection is reset at once', async (t) => {
    const server = await startTcp(t, (socket) => socket.resetAndDestroy());
    await assert.rejects(ask(t, server.origin, WEB), because('network'));
    assert.equal(server.sockets.length, 1);
  });

  it('is a network error when the server speaks first', async (t) => {
    const server = await startTcp(t, (socket) => socket.end('220 mail.example ESMTP\r\n'));
    await assert.rejects(ask(t, server.origin, WEB), (error) => {
      return error instanceof Error && 'reason' in error && /^(network|protocol)$/.test(String(error.reason));
    });
    assert.equal(server.sockets.length, 1);
  });

  const foreign: Readonly<Record<string, string>> = {
    'another protocol': 'SSH-2.0-OpenSSH_9.6\r\n',
    'a broken header': `${head}no colon\r\n\r\n`,
    'a broken length': `${head}content-length: ten\r\n\r\n`,
    'two lengths': `${head}content-length: 1\r\ncontent-length: 2\r\n\r\nab`,
    'a broken chunk': `${head}transfer-encoding: chunked\r\n\r\nzz\r\n`,
  };
  for (const [kind, text] of Object.entries(foreign)) {
    it(`with ${kind} is a protocol error`, async (t) => {
      const server = await startScript(t, text);
      await assert.rejects(ask(t, server.origin, WEB), because('protocol', { sent: true }));
    });
  }

  it('that switches protocols ends at once', async (t) => {
    const text = 'HTTP/1.1 101 Switching Protocols\r\nupgrade: x\r\nconnection: upgrade\r\n\r\n';
    const server = await startScript(t, text);
    await assert.rejects(ask(t, server.origin, WEB), because('network', { sent: true }));
  });

  it('does not hide our own bugs', async (t) => {
    const server = await startHttp(t, (_request, response) => response.end());
    await assert.rejects(ask(t, server.origin, { ...WEB, headers: { 'x-bad': 'a\r\nb' } }), {
      code: 'ERR_INVALID_CHAR',
    });
  });
});

async function ask(t: TestContext, url: string, options: OutboundRequest) {
  return await startOutbound(t, { allow: ['127.0.0.1'] }).request(url, options);
}

/** Writes until the other side has gone. */
function drip(write: () => void, socket: Socket | null): void {
  write();
  const timer = setInterval(write, 5);
  socket?.once('close', () => clearInterval(timer));
}
