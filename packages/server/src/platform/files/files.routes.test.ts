import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';

import { parse as parseDisposition } from 'content-disposition';
import Fastify from 'fastify';

import type { StoredFile } from './file-store.ts';
import { filesRoutes } from './files.routes.ts';
import { collectStreams, type FileServer, startFileServer } from './test/file-server.ts';

/** Sends the path to the letter, where `fetch` would tidy it first. */
async function rawStatus(server: FileServer, path: string): Promise<number> {
  const socket = connect(Number(new URL(server.url).port), '127.0.0.1');
  socket.write(`GET ${path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(await text(socket))?.[1]);
}

describe('downloading a file', () => {
  let server: FileServer;
  let content: Buffer;
  let file: StoredFile;
  before(async () => {
    server = await startFileServer();
    content = randomBytes(100_000);
    file = await server.put(content);
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('answers with the whole file and headers that let a browser show but never run it', async () => {
    const answer = await fetch(await server.link(file));
    assert.equal(answer.status, 200);
    const { date: _date, ...headers } = Object.fromEntries(answer.headers);
    assert.deepEqual(headers, {
      'accept-ranges': 'bytes',
      'cache-control': 'private, max-age=600, immutable',
      connection: 'keep-alive',
      'content-disposition': 'inline; filename="cat.png"',
      'content-length': '100000',
      'content-security-policy': "default-src 'none'; sandbox",
      'content-type': 'image/png',
      'cross-origin-resource-policy': 'cross-origin',
      etag: `"${file.hash}"`,
      'keep-alive': 'timeout=72',
      'x-content-type-options': 'nosniff',
    });
    assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
  });

  it('answers HEAD with the headers of GET, without a body and without opening the file', async () => {
    const streams: Readable[] = [];
    await using other = await startFileServer({ watch: collectStreams(streams) });
    const url = await other.link(await other.put(content));
    const head = await fetch(url, { method: 'HEAD', headers: { range: 'bytes=0-9' } });
    assert.equal(head.status, 200);
    assert.equal(head.headers.get('content-length'), '100000');
    assert.equal((await head.arrayBuffer()).byteLength, 0);
    assert.equal(streams.length, 0);
    const whole = await fetch(url);
    await whole.arrayBuffer();
    for (const header of [
      'etag',
      'cache-control',
      'content-type',
      'content-disposition',
      'x-content-type-options',
    ]) {
      assert.equal(head.headers.get(header), whole.headers.get(header), header);
    }
  });

  it('serves a file without bytes', async () => {
    const url = await server.link(await server.put(Buffer.alloc(0)));
    const whole = await fetch(url);
    assert.deepEqual([whole.status, whole.headers.get('content-length'), await whole.text()], [200, '0', '']);
    const head = await fetch(url, { method: 'HEAD' });
    assert.deepEqual([head.status, head.headers.get('content-length')], [200, '0']);
    const part = await fetch(url, { headers: { range: 'bytes=0-' } });
    assert.deepEqual([part.status, part.headers.get('content-range')], [416, 'bytes */0']);
  });

  it('answers one range with 206 and exactly those bytes', async () => {
    const url = await server.link(file);
    const cases = [
      ['bytes=0-0', 0, 0],
      ['bytes=500-999', 500, 999],
      ['bytes=99990-', 99_990, 99_999],
      ['bytes=-10', 99_990, 99_999],
      ['bytes=-200000', 0, 99_999],
      ['bytes=99999-200000', 99_999, 99_999],
    ] as const;
    for (const [range, start, end] of cases) {
      const answer = await fetch(url, { headers: { range } });
      assert.equal(answer.status, 206, range);
      assert.equal(answer.headers.get('content-range'), `bytes ${start}-${end}/100000`);
      assert.equal(answer.headers.get('content-length'), String(end - start + 1));
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content.subarray(start, end + 1), range);
    }
  });

  it('answers a range outside of the file with an uncached 416 and its size', async () => {
    const answer = await fetch(await server.link(file), { headers: { range: 'bytes=100000-' } });
    assert.equal(answer.status, 416);
    assert.equal(answer.headers.get('content-range'), 'bytes */100000');
    assert.equal(answer.headers.get('cache-control'), null);
    assert.deepEqual(await answer.json().then(({ error }) => error), 'request.range');
  });

  it('answers several or malformed ranges with the whole file', async () => {
    const url = await server.link(file);
    for (const range of ['bytes=0-1,5-6', 'bytes=x', 'bytes=9-1', 'lines=1-2']) {
      const answer = await fetch(url, { headers: { range } });
      assert.equal(answer.status, 200, range);
      assert.deepEqual(Buffer.from(await answer.arrayBuffer()), content);
    }
  });

  it('answers 304 without a body for a tag that the reader has', async () => {
    const url = await server.link(file);
    for (const method of ['GET', 'HEAD']) {
      const headers = { 'if-none-match': `"x", W/"${file.hash}"`, range: 'bytes=999999-' };
      const answer = await fetch(url, { method, headers });
      assert.equal(answer.status, 304);
      assert.equal(answer.headers.get('etag'), `"${file.hash}"`);
      assert.equal(answer.headers.get('cache-control'), 'private, max-age=600, immutable');
      assert.deepEqual(
        [answer.headers.get('content-type'), answer.headers.get('content-length')],
        [null, null],
      );
      assert.equal(await answer.text(), '');
    }
  });

  it('answers 412 when If-Match names another file, and the file when it names this one', async () => {
    const url = await server.link(file);
    const other = await fetch(url, { headers: { 'if-match': '"other"' } });
    assert.deepEqual([other.status, (await other.json()).error], [412, 'resource.precondition']);
    const same = await fetch(url, { headers: { 'if-match': `"${file.hash}"` } });
    assert.equal(same.status, 200);
    await same.arrayBuffer();
  });

  it('answers a range only while If-Range names this file', async () => {
    const url = await server.link(file);
    for (const [tag, status] of [
      [`"${file.hash}"`, 206],
      ['"other"', 200],
      [`W/"${file.hash}"`, 200],
    ] as const) {
      const answer = await fetch(url, { headers: { range: 'bytes=0-9', 'if-range': tag } });
      assert.equal(answer.status, status, tag);
      await answer.arrayBuffer();
    }
  });

  it('serves fifty ranges at once, each its own bytes', async () => {
    const url = await server.link(file);
    await Promise.all(
      Array.from({ length: 50 }, async (_, n) => {
        const answer = await fetch(url, { headers: { range: `bytes=${n * 2_000}-${n * 2_000 + 1_999}` } });
        assert.equal(answer.status, 206);
        assert.deepEqual(
          Buffer.from(await answer.arrayBuffer()),
          content.subarray(n * 2_000, (n + 1) * 2_000),
        );
      }),
    );
  });

  it('returns any signed name safely in one header', async () => {
    const names = [
      ['a "quoted" name.png', 'a "quoted" name.png'],
      ["it's; filename=evil.exe", "it's; filename=evil.exe"],
      ['100% %41%2F? #&+=,@$:;[]{}.png', '100% %41%2F? #&+=,@$:;[]{}.png'],
      ['猫.png', '猫.png'],
      ['🎉'.repeat(255), '🎉'.repeat(255)],
      ['line\r\nSet-Cookie: a=b', 'line__Set-Cookie: a=b'],
      ['../../etc\\passwd', '.._.._etc_passwd'],
      ['..', 'file'],
      ['half \uD83D', 'half \uFFFD'],
    ] as const;
    for (const [name, expected] of names) {
      const answer = await fetch(await server.link(file, { name }));
      assert.equal(answer.status, 200, name);
      await answer.arrayBuffer();
      assert.equal(answer.headers.get('set-cookie'), null);
      const header = answer.headers.get('content-disposition') ?? '';
      assert.match(header, /^[\x20-\x7e]+$/);
      assert.equal(parseDisposition(header).parameters.filename, expected);
    }
  });

  it('sends what a browser could run as an attachment, and media inline', async () => {
    const cases = [
      ['text/html', 'inline', 'attachment'],
      ['image/svg+xml', 'inline', 'attachment'],
      ['application/pdf', 'inline', 'attachment'],
      ['text/plain', undefined, 'attachment'],
      ['text/plain', 'inline', 'inline'],
      ['video/mp4', undefined, 'inline'],
      ['image/png', 'attachment', 'attachment'],
    ] as const;
    for (const [mediaType, disposition, expected] of cases) {
      const url = await server.link(file, { mediaType, ...(disposition && { disposition }) });
      const answer = await fetch(url, { method: 'HEAD' });
      assert.equal(answer.headers.get('content-type'), mediaType);
      assert.match(answer.headers.get('content-disposition') ?? '', new RegExp(`^${expected};`), mediaType);
    }
  });

  it('answers 404 for a file that is gone', async () => {
    const gone = await server.put(randomBytes(10));
    const url = await server.link(gone);
    await server.store.delete(gone.hash);
    for (const method of ['GET', 'HEAD']) assert.equal((await fetch(url, { method })).status, 404);
    assert.equal((await (await fetch(url)).json()).error, 'resource.not_found');
  });
});

describe('an invalid link', () => {
  let server: FileServer;
  let file: StoredFile;
  before(async () => {
    server = await startFileServer();
    file = await server.put(randomBytes(100));
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
  });

  it('gets 403, whichever part is altered, dropped or doubled', async () => {
    const good = await server.link(file);
    const other = await server.put(randomBytes(100));
    const doctored: ((url: URL) => unknown)[] = [
      (url) => (url.pathname = url.pathname.replace(file.hash, other.hash)),
      (url) => (url.pathname = url.pathname.replace(file.hash, file.hash.toUpperCase())),
      (url) => (url.pathname = url.pathname.replace(file.hash, 'short')),
      (url) => (url.pathname = url.pathname.replace('cat.png', 'cat.html')),
      (url) => (url.pathname = url.pathname.replace('cat.png', 'cat%2fx.png')),
      (url) => url.searchParams.set('type', 'text/html'),
      (url) => url.searchParams.set('disposition', 'attachment'),
      (url) => url.searchParams.set('disposition', 'x'),
      (url) => url.searchParams.set('expires', '99999999999'),
      (url) => url.searchParams.set('expires', 'never'),
      (url) => url.searchParams.set('signature', 'A'.repeat(43)),
      ...['type', 'disposition', 'expires', 'signature'].flatMap((part) => [
        (url: URL) => url.searchParams.delete(part),
        (url: URL) => url.searchParams.set(part, ''),
        (url: URL) => url.searchParams.append(part, url.searchParams.get(part) ?? ''),
      ]),
    ];
    for (const doctor of doctored) {
      const url = new URL(good);
      doctor(url);
      assert.notEqual(url.href, good);
      const answer = await fetch(url);
      assert.equal(answer.status, 403, url.href);
      assert.equal((await answer.json()).error, 'file.link_invalid');
      assert.equal(answer.headers.get('cache-control'), null);
    }
    assert.equal((await fetch(good)).status, 200);
  });

  it('gets 403 with its own code after it has expired', async () => {
    const url = await server.link(file, { expiresAt: server.time.now + 1_000 });
    const start = server.time.now;
    server.time.now += 2_000;
    const answer = await fetch(url, { headers: { 'if-none-match': '*' } });
    server.time.now = start;
    assert.deepEqual([answer.status, (await answer.json()).error], [403, 'file.link_expired']);
  });

  it('reaches nothing with dots and slashes instead of the hash, plain or encoded', async () => {
    const { search, pathname } = new URL(await server.link(file));
    const hash = file.hash;
    const paths = [
      `/files/../${hash}/cat.png`,
      '/files/../../etc/passwd',
      '/files/..%2f..%2fetc/passwd',
      '/files/%2e%2e/passwd',
      `/files/${hash.slice(0, 2)}%2f${hash.slice(2, 4)}%2f${hash}/cat.png`,
      `/files/${hash}%2f..%2f${hash}/cat.png`,
      `/files/${hash}/..%2f..%2fcat.png`,
      `/files/${hash}%00/cat.png`,
      `/files/${hash}/cat.png%00`,
      `/files/${hash}/%zz`,
      `/files/${hash}/`,
      `/files/${hash}`,
      `/files/${hash}/cat.png/more`,
    ];
    for (const path of paths) {
      const status = await rawStatus(server, path + search);
      assert.ok(status === 400 || status === 403 || status === 404, `${path} answered ${status}`);
    }
    assert.equal(await rawStatus(server, pathname + search), 200);
  });
});

describe('registering the route', () => {
  it('refuses an app whose router would answer 404 to a long name', async () => {
    const app = Fastify();
    const nothing = async () => undefined;
    const routes = filesRoutes({
      store: { stat: nothing, open: nothing },
      signer: {
        verify: () => {
          throw new Error('not reached');
        },
      },
    });
    await assert.rejects(async () => await app.register(routes), /maxParamLength/);
  });
});
