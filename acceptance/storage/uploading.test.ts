import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { request } from 'node:http';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { sendRaw } from '../support/raw-socket.ts';
import { onAnyEngine } from '../support/servers.ts';
import { announce, get, newUploader, put, sha256, type Upload } from '../support/storage.ts';

const MIB = 1024 * 1024;
const CHUNK = 64 * 1024;

/** The start of a PNG, which is enough to be recognized. */
const PNG = Buffer.from(
  '89504e470d0a1a0a0000000d49484452000000010000000108060000001f15c4890000000049444154',
  'hex',
);

/** A link that differs from the given one in one part, for every part and many ways. */
function alterations(link: string): string[] {
  const url = new URL(link);
  const changed = [url.origin + url.pathname];
  for (const name of url.searchParams.keys()) {
    const value = url.searchParams.get(name) ?? '';
    for (const wrong of ['', `${value}0`, value.slice(0, -1), `1${value}`, value.toUpperCase(), '0', '-1']) {
      if (wrong === value) continue;
      const altered = new URL(url);
      altered.searchParams.set(name, wrong);
      changed.push(altered.href);
    }
    const without = new URL(url);
    without.searchParams.delete(name);
    changed.push(without.href, `${link}&${name}=${value}`);
  }
  return changed;
}

onAnyEngine(
  'uploads and downloads of files',
  (server) => {
    let caller: Client;
    before(async () => {
      caller = await newUploader(server.current);
    });
    const assertWaits = async (
      { upload_url: uploadUrl, download_url: downloadUrl }: Upload,
      type?: string,
    ) => {
      assert.equal((await get(server.current, downloadUrl)).status, 404);
      const bytes = randomBytes(100);
      assert.equal((await put(server.current, uploadUrl, bytes, type)).status, 200);
      assert.deepEqual((await get(server.current, downloadUrl)).bytes, bytes);
    };

    test('[STO-5] bytes are put without a credential, and served to whoever has the link', async () => {
      for (const bytes of [randomBytes(300_000), Buffer.alloc(0), Buffer.from('text')]) {
        const upload = await announce(caller);
        assert.equal((await put(server.current, upload.upload_url, bytes)).status, 200);
        const answer = await get(server.current, upload.download_url);
        assert.equal(answer.status, 200);
        assert.deepEqual(answer.bytes, bytes);
      }
    });

    test('[STO-5] a part of a file is not taken for the whole', async () => {
      const upload = await announce(caller);
      const { pathname, search } = new URL(upload.upload_url);
      for (const range of ['bytes 0-3/10', 'bytes 0-3/4', 'bytes */10']) {
        const headers = { 'content-range': range };
        const answer = await client(server.current.url).request('PUT', pathname + search, {
          headers,
          body: Buffer.from('part'),
        });
        assert.equal(answer.status, 400, range);
        assertShape(answer.body, 'error');
        assert.match(String(answer.body['message']), /Content-Range/);
      }
      await assertWaits(upload);
    });

    test('[STO-6] before the upload the download is 404', async () => {
      const upload = await announce(caller, { file_hash: sha256('x') });
      for (const method of ['GET', 'HEAD']) {
        const { status, headers } = await get(server.current, upload.download_url, { method });
        assert.equal(status, 404);
        assert.equal(headers.get('cache-control'), null);
      }
      const { pathname, search } = new URL(upload.download_url);
      const { body } = await client(server.current.url).get(pathname + search);
      assertShape(body, 'error');
    });

    test('[STO-7] the announced type is taken in any spelling, and another gets 415', async () => {
      const type = 'Text/Plain; Charset=UTF-8';
      const upload = await announce(caller, { content_type: type });
      for (const wrong of [
        undefined,
        'text/plain',
        'text/html; charset=utf-8',
        'text/plain; charset=latin1',
        'text/plain; charset=utf-8; a=b',
        'application/json',
        'nonsense',
      ]) {
        const { status, body } = await put(server.current, upload.upload_url, 'x', wrong);
        assert.equal(status, 415, String(wrong));
        assertShape(body, 'error');
        assert.match(String(body.message), /text\/plain; charset=utf-8/);
      }
      await assertWaits(upload, 'TEXT/plain;charset=utf-8');
    });

    test('[STO-7] values of parameters have their case, in what is asked for and in what is served', async () => {
      const type = 'Multipart/Mixed; Boundary=AbC; Charset=UTF-8';
      const spelled = 'multipart/mixed; boundary=AbC; charset=utf-8';
      const upload = await announce(caller, { content_type: type });
      const { status, body } = await put(server.current, upload.upload_url, 'x', type.toLowerCase());
      assert.equal(status, 415);
      assert.ok(String(body.message).includes(spelled));
      await assertWaits(upload, 'multipart/mixed ;boundary=AbC;charset=utf-8');
      const { headers } = await get(server.current, upload.download_url);
      assert.equal(headers.get('content-type'), spelled);
    });

    test('[STO-7] without an announced type any is taken, and none', async () => {
      for (const type of [undefined, 'image/png', 'application/json', 'multipart/form-data; boundary=x']) {
        await assertWaits(await announce(caller), type);
      }
      const { status } = await put(server.current, (await announce(caller)).upload_url, 'x', 'nonsense');
      assert.equal(status, 415);
    });

    test('[STO-8] a file is served as it was announced, and otherwise as what it is', async () => {
      const expected = [
        [{ content_type: 'image/webp' }, PNG, 'image/webp', 'inline'],
        [{}, PNG, 'image/png', 'inline'],
        [{}, Buffer.from('<html>'), 'application/octet-stream', 'attachment'],
        [{ content_type: 'text/html' }, Buffer.from('<html>'), 'text/html', 'attachment'],
        [{ content_type: 'image/svg+xml' }, Buffer.from('<svg/>'), 'image/svg+xml', 'attachment'],
        [{ content_type: 'video/mp4' }, PNG, 'video/mp4', 'inline'],
      ] as const;
      for (const [body, bytes, type, disposition] of expected) {
        const upload = await announce(caller, body);
        const sent = 'content_type' in body ? body.content_type : undefined;
        await put(server.current, upload.upload_url, bytes, sent);
        const { headers } = await get(server.current, upload.download_url);
        assert.equal(headers.get('content-type'), type);
        assert.match(headers.get('content-disposition') ?? '', new RegExp(`^${disposition}; filename="?cat`));
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'; sandbox/);
        assert.match(headers.get('cache-control') ?? '', /^private, max-age=\d+, immutable$/);
      }
    });

    test('[STO-8] ranges, conditions and HEAD work', async () => {
      const upload = await announce(caller);
      await put(server.current, upload.upload_url, '0123456789');
      const ask = async (headers: Record<string, string>, method = 'GET') =>
        await get(server.current, upload.download_url, { method, headers });
      const part = await ask({ range: 'bytes=2-4' });
      assert.equal(part.status, 206);
      assert.equal(part.bytes.toString(), '234');
      assert.equal(part.headers.get('content-range'), 'bytes 2-4/10');
      assert.equal((await ask({ range: 'bytes=10-' })).status, 416);
      const head = await ask({}, 'HEAD');
      assert.equal(head.status, 200);
      assert.equal(head.headers.get('content-length'), '10');
      const etag = head.headers.get('etag') ?? '';
      assert.equal((await ask({ 'if-none-match': etag })).status, 304);
      assert.equal((await ask({ 'if-match': '"other"' })).status, 412);
    });

    test('[STO-9] a link that was altered in any part gets 403, with a credential too', async () => {
      const [upload, other] = [await announce(caller), await announce(caller)];
      const queryOf = (url: string) => new URL(url).search;
      const pathOf = (url: string) => new URL(url).origin + new URL(url).pathname;
      for (const url of [
        ...alterations(upload.upload_url),
        pathOf(other.upload_url) + queryOf(upload.upload_url),
        pathOf(upload.upload_url) + queryOf(upload.download_url),
      ]) {
        const { status, body } = await put(server.current, url, 'x');
        assert.equal(status, 403, url);
        assertShape(body, 'error');
      }
      await assertWaits(upload);
      for (const url of [
        ...alterations(upload.download_url),
        pathOf(other.download_url) + queryOf(upload.download_url),
        pathOf(upload.download_url) + queryOf(upload.upload_url),
        upload.download_url.replace('/cat.bin?', '/cat.html?'),
      ]) {
        assert.equal((await get(server.current, url)).status, 403, url);
      }
      const { pathname } = new URL(upload.download_url);
      assert.equal((await caller.get(pathname)).status, 403);
    });

    test('[STO-10] more bytes than the bound get 413, announced or not, and the link stays good', async () => {
      const upload = await announce(caller);
      const { pathname, search, host } = new URL(upload.upload_url);
      const head = (line: string) =>
        Buffer.from(`PUT ${pathname}${search} HTTP/1.1\r\nHost: ${host}\r\n${line}\r\n\r\n`);
      const chunk = Buffer.concat([
        Buffer.from(`${CHUNK.toString(16)}\r\n`),
        Buffer.alloc(CHUNK, 'x'),
        Buffer.from('\r\n'),
      ]);
      const chunks = Array.from({ length: MIB / CHUNK + 1 }, () => chunk);
      for (const bytes of [
        Buffer.concat([head(`Content-Length: ${MIB + 1}`), Buffer.from('x')]),
        Buffer.concat([head(`Content-Length: ${2 ** 40}`), Buffer.from('x')]),
        Buffer.concat([head('Transfer-Encoding: chunked'), ...chunks, Buffer.from('0\r\n\r\n')]),
      ]) {
        const answer = await sendRaw(server.current.url, bytes);
        assert.equal(answer?.status, 413);
        assertShape(JSON.parse(answer.body.slice(0, Number(answer.headers['content-length']))), 'error');
      }
      await assertWaits(upload);
      const most = await announce(caller);
      assert.equal((await put(server.current, most.upload_url, new Uint8Array(MIB))).status, 200);
    });

    test('[STO-11] an upload that breaks off keeps nothing and can be made again', async () => {
      for (const headers of [{ 'content-length': 1000 }, { 'transfer-encoding': 'chunked' }]) {
        const upload = await announce(caller);
        const half = request(upload.upload_url, { method: 'PUT', headers });
        half.on('error', () => {});
        const closed = new Promise((resolve) => half.on('close', resolve));
        await new Promise((resolve) => half.write(randomBytes(500), resolve));
        half.destroy();
        await closed;
        await assertWaits(upload);
      }
      assert.doesNotMatch(server.current.output(), /"level":"error"/);
    });

    test('[STO-12] bytes that do not have the announced hash get 400 and are not kept', async () => {
      const right = randomBytes(100);
      const upload = await announce(caller, { file_hash: sha256(right) });
      const wrong = randomBytes(100);
      const { status, body } = await put(server.current, upload.upload_url, wrong);
      assert.equal(status, 400);
      assertShape(body, 'error');
      assert.match(String(body.message), new RegExp(sha256(wrong)));
      assert.equal((await get(server.current, upload.download_url)).status, 404);
      assert.equal((await announce(caller, { file_hash: sha256(wrong) })).existing_file, false);
      assert.equal((await put(server.current, upload.upload_url, right)).status, 200);
      assert.deepEqual((await get(server.current, upload.download_url)).bytes, right);
    });

    test('[STO-13] the same bytes again are fine, others get 409 and change nothing', async () => {
      const upload = await announce(caller);
      const bytes = randomBytes(100);
      for (const _ of [1, 2, 3]) {
        assert.equal((await put(server.current, upload.upload_url, bytes)).status, 200);
      }
      for (const other of [randomBytes(100), '', bytes.subarray(1)]) {
        const { status, body } = await put(server.current, upload.upload_url, other);
        assert.equal(status, 409);
        assertShape(body, 'error');
      }
      assert.deepEqual((await get(server.current, upload.download_url)).bytes, bytes);
    });

    test('[STO-13] of different bytes at once exactly one is kept, the one that was told so', async () => {
      for (let round = 0; round < 5; round += 1) {
        const upload = await announce(caller);
        const contents = Array.from({ length: 4 }, () => randomBytes(50_000));
        const answers = await Promise.all(
          contents.map(async (bytes) => await put(server.current, upload.upload_url, bytes)),
        );
        const kept = contents.find((_, index) => answers[index]?.status === 200);
        assert.deepEqual(answers.map(({ status }) => status).toSorted(), [200, 409, 409, 409]);
        assert.deepEqual((await get(server.current, upload.download_url)).bytes, kept);
      }
    });

    test('[STO-18] what is wrong is told in this order: link, type, size, bytes', async () => {
      const upload = await announce(caller, { content_type: 'image/png', file_hash: sha256('x') });
      const large = new Uint8Array(MIB + 1);
      const altered = `${upload.upload_url}0`;
      assert.equal((await put(server.current, altered, large, 'text/plain')).status, 403);
      assert.equal((await put(server.current, upload.upload_url, large, 'text/plain')).status, 415);
      assert.equal((await put(server.current, upload.upload_url, large, 'image/png')).status, 413);
      assert.equal((await put(server.current, upload.upload_url, 'y', 'image/png')).status, 400);
      assert.equal((await put(server.current, upload.upload_url, 'x', 'image/png')).status, 200);
    });
  },
  { environment: { ATELIER_UPLOAD_MAX_MB: '1' } },
);
