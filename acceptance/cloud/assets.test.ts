import assert from 'node:assert/strict';
import { randomBytes, randomUUID } from 'node:crypto';
import { before, test } from 'node:test';

import { type Asset, add, file, NO_HASH, page, send } from '../support/assets.ts';
import { finish, newSubmitter, type Submitter } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { onEachEngine } from '../support/servers.ts';
import { contentName, type Field, hugePng, newPicture, take } from '../support/user-files.ts';
import { pictureWorkflow } from '../support/workflows.ts';

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
const HASH_OF_ABC = 'blake3:6437b3ac38465133ffb63b75273a8db548c558465d79db03fd359c6cd5bd9d85';

onEachEngine('assets', (server) => {
  let ada: Submitter;
  let bob: Submitter;
  before(async () => {
    [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
  });

  test('[AST-1] [AST-8] an upload is an asset with all that is known of it', async () => {
    const bytes = await newPicture();
    const preview = await add(ada.api, await newPicture());
    const { status, body } = await send(
      ada.api,
      file(bytes, 'my cat.jpg'),
      ['tags', '["output","b"]'],
      ['tags', 'a, b'],
      ['user_metadata', '{"a":[null],"n":1.5}'],
      ['preview_id', preview.id],
      ['mime_type', 'text/html'],
    );
    assert.equal(status, 201);
    const { created_new: isNew, ...asset } = body;
    assert.equal(isNew, true);
    const name = contentName(bytes, 'png');
    assert.partialDeepStrictEqual(asset, {
      name: 'my cat.jpg',
      display_name: 'my cat.jpg',
      size: bytes.length,
      mime_type: 'image/png',
      tags: ['a', 'b', 'output'],
      user_metadata: { a: [null], n: 1.5 },
      preview_id: preview.id,
      loader_path: `${name} [output]`,
      file_path: `output/${name}`,
      is_immutable: false,
    });
    assert.equal(asset.asset_hash, asset.hash);
    const known = await add(ada.api, Buffer.from('abc'));
    assert.equal(known.hash, HASH_OF_ABC);
    for (const time of [asset.created_at, asset.updated_at, asset.last_access_time]) assert.match(time, ISO);
    assert.ok(!Object.values(asset).includes(null as never));
    assert.ok(!('job_id' in asset));
    assert.match(asset.preview_url ?? '', /^\/api\/view\?type=input&filename=[0-9a-f]{64}\.png$/);
    const { status: seen, headers } = await ada.api.get(asset.preview_url ?? '');
    assert.equal(seen, 302);
    assert.equal((await bob.api.get(asset.preview_url ?? '')).status, 404);
    const shown = await take(headers.get('location') ?? '');
    assert.equal(shown.bytes.length, preview.size);
    assert.deepEqual((await ada.api.get(`/api/assets/${asset.id}`)).body, asset);
    await ada.api.delete(`/api/assets/${preview.id}`);
    const { body: without } = await ada.api.get<Asset>(`/api/assets/${asset.id}`);
    assert.ok(!('preview_id' in without));
  });

  test('[AST-1] an output knows its job, and a node loads it by its loader_path', async () => {
    const { prompt_id: id } = await finish(ada.api, pictureWorkflow({ prefix: `sub/${randomUUID()}` }));
    const { assets } = await page(ada.api, 'tags_all=output&limit=1');
    const [asset] = assets;
    assert.deepEqual([asset?.job_id, asset?.prompt_id], [id, id]);
    assert.match(asset?.file_path ?? '', /^output\/sub\//);
    const { status } = await finish(ada.api, {
      '1': { class_type: 'LoadImage', inputs: { image: asset?.loader_path } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    });
    assert.equal(status, 'completed');
  });

  test('[AST-7] the assets of others are not there, on any path', async () => {
    const bytes = await newPicture();
    const { id, hash } = await add(ada.api, bytes, ['tags', 'secret-tag']);
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'mine' }],
      ['DELETE', ''],
      ['GET', '/content'],
      ['POST', '/tags', { tags: ['a'] }],
      ['DELETE', '/tags', { tags: ['a'] }],
    ] as const) {
      for (const asked of [id, randomUUID(), 'nonsense']) {
        const answer = await bob.api.request(method, `/api/assets/${asked}${path}`, { body });
        assert.equal(answer.status, 404, `${method} ${path}`);
        assertShape(answer.body, 'code');
      }
      const nobody = await client(server.current.url).request(method, `/api/assets/${id}${path}`, { body });
      assert.equal(nobody.status, 401);
    }
    assert.equal((await bob.api.request('HEAD', `/api/assets/hash/${hash}`)).status, 404);
    assert.equal((await bob.api.post('/api/assets/from-hash', { hash, tags: ['input'] })).status, 404);
    assert.equal((await send(bob.api, ['hash', hash], ['tags', 'input'])).status, 400);
    assert.equal((await send(bob.api, file(bytes), ['tags', 'input'], ['preview_id', id])).status, 404);
    assert.ok(!JSON.stringify(await bob.api.get('/api/tags')).includes('secret-tag'));
    assert.equal((await page(bob.api, 'tags_all=secret-tag')).total, 0);
    const own = await add(bob.api, bytes);
    assert.notEqual(own.id, id);
    assert.equal((await ada.api.get<Asset>(`/api/assets/${id}`)).body.name, 'cat.png');
  });

  test('[AST-9] what is not an upload is refused with a sentence, and nothing is kept', async () => {
    const { api } = await newSubmitter(server.current);
    const one = file(randomBytes(20));
    const input: Field = ['tags', 'input'];
    for (const [expected, fields] of [
      [/"input" or "output"/, [one]],
      [/Models are not kept/, [one, ['tags', 'models,loras']]],
      [/Only jobs/, [one, ['tags', 'temp']]],
      [/one folder/, [one, ['tags', 'input,output']]],
      [/no file/, [input]],
      [/empty/, [file(Buffer.alloc(0)), input]],
      [/one file/, [one, file(randomBytes(3)), input]],
      [/in the field file/, [['image', randomBytes(3), 'a.png'], input]],
      [/16385 by 1/, [file(hugePng(16_385, 1)), input]],
      [/not the one/, [one, input, ['hash', NO_HASH]]],
      [/64 hexadecimal/, [one, input, ['hash', 'sha256:00']]],
      [/not valid JSON/, [one, input, ['user_metadata', '{']]],
      [/more than 16384/, [one, input, ['user_metadata', `{"a":"${'x'.repeat(17_000)}"}`]]],
      [/chooses the id/, [one, input, ['id', randomUUID()]]],
      [/name has/, [one, input, ['name', 'x'.repeat(513)]]],
      [/52428800/, [file(Buffer.alloc(52_428_801)), input]],
    ] satisfies readonly (readonly [RegExp, readonly Field[]])[]) {
      const { status, body } = await send(api, ...fields);
      assert.equal(status, 400, String(expected));
      assertShape(body, 'code');
      assert.match(body.message ?? '', expected);
    }
    const json = await api.post('/api/assets', { url: 'https://example.com/a.png', tags: ['input'] });
    assert.equal(json.status, 415);
    assertShape(json.body, 'code');
    assert.equal((await send(api, file(Buffer.alloc(64 * 1024 * 1024)), input)).status, 413);
    assert.equal((await page(api)).total, 0);
  });

  test('[AST-10] [AST-11] known bytes are described anew, by form or by hash, and may be in two folders', async () => {
    const bytes = await newPicture();
    const first = await add(ada.api, bytes, ['name', 'first'], ['tags', 'a']);
    const again = await send(ada.api, file(bytes), ['tags', 'input,b'], ['name', 'again']);
    assert.equal(again.status, 200);
    assert.partialDeepStrictEqual(again.body, {
      id: first.id,
      created_new: false,
      name: 'again',
      tags: ['a', 'b', 'input'],
    });
    const { hash } = first;
    const bare = await send(ada.api, ['hash', hash], ['user_metadata', '{"x":1}']);
    assert.deepEqual([bare.status, bare.body.user_metadata], [200, { x: 1 }]);
    const unseen = await send(ada.api, ['hash', hash], file(randomBytes(9)), ['tags', 'c']);
    assert.deepEqual([unseen.status, unseen.body.id], [200, first.id]);
    const fromHash = async (body: object) => await ada.api.post<Asset>('/api/assets/from-hash', body);
    const same = await fromHash({ hash, name: 'renamed', tags: ['d'], preview_id: null });
    assert.deepEqual([same.status, same.body.id, same.body.name], [200, first.id, 'renamed']);
    const other = await fromHash({ hash, tags: ['output'] });
    assert.deepEqual([other.status, other.body.created_new], [201, true]);
    assert.notEqual(other.body.id, first.id);
    assert.equal(other.body.file_path, first.file_path.replace('input/', 'output/'));
    assert.equal((await fromHash({ hash, tags: ['output'] })).status, 200);
    for (const [asked, expected] of [
      [hash, 200],
      [NO_HASH, 404],
      ['blake3:0', 400],
      ['sha256:00', 400],
    ] as const) {
      assert.equal((await ada.api.request('HEAD', `/api/assets/hash/${asked}`)).status, expected, asked);
      assert.equal((await ada.api.get(`/api/assets/hash/${asked}`)).status, expected, asked);
    }
    assert.equal((await fromHash({ hash: NO_HASH, tags: ['input'] })).status, 404);
    for (const wrong of [{}, { hash: 'blake3:0' }, { hash, tags: ['models'] }, { hash, tags: 'input' }]) {
      assert.equal((await fromHash(wrong)).status, 400, JSON.stringify(wrong));
    }
  });

  test('[AST-12] name, notes and preview are changed, at least one of them', async () => {
    const asset = await add(ada.api, await newPicture(), ['user_metadata', '{"a":1}']);
    const preview = await add(ada.api, await newPicture());
    const put = async (body: unknown) => await ada.api.put<Asset>(`/api/assets/${asset.id}`, body);
    const renamed = await put({ name: 'dog', user_metadata: null });
    assert.deepEqual([renamed.status, renamed.body.name, renamed.body.user_metadata], [200, 'dog', { a: 1 }]);
    const noted = await put({ user_metadata: { b: { c: null } }, preview_id: preview.id });
    assert.partialDeepStrictEqual(noted.body, { name: 'dog', preview_id: preview.id });
    assert.deepEqual(noted.body.user_metadata, { b: { c: null } });
    for (const wrong of [{}, { name: null }, { name: ' ' }, { name: 5 }, { tags: ['a'] }, []]) {
      assert.equal((await put(wrong)).status, 400, JSON.stringify(wrong));
    }
    assert.equal((await put({ preview_id: randomUUID() })).status, 404);
    assert.equal((await put({ user_metadata: { a: 'x'.repeat(16_384) } })).status, 400);
  });

  test('[AST-13] [AST-14] the bytes are behind a link, and go with the last asset that has them', async () => {
    const bytes = await newPicture();
    const [mine, theirs] = [await add(ada.api, bytes, ['name', 'my cat.png']), await add(bob.api, bytes)];
    const link = async (query: string) => {
      const { status, headers } = await ada.api.get(`/api/assets/${mine.id}/content${query}`);
      assert.equal(status, 302);
      return await take(headers.get('location') ?? '');
    };
    const saved = await link('');
    assert.deepEqual(saved.bytes, bytes);
    assert.match(saved.headers.get('content-disposition') ?? '', /^attachment; filename="my cat.png"/);
    const shown = await link('?disposition=inline');
    assert.match(shown.headers.get('content-disposition') ?? '', /^inline/);
    assert.equal((await ada.api.get(`/api/assets/${mine.id}/content?disposition=no`)).status, 400);
    const { headers } = await bob.api.get(theirs.preview_url ?? '');
    const address = headers.get('location') ?? '';
    assert.equal((await ada.api.delete(`/api/assets/${mine.id}`)).status, 204);
    assert.equal((await ada.api.delete(`/api/assets/${mine.id}`)).status, 404);
    assert.equal(
      (await ada.api.get(`/api/view?filename=${contentName(bytes, 'png')}&type=input`)).status,
      404,
    );
    assert.equal((await take(address)).status, 200);
    assert.equal((await bob.api.delete(`/api/assets/${theirs.id}`)).status, 204);
    assert.equal((await take(address)).status, 404);
  });

  test('[AST-15] [AST-16] [AST-17] [AST-18] tags are added, removed and counted', async () => {
    const { api } = await newSubmitter(server.current);
    const [one, two] = [await add(api, randomBytes(9)), await add(api, randomBytes(8))];
    const change = async (method: string, id: string, tags: unknown) =>
      await api.request(method, `/api/assets/${id}/tags`, { body: { tags } });
    assert.deepEqual((await change('POST', one.id, ['b', ' a ', 'input'])).body, {
      added: ['b', 'a'],
      already_present: ['input'],
      total_tags: ['a', 'b', 'input'],
    });
    await change('POST', two.id, ['b']);
    const removed = await change('DELETE', one.id, ['a', 'none', 'input']);
    assert.deepEqual(removed.body, {
      removed: ['a'],
      not_present: ['none'],
      protected: ['input'],
      total_tags: ['b', 'input'],
    });
    assert.deepEqual((await change('POST', one.id, [' '])).body['added'], []);
    for (const wrong of [[], ['output'], ['a,b'], ['x'.repeat(129)], ['a\u0000'], 'a', [5]]) {
      assert.equal((await change('POST', one.id, wrong)).status, 400, JSON.stringify(wrong).slice(0, 40));
    }
    await change('POST', two.id, ['bb']);
    interface Tags {
      readonly tags: readonly { readonly name: string; readonly count: number }[];
      readonly total: number;
      readonly has_more: boolean;
    }
    const counted = async (query: string) => (await api.get<Tags>(`/api/tags?${query}`)).body;
    assert.deepEqual(await counted('include_zero=true'), {
      tags: [
        { name: 'b', count: 2 },
        { name: 'input', count: 2 },
        { name: 'bb', count: 1 },
      ],
      total: 3,
      has_more: false,
    });
    const part = await counted('order=name_asc&prefix=b&limit=1');
    assert.deepEqual(part, { tags: [{ name: 'b', count: 2 }], total: 2, has_more: true });
    const { body } = await api.get('/api/assets/tags/refine?tags_all=bb');
    assert.deepEqual(body, { tag_counts: { b: 1, bb: 1, input: 1 } });
    for (const query of ['limit=0', 'limit=1001', 'order=up', 'offset=-1']) {
      assert.equal((await api.get(`/api/tags?${query}`)).status, 400, query);
    }
  });

  test('[AST-19] there is nothing to look for', async () => {
    const seeded = await ada.api.post('/api/assets/seed?wait=true', { roots: ['input'] });
    assert.partialDeepStrictEqual(seeded.body, { status: 'completed', errors: [] });
    assert.partialDeepStrictEqual((await ada.api.get('/api/assets/seed/status')).body, { state: 'IDLE' });
    assert.deepEqual((await ada.api.post('/api/assets/seed/cancel')).body, { status: 'idle' });
    assert.deepEqual((await ada.api.post('/api/assets/prune')).body, { status: 'completed', marked: 0 });
  });
});
