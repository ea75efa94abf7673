import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { connect } from 'node:net';
import { it } from 'node:test';
import type { AssetCreated } from '@atelier/contracts';
import { blake3 } from 'hash-wasm';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { newId } from '../../platform/ids.ts';
import { anAsset } from './test/an-asset.ts';
import { anAssetCaller, aPicture, type Field, read, toForm } from './test/asset-caller.ts';
import { MAX_BODY_BYTES, MAX_FILE_BYTES, startAssetServer } from './test/asset-server.ts';

async function sentence(response: Response, status: number): Promise<string> {
  return (await read<{ message: string }>(response, status)).message;
}

onEachDatabase('uploads of assets', (db) => {
  const caller = anAssetCaller(db);

  it('[AST-8] [AST-9] keeps new bytes under the name of their content, with what the form says', async () => {
    const bytes = aPicture();
    const preview = await caller.upload();
    const asset = await read<AssetCreated>(
      await caller.send(
        ['file', bytes, 'my cat.jpg'],
        ['tags', '["output","b"]'],
        ['tags', 'a, b'],
        ['user_metadata', '{"a":[null]}'],
        ['preview_id', preview.id.toUpperCase()],
        ['mime_type', 'text/html'],
      ),
      201,
    );
    assert.equal(asset.created_new, true);
    assert.equal(asset.name, 'my cat.jpg');
    assert.equal(asset.hash, `blake3:${await blake3(bytes)}`);
    assert.deepEqual(asset.tags, ['a', 'b', 'output']);
    assert.deepEqual(asset.user_metadata, { a: [null] });
    assert.equal(asset.mime_type, 'image/png');
    assert.equal(asset.preview_id, preview.id);
    assert.match(asset.file_path ?? '', /^output\/[0-9a-f]{64}\.png$/);
    const { created_new: _new, ...known } = asset;
    assert.deepEqual(await read(await caller.call('GET', `/assets/${asset.id}`)), known);
    const content = await caller.call('GET', `/assets/${asset.id}/content`);
    assert.equal(content.status, 302);
    const file = await fetch(content.headers.get('location') ?? '');
    assert.match(file.headers.get('content-disposition') ?? '', /^attachment; filename="my cat.jpg"/);
    assert.deepEqual(Buffer.from(await file.arrayBuffer()), bytes);
  });

  it('[AST-10] answers 200 for bytes that the user has, and updates their description', async () => {
    const bytes = aPicture();
    const first = await caller.upload(bytes, ['name', 'first'], ['tags', 'a']);
    const again = await caller.send(['file', bytes], ['tags', 'input,b'], ['name', 'again']);
    const second = await read<AssetCreated>(again, 200);
    assert.deepEqual([second.id, second.created_new, second.name], [first.id, false, 'again']);
    assert.deepEqual(second.tags, ['a', 'b', 'input']);
    // The bytes are not looked at when the hash says that they are known.
    const known = await caller.send(['hash', first.hash ?? ''], ['file', randomBytes(9)], ['tags', 'c']);
    assert.equal((await read(known)).id, first.id);
    const bare = await caller.send(['hash', first.hash ?? ''], ['user_metadata', '{"x":1}']);
    assert.deepEqual((await read(bare)).user_metadata, { x: 1 });
    assert.equal((await caller.server.files.usageOf(caller.userId)).files, 1);
  });

  it('[AST-10] knows nothing of the bytes that others have', async () => {
    const bytes = aPicture();
    const { id, hash = '' } = await caller.upload(bytes);
    caller.userId = (await aUser(db())).id;
    assert.equal((await caller.call('HEAD', `/assets/hash/${hash}`)).status, 404);
    assert.equal((await caller.call('POST', '/assets/from-hash', { hash })).status, 404);
    assert.equal((await caller.send(['hash', hash])).status, 400);
    const own = await caller.upload(bytes);
    assert.notEqual(own.id, id);
  });

  it('[AST-9] refuses an incomplete or oversized form, and keeps nothing', async () => {
    const file: Field = ['file', aPicture()];
    const cases: readonly (readonly [RegExp, readonly Field[]])[] = [
      [/"input" or "output"/, [file]],
      [/"input" or "output"/, [file, ['tags', 'a']]],
      [/Models are not kept/, [file, ['tags', 'models,loras']]],
      [/Only jobs/, [file, ['tags', 'temp']]],
      [/one folder/, [file, ['tags', 'input,output']]],
      [/no file/, [['tags', 'input']]],
      [
        /no file/,
        [
          ['tags', 'input'],
          ['file', 'text'],
        ],
      ],
      [
        /empty/,
        [
          ['file', Buffer.alloc(0)],
          ['tags', 'input'],
        ],
      ],
      [/one file/, [file, file, ['tags', 'input']]],
      [
        /in the field file/,
        [
          ['image', aPicture()],
          ['tags', 'input'],
        ],
      ],
      [
        /larger than 300000/,
        [
          ['file', randomBytes(MAX_FILE_BYTES + 1)],
          ['tags', 'input'],
        ],
      ],
      [
        /larger than 300000/,
        [
          ['tags', 'input'],
          ['file', randomBytes(MAX_FILE_BYTES + 70_000)],
        ],
      ],
      [/not the one/, [file, ['tags', 'input'], ['hash', `blake3:${'0'.repeat(64)}`]]],
      [/64 hexadecimal/, [file, ['tags', 'input'], ['hash', 'sha256:00']]],
      [/not valid JSON/, [file, ['tags', 'input'], ['user_metadata', '{']]],
      [/not a JSON object/, [file, ['tags', 'input'], ['user_metadata', '[]']]],
      [/too long/, [file, ['tags', 'input'], ['user_metadata', 'x'.repeat(70_000)]]],
      [/more than 16384/, [file, ['tags', 'input'], ['user_metadata', `{"a":"${'x'.repeat(17_000)}"}`]]],
      [
        /levels/,
        [file, ['tags', 'input'], ['user_metadata', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`]],
      ],
      [/half a character/, [file, ['tags', 'input'], ['user_metadata', String.raw`{"a":"\ud800"}`]]],
      [/name has/, [file, ['tags', 'input'], ['name', 'x'.repeat(513)]]],
      [/name has/, [file, ['tags', 'input'], ['name', 'a\u0000b']]],
      [/A tag has at most/, [file, ['tags', 'input'], ['tags', 'x'.repeat(129)]]],
      [/control/, [file, ['tags', '["input","a\\u0000"]']]],
      [
        /more than 100/,
        [file, ['tags', ['input', ...Array.from({ length: 100 }, (_, n) => `t${n}`)].join(',')]],
      ],
      [/tags is a JSON list/, [file, ['tags', '["input",1]']]],
      [/chooses the id/, [file, ['tags', 'input'], ['id', newId()]]],
    ];
    for (const [expected, fields] of cases)
      assert.match(await sentence(await caller.send(...fields), 400), expected);
    const foreign = await anAsset(db(), { user_id: (await aUser(db())).id });
    assert.equal((await caller.send(file, ['tags', 'input'], ['preview_id', foreign.id])).status, 404);
    assert.equal((await caller.send(file, ['tags', 'input'], ['preview_id', 'nonsense'])).status, 404);
    assert.deepEqual((await caller.server.files.usageOf(caller.userId)).files, 0);
  });

  it('[AST-9] accepts only forms, and none that is too large, announced or not', async () => {
    assert.match(
      await sentence(await caller.call('POST', '/assets', { url: 'https://example.com/a.png' }), 415),
      /not fetched/,
    );
    assert.equal((await caller.call('POST', '/assets')).status, 415);
    assert.equal((await caller.send(['file', randomBytes(MAX_BODY_BYTES + 1)])).status, 413);
    const raw = async (type: string, body: string | ReadableStream) =>
      await fetch(`${caller.server.url}/api/assets`, {
        method: 'POST',
        headers: { 'x-user': caller.userId, 'content-type': type },
        body,
        duplex: 'half',
      } as RequestInit);
    assert.equal((await raw('multipart/form-data', 'x')).status, 400);
    assert.equal((await raw('multipart/form-data; boundary=x', 'nonsense')).status, 400);
    assert.equal((await raw('multipart/form-data; boundary=x', '')).status, 400);
    const endless = new ReadableStream({
      pull: (controller) => controller.enqueue(Buffer.alloc(65_536, 'x')),
    });
    // In front of the first part a form may have anything.
    assert.equal((await raw('multipart/form-data; boundary=x', endless)).status, 413);
  });

  it('[AST-9] keeps nothing of a form that is cut off', async () => {
    const { hostname, port } = new URL(caller.server.url);
    const socket = connect(Number(port), hostname);
    const head = `POST /api/assets HTTP/1.1\r\nHost: x\r\nx-user: ${caller.userId}\r\nContent-Length: 9999\r\n`;
    socket.write(`${head}Content-Type: multipart/form-data; boundary=b\r\n\r\n`);
    socket.write('--b\r\nContent-Disposition: form-data; name="file"; filename="a"\r\n\r\nsome');
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.end();
    socket.resume();
    await closed;
    assert.equal((await caller.server.files.usageOf(caller.userId)).files, 0);
    await caller.upload();
  });

  it('[AST-11] describes known bytes by their hash, and puts them into another folder', async () => {
    const made = await read<AssetCreated>(
      await caller.send(['file', aPicture()], ['tags', 'output'], ['name', 'out']),
      201,
    );
    const { hash = '' } = made;
    const same = await caller.call('POST', '/assets/from-hash', {
      hash,
      name: 'renamed',
      tags: ['x'],
      preview_id: null,
    });
    assert.partialDeepStrictEqual(await read(same), { id: made.id, name: 'renamed', created_new: false });
    const input = await read(
      await caller.call('POST', '/assets/from-hash', {
        hash,
        tags: ['input', 'y'],
        user_metadata: { z: null },
      }),
      201,
    );
    assert.notEqual(input.id, made.id);
    assert.partialDeepStrictEqual(input, {
      name: 'renamed',
      hash,
      user_metadata: { z: null },
      tags: ['input', 'y'],
    });
    assert.equal(input.file_path, made.file_path?.replace('output/', 'input/'));
    const { created_new: _new, ...again } = await read<AssetCreated>(
      await caller.call('POST', '/assets/from-hash', { hash, tags: ['input'] }),
    );
    const { created_new: _old, ...earlier } = input as AssetCreated;
    assert.deepEqual(again, earlier);
    assert.equal((await caller.call('HEAD', `/assets/hash/${hash}`)).status, 200);
    assert.equal((await caller.call('HEAD', `/assets/hash/blake3:${'0'.repeat(64)}`)).status, 404);
    assert.equal((await caller.call('HEAD', '/assets/hash/blake3:0')).status, 400);
    assert.equal((await caller.call('POST', '/assets/from-hash', { hash: 'blake3:0' })).status, 400);
    assert.equal((await caller.call('POST', '/assets/from-hash', { hash, tags: ['models'] })).status, 400);
    assert.equal((await caller.call('POST', '/assets/from-hash', {})).status, 400);
  });

  it('[AST-9] refuses bytes beyond the quota of a user', async () => {
    await using small = await startAssetServer(db(), { quotaBytes: 100 });
    const response = await fetch(`${small.url}/api/assets`, {
      method: 'POST',
      headers: { 'x-user': caller.userId },
      body: toForm([
        ['file', randomBytes(200)],
        ['tags', 'input'],
      ]),
    });
    assert.equal((await read<{ code: string }>(response, 403)).code, 'cloud.storage_full');
  });
});
