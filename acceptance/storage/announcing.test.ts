import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { announce, get, newUploader, put, type Refusal, sha256, type Upload } from '../support/storage.ts';

const DAY_MS = 24 * 3_600_000;
const PATH = '/customers/storage';

onAnyEngine('announcing an upload', (server) => {
  test('[STO-1] a bearer token or an API key gets both links, the end and whether the file exists', async () => {
    const person = await newPerson(server.current);
    const callers = [
      client(server.current.url, { bearer: await tokenOf(server.current, person) }),
      await newUploader(server.current),
      admin(server.current),
    ];
    for (const caller of callers) {
      const body = await announce(caller);
      assert.deepEqual(Object.keys(body).toSorted(), [
        'download_url',
        'existing_file',
        'expires_at',
        'upload_url',
      ]);
      assert.equal(body.existing_file, false);
      for (const url of [body.upload_url, body.download_url]) {
        assert.equal(new URL(url).origin, server.current.url);
      }
    }
  });

  test('[STO-1] nobody else gets a link', async () => {
    const person = await newPerson(server.current);
    for (const caller of [
      client(server.current.url),
      client(server.current.url, { apiKey: 'atelier_wrong' }),
    ]) {
      const { status, body } = await caller.post(PATH, { file_name: 'a' });
      assert.equal(status, 401);
      assertShape(body, 'error');
    }
    const bearer = await tokenOf(server.current, person);
    const ban = await admin(server.current).post(`/admin/users/${person.id}/ban`, { reason: 'test' });
    assert.equal(ban.status, 204);
    const { status } = await client(server.current.url, { bearer }).post(PATH, { file_name: 'a' });
    assert.equal(status, 403);
  });

  test('[STO-2] a name that is not a plain one gets 400 and a sentence that says why', async () => {
    const caller = await newUploader(server.current);
    const wrong = {
      'a/b': /slash/,
      '/etc/passwd': /slash/,
      'a\\b': /slash/,
      '../a': /slash/,
      '': /file_name/,
      ' ': /empty/,
      '.': /dots/,
      '..': /dots/,
      'a\u0000b': /NUL/,
      'a\nb': /control/,
      'a\u007f': /control/,
      'a\u0085b': /control/,
      'a\u2028b': /control/,
      'a\u202egpj.exe': /direction/,
      'a\ud800': /half a character/,
      ['a'.repeat(256)]: /255/,
    };
    for (const [name, sentence] of Object.entries(wrong)) {
      const { status, body } = await caller.post<Refusal>(PATH, { file_name: name });
      assert.equal(status, 400, JSON.stringify(name));
      assertShape(body, 'error');
      assert.match(String(body.message), sentence, JSON.stringify(name));
    }
    for (const name of [undefined, null, 5, {}, ['a']]) {
      const { status, body } = await caller.post<Refusal>(PATH, { file_name: name });
      assert.equal(status, 400, JSON.stringify(name));
      assert.match(String(body.message), /file_name/);
    }
  });

  test('[STO-2] any other name comes back with the download, in every script', async () => {
    const caller = await newUploader(server.current);
    for (const name of [
      'cat.png',
      '.hidden',
      'a \'b\' "c".txt',
      '100%.gif',
      '%00 %2e%2e%2f.txt',
      'what?#really&a=b;c',
      '猫 (1).jpg',
      '👩‍🚀.webp',
      '🎉'.repeat(255),
      '猫'.repeat(255),
    ]) {
      const upload = await announce(caller, { file_name: name });
      assert.ok(new URL(upload.download_url).pathname.endsWith(`/${encodeURIComponent(name)}`), name);
      assert.equal((await put(server.current, upload.upload_url, name)).status, 200);
      const { status, headers, bytes } = await get(server.current, upload.download_url);
      assert.equal(status, 200, name);
      assert.equal(bytes.toString(), name);
      const disposition = headers.get('content-disposition') ?? '';
      const [, encoded] = /filename\*=UTF-8''([^;]+)/.exec(disposition) ?? [];
      const [, plain] = /filename="?((?:\\.|[^"])*)"?/.exec(disposition) ?? [];
      const shown = encoded === undefined ? plain?.replaceAll(/\\(.)/g, '$1') : decodeURIComponent(encoded);
      assert.equal(shown, name);
    }
    const blank = await announce(caller, { file_name: '  a.png ' });
    assert.match(new URL(blank.download_url).pathname, /\/a\.png$/);
  });

  test('[STO-3] a type or a hash that is none gets 400', async () => {
    const caller = await newUploader(server.current);
    const wrong = [
      ...[
        '',
        'png',
        'image/',
        'a/b/c',
        'a/b\r\nx: y',
        'image/é',
        'image/png;',
        'a/b, c/d',
        'a/b; c=\u212a',
      ].map((type) => ({
        content_type: type,
      })),
      { content_type: `a/${'b'.repeat(254)}` },
      { content_type: 5 },
      ...['', 'abc', 'g'.repeat(64), sha256('').slice(1), `${sha256('')}0`, `${sha256('')}\n`, 5].map(
        (hash) => ({ file_hash: hash }),
      ),
    ];
    for (const body of wrong) {
      const answer = await caller.post<Refusal>(PATH, { file_name: 'a', ...body });
      assert.equal(answer.status, 400, JSON.stringify(body));
      assertShape(answer.body, 'error');
      assert.match(String(answer.body.message), new RegExp(Object.keys(body)[0] ?? ''));
      assert.doesNotMatch(String(answer.body.message), /pattern/);
    }
  });

  test('[STO-3] null counts as absent, and unknown fields are ignored', async () => {
    const caller = await newUploader(server.current);
    const upload = await announce(caller, { content_type: null, file_hash: null, whatever: [1] });
    assert.equal((await put(server.current, upload.upload_url, 'x', 'a/b')).status, 200);
  });

  test('[STO-4] the links end a day later, at one moment in UTC', async () => {
    const before = Date.now();
    const upload = await announce(await newUploader(server.current));
    const end = Date.parse(upload.expires_at);
    assert.equal(new Date(end).toISOString(), upload.expires_at);
    assert.ok(end >= before + DAY_MS && end <= Date.now() + DAY_MS + 1000);
    for (const url of [upload.upload_url, upload.download_url]) {
      assert.equal(Number(new URL(url).searchParams.get('expires')) * 1000, end);
    }
  });

  test('[STO-14] bytes that the account has uploaded need not be sent again', async () => {
    const caller = await newUploader(server.current);
    const bytes = randomBytes(1000);
    const first = await announce(caller, { file_hash: sha256(bytes), content_type: 'image/png' });
    assert.equal(first.existing_file, false);
    const early = await announce(caller, { file_hash: sha256(bytes) });
    assert.equal(early.existing_file, false, 'announced is not uploaded');
    assert.equal((await put(server.current, first.upload_url, bytes, 'image/png')).status, 200);

    const second = await announce(caller, {
      file_name: 'other.txt',
      file_hash: sha256(bytes).toUpperCase(),
      content_type: 'text/plain',
    });
    assert.equal(second.existing_file, true);
    assert.notEqual(second.download_url, first.download_url);
    const { status, headers, bytes: served } = await get(server.current, second.download_url);
    assert.equal(status, 200);
    assert.deepEqual(served, bytes);
    assert.equal(headers.get('content-type'), 'text/plain');
    assert.match(headers.get('content-disposition') ?? '', /other\.txt/);
    assert.equal((await put(server.current, second.upload_url, bytes, 'text/plain')).status, 200);
  });

  test('[STO-14] bytes count when no hash was announced for them', async () => {
    const caller = await newUploader(server.current);
    const bytes = randomBytes(10);
    await put(server.current, (await announce(caller)).upload_url, bytes);
    assert.equal((await announce(caller, { file_hash: sha256(bytes) })).existing_file, true);
  });

  test('[STO-14] what others have uploaded is not told', async () => {
    const bytes = randomBytes(1000);
    const [one, other] = [await newUploader(server.current), await newUploader(server.current)];
    await put(server.current, (await announce(one)).upload_url, bytes);
    const upload = await announce(other, { file_hash: sha256(bytes) });
    assert.equal(upload.existing_file, false);
    assert.equal((await get(server.current, upload.download_url)).status, 404);
    const asAdmin = await announce(admin(server.current), { file_hash: sha256(bytes) });
    assert.equal(asAdmin.existing_file, false);
  });

  test('[STO-17] links and files outlive a restart', async () => {
    const caller = await newUploader(server.current);
    const [done, waiting] = [await announce(caller), await announce(caller)];
    await put(server.current, done.upload_url, 'before');
    await server.restart();
    assert.equal((await get(server.current, done.download_url)).bytes.toString(), 'before');
    assert.equal((await put(server.current, waiting.upload_url, 'after')).status, 200);
    assert.equal((await get(server.current, waiting.download_url)).bytes.toString(), 'after');
  });
});

onAnyEngine(
  'bounds of uploads',
  (server) => {
    test('[STO-15] an account that has all its bytes gets 429 until some end; others do not', async () => {
      const caller = await newUploader(server.current);
      const bytes = randomBytes(1024 * 1024);
      const [first, second] = [await announce(caller), await announce(caller)];
      assert.equal((await put(server.current, first.upload_url, bytes)).status, 200);
      const refused = await put(server.current, second.upload_url, randomUUID());
      assert.equal(refused.status, 429);
      assertShape(refused.body, 'error');
      const seconds = Number(refused.headers.get('retry-after'));
      assert.ok(seconds > 3600 && seconds <= 86_401, String(seconds));
      assert.equal((await get(server.current, second.download_url)).status, 404);
      // The same bytes take no more room.
      assert.equal((await put(server.current, second.upload_url, bytes)).status, 200);

      const { status, body } = await caller.post<Upload & Refusal>('/customers/storage', { file_name: 'a' });
      assert.equal(status, 429);
      assert.equal(body.error, 'storage.limit');
      assert.equal((await announce(caller, { file_hash: sha256(bytes) })).existing_file, true);
      await announce(await newUploader(server.current));
    });

    test('[STO-15] at most a thousand uploads of an account wait, also when they are asked for at once', async () => {
      const caller = await newUploader(server.current);
      const announced: Upload[] = [];
      let refused = 0;
      const ask = async () => {
        while (announced.length + refused < 1010) {
          const { status, body } = await caller.post<Upload>('/customers/storage', { file_name: 'a' });
          if (status === 200) announced.push(body);
          else if (status === 429) refused += 1;
          else assert.fail(String(status));
        }
      };
      await Promise.all(Array.from({ length: 8 }, ask));
      assert.equal(announced.length, 1000);
      assert.equal((await put(server.current, announced[0]?.upload_url ?? '', 'x')).status, 200);
      await announce(caller);
    });
  },
  { environment: { ATELIER_UPLOAD_MAX_MB: '1', ATELIER_UPLOAD_ACCOUNT_MB: '1' } },
);
