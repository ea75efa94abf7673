import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { it } from 'node:test';

import { aUser } from '../../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { type FilesServer, startFilesServer } from '../test/files-server.ts';
import { aLyingPng, aPicture } from '../test/pictures.ts';
import { file, send } from '../test/send-form.ts';

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Bytes as they are, over a socket of our own; the other side ends first. */
async function sendRaw(under: FilesServer, head: readonly string[], ...bytes: readonly (string | Buffer)[]) {
  const { hostname, port } = new URL(under.url);
  const socket = connect(Number(port), hostname);
  await once(socket, 'connect');
  socket.on('error', () => undefined);
  // The server waits a while for the rest of what it refuses, unless the client ends.
  socket.once('data', () => socket.end());
  socket.write(`${[...head, 'host: x', 'connection: close'].join('\r\n')}\r\n\r\n`);
  for (const each of bytes) socket.write(each);
  return await text(socket);
}

onEachDatabase('uploads', (db) => {
  it('are named after their content, found by nodes, and kept once', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const png = await aPicture(4, 3);
    for (let time = 0; time < 2; time += 1) {
      const { status, body } = await send(under, user.id, {
        image: file(png, 'my cat.jpeg'),
        subfolder: 'ignored',
        overwrite: 'true',
      });
      assert.equal(status, 200);
      const name = `${sha256(png)}.png`;
      assert.deepEqual(
        { ...body, asset: { ...body.asset, id: '', asset_hash: '' } },
        {
          name,
          subfolder: '',
          type: 'input',
          asset: {
            id: '',
            name: 'my cat.jpeg',
            asset_hash: '',
            size: png.length,
            mime_type: 'image/png',
            tags: ['input'],
          },
        },
      );
      assert.match(body.asset.asset_hash, /^blake3:[0-9a-f]{64}$/);
      const { input } = await under.cloud.files.foldersOf(user.id);
      assert.deepEqual(await readFile(join(input, name)), png);
      assert.deepEqual(await under.cloud.files.places.namesOf(user.id).list('input', ''), [name]);
    }
    assert.equal((await under.cloud.files.usageOf(user.id)).files, 1);
    assert.equal((await under.left('users')).length, 1);
  });

  it('accept any type; content without a detectable type keeps its own extension, cleaned', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const cases = [
      ['a.SVG', '<svg/>', 'svg', 'image/svg+xml'],
      ['lies.png', '<html><script>', 'png', 'application/octet-stream'],
      ['../../x/y.t"xt', 'text', 'bin', 'application/octet-stream'],
      ['none', 'text 2', 'bin', 'application/octet-stream'],
      ['moves.txt', 'GIF89a', 'gif', 'image/gif'],
    ] as const;
    for (const [name, content, extension, type] of cases) {
      const bytes = Buffer.from(content, 'latin1');
      const { status, body } = await send(under, user.id, { image: file(bytes, name) });
      assert.equal(status, 200, name);
      assert.equal(body.name, `${sha256(bytes)}.${extension}`);
      assert.equal(body.asset.mime_type, type);
    }
  });

  it('go to the folder that type names, and to no other', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    for (const type of ['input', 'temp', 'output']) {
      const { body } = await send(under, user.id, { type, image: file(randomBytes(5), 'a.bin') });
      assert.deepEqual([body.type, body.asset.tags], [type, [type]]);
    }
    for (const type of ['../x', 'models', 'INPUT']) {
      assert.equal((await send(under, user.id, { type, image: file(randomBytes(5), 'a') })).status, 400);
    }
    assert.equal((await under.left('users')).length, 3);
  });

  it('refuse forms without exactly one file, and leave nothing behind', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const image = file(randomBytes(100), 'a.bin');
    const two = new FormData();
    two.append('image', image);
    two.append('image', image);
    const many = new FormData();
    for (let n = 0; n < 2000; n += 1) many.append(`field${n}`, 'x');
    many.append('image', image);
    const long = new FormData();
    long.append('original_ref', 'x'.repeat(100_000));
    long.append('image', image);
    const odd = new FormData();
    odd.append('toString', 'x');
    odd.append('image', image);
    const forms = {
      two,
      many,
      long,
      odd,
      none: new FormData(),
      empty: formOf({ image: file(new Uint8Array(), 'a.png') }),
      nameless: formOf({ image: new File([randomBytes(3)], '') }),
      elsewhere: formOf({ file: image }),
      text: formOf({ image: 'text' }),
    };
    for (const [name, body] of Object.entries(forms)) {
      const answer = await fetch(`${under.url}/api/upload/image`, {
        method: 'POST',
        body,
        headers: { 'x-user': user.id },
      });
      assert.equal(answer.status, 400, name);
      const error = (await answer.json()) as Record<string, unknown>;
      assert.match(String(error['code']), /^request\./, name);
      assert.equal(typeof error['message'], 'string');
    }
    assert.deepEqual([await under.left('users'), await under.left('store')], [[], []]);
  });

  it('refuse what is not a form with 415, and keep the parsers of other routes', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const types = ['application/json', 'multipart/mixed; boundary=x', 'image/png', ''];
    for (const type of types) {
      const answer = await fetch(`${under.url}/upload/image`, {
        method: 'POST',
        body: Buffer.from('{}'),
        headers: { 'x-user': user.id, 'content-type': type },
      });
      assert.equal(answer.status, 415, type);
      assert.match(await answer.text(), /"code":"request.media_type"/);
    }
    const none = await fetch(`${under.url}/upload/image`, { method: 'POST', headers: { 'x-user': user.id } });
    assert.equal(none.status, 415);
    const echoed = await fetch(`${under.url}/echo`, {
      method: 'POST',
      body: '{"a":1}',
      headers: { 'content-type': 'application/json' },
    });
    assert.deepEqual(await echoed.json(), { a: 1 });
  });

  it('survive forms that break off, lie about their frame or have no boundary', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const part = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.bin"\r\n\r\nxxxx';
    const head = (length: number, type = 'multipart/form-data; boundary=b') => [
      'POST /api/upload/image HTTP/1.1',
      `x-user: ${user.id}`,
      `content-type: ${type}`,
      `content-length: ${length}`,
    ];
    const broken: readonly (readonly [string, string])[] = [
      [part, 'multipart/form-data; boundary=b'],
      [`${part}\r\n--b`, 'multipart/form-data; boundary=b'],
      [part, 'multipart/form-data'],
      [part, 'multipart/form-data; boundary=other'],
      ['no form at all', 'multipart/form-data; boundary=b'],
      [`--b\r\n${'x'.repeat(500_000)}\r\n--b--\r\n`, 'multipart/form-data; boundary=b'],
      [`--b\r\n${'x: y\r\n'.repeat(5000)}\r\n--b--\r\n`, 'multipart/form-data; boundary=b'],
    ];
    for (const [bytes, type] of broken) {
      const answer = await sendRaw(under, head(bytes.length, type), bytes);
      assert.match(answer, /^HTTP\/1.1 400 /, bytes.slice(0, 50));
      assert.match(answer, /"code":"request\./);
    }
    const { hostname, port } = new URL(under.url);
    const socket = connect(Number(port), hostname);
    await once(socket, 'connect');
    const staged = waitForStaged(under);
    socket.write(`${[...head(1000), 'host: x'].join('\r\n')}\r\n\r\n${part}`);
    await staged;
    socket.destroy();
    while ((await under.left('users')).length > 0) await nextTurn();
    assert.deepEqual(await under.left('store'), []);
  });

  it('stop at 50 MB of a file and at 64 MiB of a body, announced or not', async () => {
    await using under = await startFilesServer(db(), { quotaBytes: 1e9 });
    const user = await aUser(db());
    const start = '--b\r\ncontent-disposition: form-data; name="image"; filename="a.bin"\r\n\r\n';
    const end = '\r\n--b--\r\n';
    const head = (length?: number) => [
      'POST /api/upload/image HTTP/1.1',
      `x-user: ${user.id}`,
      'content-type: multipart/form-data; boundary=b',
      length === undefined ? 'transfer-encoding: chunked' : `content-length: ${length}`,
    ];
    const framed = (bytes: Buffer) =>
      Buffer.concat([Buffer.from(`${bytes.length.toString(16)}\r\n`), bytes, Buffer.from('\r\n')]);
    const most = Buffer.alloc(52_428_800, 1);
    const over = Buffer.alloc(52_428_801, 1);
    const whole = (bytes: Buffer) => start.length + bytes.length + end.length;
    assert.match(await sendRaw(under, head(whole(most)), start, most, end), /^HTTP\/1.1 200 /);
    assert.match(await sendRaw(under, head(whole(over)), start, over, end), /^HTTP\/1.1 400 .*larger/s);
    assert.match(await sendRaw(under, head(64 * 1024 * 1024 + 1), start), /^HTTP\/1.1 413 /);
    // A long preamble counts as the body, not as a file.
    const preamble = Buffer.alloc(64 * 1024 * 1024, 10);
    const chunked = await sendRaw(under, head(), framed(preamble), framed(Buffer.from(start)));
    assert.match(chunked, /^HTTP\/1.1 413 .*"code":"request.too_large"/s);
    const both = [preamble.subarray(20_000_000), Buffer.from(`\r\n${start}`), most.subarray(20_000_000)];
    assert.match(await sendRaw(under, head(), ...both.map(framed)), /^HTTP\/1.1 413 /);
    assert.equal((await under.left('users')).length, 1);
  });

  it('refuse pictures beyond the limits by their header alone', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    for (const [width, height, status] of [
      [16_384, 4096, 200],
      [4096, 16_384, 200],
      [16_385, 1, 400],
      [1, 16_385, 400],
      [16_384, 4097, 400],
      [2 ** 31 - 1, 2 ** 31 - 1, 400],
    ] as const) {
      const { status: given } = await send(under, user.id, {
        image: file(aLyingPng(width, height), 'a.png'),
      });
      assert.equal(given, status, `${width} by ${height}`);
    }
  });

  it('are refused when there is no room, and leave nothing behind', async () => {
    await using under = await startFilesServer(db(), { quotaBytes: 10 });
    const user = await aUser(db());
    const { status, body } = await send(under, user.id, { image: file(randomBytes(11), 'a.bin') });
    assert.deepEqual([status, body.code], [403, 'cloud.storage_full']);
    assert.deepEqual([await under.left('users'), await under.left('store')], [[], []]);
  });

  it('come without a key through an address that is granted for one picture', async () => {
    await using under = await startFilesServer(db());
    const user = await aUser(db());
    const grant = async (type: string) =>
      await fetch(`${under.url}/api/inputs/upload-url`, {
        method: 'POST',
        body: JSON.stringify({ content_type: type }),
        headers: { 'x-user': user.id, 'content-type': 'application/json' },
      });
    assert.equal((await grant('text/html')).status, 400);
    const { upload_path: path, expires_in: life } = (await (await grant('image/png')).json()) as {
      upload_path: string;
      expires_in: number;
    };
    const png = await aPicture(2, 2);
    const put = async (to: string, body: BodyInit) => await fetch(under.url + to, { method: 'PUT', body });
    assert.equal((await put(`${path}x`, png)).status, 404);
    assert.equal((await put(path, 'no picture')).status, 400);
    const results = await Promise.all([put(path, png), put(path, png), put(path, png)]);
    assert.deepEqual(results.map(({ status }) => status).toSorted(), [200, 404, 404]);
    const won = results.find(({ status }) => status === 200);
    assert.deepEqual(await won?.json(), { name: `${sha256(png)}.png`, subfolder: '', type: 'input' });
    assert.equal((await put(path, png)).status, 404);
    assert.deepEqual(await under.cloud.files.places.namesOf(user.id).list('input', ''), [
      `${sha256(png)}.png`,
    ]);
    const { upload_path: late } = (await (await grant('image/png')).json()) as { upload_path: string };
    under.time.now += (life + 1) * 1000;
    assert.equal((await put(late, png)).status, 404);
  });
});

function formOf(fields: Readonly<Record<string, string | File>>): FormData {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  return form;
}

async function waitForStaged(under: FilesServer): Promise<void> {
  while ((await under.left('users')).length === 0) await nextTurn();
}

async function nextTurn(): Promise<void> {
  await new Promise((resolve) => setImmediate(resolve));
}
