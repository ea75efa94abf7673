import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';

const DOORS = ['', '/api'];
const MAX_BYTES = 10 * 1024 * 1024;

interface FileInfo {
  readonly path: string;
  readonly size: number;
  readonly modified: number;
  readonly created: number;
}

onAnyEngine('user data', (server) => {
  const newToken = async () => await tokenOf(server.current, await newPerson(server.current));
  const newCaller = async (): Promise<Client> => client(server.current.url, { bearer: await newToken() });
  const put = async (caller: Client, path: string, body: string | Uint8Array = 'x', query = '') =>
    await caller.request<unknown>('POST', `/userdata/${encodeURIComponent(path)}${query}`, { body });
  const assertKept = async (caller: Client, path: string, text: string) =>
    assert.equal((await caller.get<unknown>(`/userdata/${encodeURIComponent(path)}`)).body, text);

  for (const door of DOORS) {
    test(`[HOST-10] [HOST-12] ${door}/userdata/{file} keeps bytes of any type as they are`, async () => {
      const token = await newToken();
      const address = `${server.current.url}${door}/userdata/dir%2F%E7%8C%AB%20%25.bin`;
      const authorization = `Bearer ${token}`;
      for (const type of ['application/json', 'text/plain', 'image/png', 'multipart/form-data', 'x/y', '']) {
        for (const bytes of [randomBytes(1000), Buffer.alloc(0), Buffer.from('{"half":')]) {
          const headers = { authorization, ...(type === '' ? {} : { 'content-type': type }) };
          const written = await fetch(address, { method: 'POST', headers, body: bytes });
          assert.equal(written.status, 200, type);
          assert.equal(await written.json(), 'dir/猫 %.bin');
          const read = await fetch(address, { headers: { authorization } });
          assert.deepEqual(Buffer.from(await read.arrayBuffer()), bytes);
        }
      }
    });

    test(`[HOST-13] a file is deleted once through ${door}/userdata/{file}`, async () => {
      const caller = await newCaller();
      await put(caller, 'a/b');
      const path = `${door}/userdata/a%2Fb`;
      assert.equal((await caller.delete(path)).status, 204);
      for (const answer of [await caller.delete(path), await caller.get(path)]) {
        assert.equal(answer.status, 404);
        assertShape(answer.body, 'code');
      }
      assert.equal((await caller.get(`${door}/userdata?dir=a`)).status, 404);
    });

    test(`[HOST-14] ${door}/userdata/{file}/move/{dest} gives another path`, async () => {
      const caller = await newCaller();
      await put(caller, 'a/b.txt', 'of b');
      await put(caller, 'c.txt', 'of c');
      const move = async (from: string, to: string, query = '') =>
        await caller.request<unknown>(
          'POST',
          `${door}/userdata/${encodeURIComponent(from)}/move/${encodeURIComponent(to)}${query}`,
        );
      assert.deepEqual((await move('a/b.txt', 'd/e/f.txt')).body, 'd/e/f.txt');
      await assertKept(caller, 'd/e/f.txt', 'of b');
      assert.equal((await caller.get('/userdata/a%2Fb.txt')).status, 404);
      const refused = await move('d/e/f.txt', 'c.txt', '?overwrite=false');
      assert.equal(refused.status, 409);
      assertShape(refused.body, 'code');
      await assertKept(caller, 'c.txt', 'of c');
      const info = (await move('d/e/f.txt', 'c.txt', '?full_info=true')).body as FileInfo;
      assert.deepEqual([info.path, info.size], ['c.txt', 4]);
      await assertKept(caller, 'c.txt', 'of b');
      assert.equal((await move('d/e/f.txt', 'x')).status, 404);
      for (const wrong of ['../x', '/x', 'a\\b', 'x/'])
        assert.equal((await move('c.txt', wrong)).status, 400);
    });

    test(`[HOST-15] ${door}/userdata lists the files of a folder`, async () => {
      const caller = await newCaller();
      for (const path of [
        'w/b.json',
        'w/a.json',
        'w/sub/deep/c.json',
        'w/.index.json',
        'w/.d/x',
        'ww/no',
        'top',
      ]) {
        await put(caller, path);
      }
      const list = async (query: string) => (await caller.get<unknown>(`${door}/userdata?${query}`)).body;
      assert.deepEqual(await list('dir=w'), ['a.json', 'b.json']);
      assert.deepEqual(await list('dir=w/&recurse=true'), ['a.json', 'b.json', 'sub/deep/c.json']);
      assert.deepEqual(await list('dir=w&recurse=true&split=true'), [
        ['a.json', 'a.json'],
        ['b.json', 'b.json'],
        ['sub/deep/c.json', 'sub', 'deep', 'c.json'],
      ]);
      assert.deepEqual(await list('dir=.'), ['top']);
      // As the frontend asks.
      const files = (await list('dir=w&recurse=true&split=false&full_info=true')) as FileInfo[];
      assert.deepEqual(
        files.map(({ path, size }) => [path, size]),
        [
          ['a.json', 1],
          ['b.json', 1],
          ['sub/deep/c.json', 1],
        ],
      );
      for (const { modified, created } of files) {
        assert.ok(Math.abs(modified - Date.now()) < 600_000 && created <= modified);
      }
      for (const [query, status] of [
        ['', 400],
        ['dir=', 400],
        ['dir=..', 400],
        ['dir=w/../..', 400],
        ['dir=/etc', 400],
        ['dir=a&dir=b', 400],
        ['dir=nope', 404],
        ['dir=w/a.json', 404],
      ] as const) {
        const answer = await caller.get(`${door}/userdata?${query}`);
        assert.equal(answer.status, status, query);
        assertShape(answer.body, 'code');
      }
    });

    test(`[HOST-16] ${door}/v2/userdata lists everything below a folder, folders first`, async () => {
      const caller = await newCaller();
      for (const path of ['w/B.json', 'w/a.json', 'w/sub/c.json', 'w/.index.json', 'top'])
        await put(caller, path);
      interface Entry {
        readonly name: string;
        readonly path: string;
        readonly type: string;
        readonly size?: number;
        readonly modified?: number;
      }
      const walk = async (query: string) => (await caller.get<Entry[]>(`${door}/v2/userdata${query}`)).body;
      assert.deepEqual(
        (await walk('?path=w')).map(({ name, path, type }) => [name, path, type]),
        [
          ['sub', 'w/sub', 'directory'],
          ['.index.json', 'w/.index.json', 'file'],
          ['a.json', 'w/a.json', 'file'],
          ['B.json', 'w/B.json', 'file'],
          ['c.json', 'w/sub/c.json', 'file'],
        ],
      );
      const top = await walk('');
      assert.deepEqual(
        top.slice(0, 2).map(({ path }) => path),
        ['w/sub', 'w'],
      );
      for (const { type, size, modified } of top) {
        assert.deepEqual([size, typeof modified], type === 'file' ? [1, 'number'] : [undefined, 'undefined']);
        if (modified !== undefined) assert.ok(Math.abs(modified - Date.now() / 1000) < 600);
      }
      assert.equal((await caller.get(`${door}/v2/userdata?path=nope`)).status, 404);
      assert.equal((await caller.get(`${door}/v2/userdata?path=top`)).status, 400);
      assert.equal((await caller.get(`${door}/v2/userdata?path=../..`)).status, 400);
    });
  }

  test('[HOST-10] with full_info the answer tells size and times, and what is written again stays as old', async () => {
    const caller = await newCaller();
    const first = (await put(caller, 'w/a.json', '{}', '?full_info=true')).body as FileInfo;
    const second = (await put(caller, 'w/a.json', '{"a":1}', '?overwrite=true&full_info=true'))
      .body as FileInfo;
    assert.deepEqual(Object.keys(first).toSorted(), ['created', 'modified', 'path', 'size']);
    assert.deepEqual([first.path, first.size, second.size], ['w/a.json', 2, 7]);
    assert.equal(first.created, second.created);
    assert.ok(second.modified >= first.modified);
  });

  test('[HOST-11] with overwrite=false a file that is there stays, and of many at once one is kept', async () => {
    const caller = await newCaller();
    const texts = Array.from({ length: 6 }, (_, index) => `text ${index}`);
    const answers = await Promise.all(
      texts.map(async (text) => await put(caller, 'a.txt', text, '?overwrite=false')),
    );
    const kept = texts.filter((_, index) => answers[index]?.status === 200);
    assert.equal(kept.length, 1);
    for (const { status, body } of answers) {
      if (status === 200) continue;
      assert.equal(status, 409);
      assert.equal((body as { code: string }).code, 'cloud.file_exists');
    }
    await assertKept(caller, 'a.txt', kept[0] ?? '');
    assert.equal((await put(caller, 'a.txt', 'again')).status, 200);
    await assertKept(caller, 'a.txt', 'again');
  });

  test('[HOST-12] files are saved, never run; only user.css at the top is used', async () => {
    const caller = await newCaller();
    const types = {
      'w/a.json': 'application/json',
      'a.txt': 'text/plain',
      'a.png': 'image/png',
      'a.html': 'application/octet-stream',
      'a.svg': 'application/octet-stream',
      'a.js': 'application/octet-stream',
      'w/user.css': 'application/octet-stream',
      'no extension': 'application/octet-stream',
      'user.css': 'text/css',
    };
    for (const [path, type] of Object.entries(types)) {
      await put(caller, path, '{}');
      const { status, headers } = await caller.get(`/userdata/${encodeURIComponent(path)}`);
      assert.equal(status, 200);
      assert.equal(headers.get('content-type')?.split(';', 1)[0], type, path);
      assert.match(
        headers.get('content-disposition') ?? '',
        path === 'user.css' ? /^inline/ : /^attachment/,
        path,
      );
      assert.equal(headers.get('x-content-type-options'), 'nosniff');
      assert.match(headers.get('content-security-policy') ?? '', /sandbox/);
      assert.match(headers.get('cache-control') ?? '', /private/);
    }
    const missing = await caller.get('/userdata/nope');
    assert.equal(missing.status, 404);
    assertShape(missing.body, 'code');
  });

  test('[HOST-17] a path leads nowhere else', async () => {
    const caller = await newCaller();
    const name = 'x'.repeat(255);
    for (const path of [
      '../x',
      '../../etc/passwd',
      'a/../../x',
      'a/..',
      '...',
      '/etc/passwd',
      '//x',
      'a\\b',
      '..\\x',
      'C:\\x',
      'a\nb',
      'a\u007f',
      'a\0b',
      'a/',
      './',
      `${name}x`,
      `${name}/${name}/x`,
      Array(11).fill('a').join('/'),
    ]) {
      const encoded = encodeURIComponent(path);
      for (const answer of [
        await put(caller, path),
        await caller.get(`/api/userdata/${encoded}`),
        await caller.delete(`/api/userdata/${encoded}`),
        await caller.post(`/api/userdata/${encoded}/move/b`),
      ]) {
        assert.equal(answer.status, 400, path.slice(0, 50));
        assertShape(answer.body, 'code');
      }
    }
    for (const part of ['x'.repeat(5000), '%ED%A0%80', '%ff']) {
      assert.equal((await caller.post(`/api/userdata/${part}`, {})).status, 400);
    }
    assert.deepEqual((await caller.get('/v2/userdata')).body, []);
    assert.equal((await put(caller, './a//b/./c')).body, 'a/b/c');
    assert.equal((await put(caller, '%2e%2e%2fx')).body, '%2e%2e%2fx');
    assert.equal((await put(caller, `${name}/${name}`)).status, 200);
  });

  test('[HOST-18] a name is a file or a folder', async () => {
    const caller = await newCaller();
    await put(caller, 'a/b', 'of b');
    for (const path of ['a', 'a/b/c', 'a/b/c/d']) {
      const answer = await put(caller, path);
      assert.equal(answer.status, 409, path);
      assertShape(answer.body, 'code');
    }
    assert.equal((await put(caller, 'a/bb')).status, 200);
    await caller.delete('/userdata/a%2Fb');
    assert.equal((await put(caller, 'a/b/c')).status, 200);
  });

  test('[HOST-19] a file has at most 10 MiB', async () => {
    const caller = await newCaller();
    assert.equal((await put(caller, 'big', Buffer.alloc(MAX_BYTES, 1))).status, 200);
    const answer = await put(caller, 'big', Buffer.alloc(MAX_BYTES + 1, 2));
    assert.equal(answer.status, 413);
    assertShape(answer.body, 'code');
    const list = await caller.get<FileInfo[]>('/userdata?dir=.&full_info=true');
    assert.deepEqual(
      list.body.map(({ path, size }) => [path, size]),
      [['big', MAX_BYTES]],
    );
  });
});
