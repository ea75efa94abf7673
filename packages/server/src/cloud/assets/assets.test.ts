import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Asset } from '@atelier/contracts';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { newId } from '../../platform/ids.ts';
import { anAssetCaller, aPicture, read } from './test/asset-caller.ts';

onEachDatabase('the assets API', (db) => {
  const caller = anAssetCaller(db);

  it('[AST-12] changes name, metadata and preview, at least one of them', async () => {
    const asset = await caller.upload(aPicture(), ['user_metadata', '{"a":1}']);
    const other = await caller.upload();
    caller.server.time.now += 5000;
    const put = async (body: unknown, id = asset.id) => await caller.call('PUT', `/assets/${id}`, body);
    const renamed = await read(await put({ name: ' dog ', user_metadata: null }));
    assert.deepEqual([renamed.name, renamed.user_metadata], ['dog', { a: 1 }]);
    assert.ok(renamed.updated_at > asset.updated_at);
    assert.equal(renamed.created_at, asset.created_at);
    const noted = await read(
      await put({ user_metadata: { 'line\nbreak': { b: null } }, preview_id: other.id }),
    );
    assert.deepEqual(noted.user_metadata, { 'line\nbreak': { b: null } });
    assert.deepEqual([noted.name, noted.preview_id, noted.preview_url], ['dog', other.id, other.preview_url]);
    for (const body of [
      {},
      { name: null },
      { name: ' ' },
      { name: 5 },
      { preview_id: 'x' },
      { tags: ['a'] },
      [],
      'x',
    ]) {
      assert.equal((await put(body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await put({ preview_id: newId() })).status, 404);
    assert.equal((await put({ name: 'x' }, newId())).status, 404);
  });

  it('[AST-13] deletes an asset, and its bytes unless another asset has them', async () => {
    const bytes = aPicture();
    const asset = await caller.upload(bytes);
    const { headers } = await caller.call('GET', `/assets/${asset.id}/content`);
    const link = headers.get('location') ?? '';
    const first = caller.userId;
    caller.userId = (await aUser(db())).id;
    const other = await caller.upload(bytes);
    assert.equal((await caller.call('DELETE', `/assets/${asset.id}`, undefined, first)).status, 204);
    assert.equal((await caller.call('DELETE', `/assets/${asset.id}`, undefined, first)).status, 404);
    assert.equal((await caller.call('GET', `/assets/${asset.id}`, undefined, first)).status, 404);
    assert.equal((await fetch(link)).status, 200);
    assert.equal((await caller.call('DELETE', `/assets/${other.id}`)).status, 204);
    assert.equal((await fetch(link)).status, 404);
    assert.equal((await caller.server.files.usageOf(caller.userId)).bytes, 0);
  });

  it('[AST-7] hides the assets of others on every path', async () => {
    const { id } = await caller.upload();
    const stranger = (await aUser(db())).id;
    for (const [method, path, body] of [
      ['GET', ''],
      ['PUT', '', { name: 'mine' }],
      ['DELETE', ''],
      ['GET', '/content'],
      ['POST', '/tags', { tags: ['a'] }],
      ['DELETE', '/tags', { tags: ['a'] }],
    ] as const) {
      const answers = [id, newId(), 'nonsense'].map(async (each) => {
        const response = await caller.call(method, `/assets/${each}${path}`, body, stranger);
        return [response.status, (await response.text()).replace(each, '')];
      });
      const [foreign, missing, nonsense] = await Promise.all(answers);
      assert.equal(foreign?.[0], 404);
      assert.deepEqual(foreign, missing);
      assert.deepEqual(foreign, nonsense);
    }
    assert.equal((await read(await caller.call('GET', `/assets/${id}`))).name, 'cat.png');
  });

  it('[AST-14] redirects to the bytes, as an attachment or inline, and records the access', async () => {
    const { id, last_access_time: earlier = '' } = await caller.upload();
    caller.server.time.now += 3_600_000;
    const inline = await caller.call('GET', `/assets/${id}/content?disposition=inline`);
    const file = await fetch(inline.headers.get('location') ?? '');
    assert.match(file.headers.get('content-disposition') ?? '', /^inline/);
    assert.equal((await caller.call('GET', `/assets/${id}/content?disposition=no`)).status, 400);
    assert.ok(((await read(await caller.call('GET', `/assets/${id}`))).last_access_time ?? '') > earlier);
  });

  it('[AST-2] lists over HTTP, and refuses invalid queries', async () => {
    for (let index = 0; index < 3; index += 1)
      await caller.upload(aPicture(), ['name', `n${index}`], ['tags', 'a']);
    type Page = { assets: Asset[]; has_more: boolean; next_cursor: string };
    const first = await read<Page>(
      await caller.call('GET', '/assets?limit=2&tags_all=a&tags_all=input&include_public=true'),
    );
    assert.deepEqual([first.assets.length, first.has_more], [2, true]);
    const next = await read<Page>(
      await caller.call('GET', `/assets?limit=2&tags_all=a&after=${first.next_cursor}`),
    );
    assert.deepEqual([next.assets.length, next.has_more, next.next_cursor], [1, false, undefined]);
    for (const query of [
      'limit=0',
      'limit=501',
      'limit=x',
      'offset=-1',
      'sort=id',
      'order=up',
      'after=x',
      'after=',
      'sort=last_access_time&after=e30',
      'name_contains=%00',
      'name_contains=a&name_contains=b',
      'tags_any=%00',
      'metadata_filter=%7B',
      'hash=blake3:x',
    ]) {
      assert.equal((await caller.call('GET', `/assets?${query}`)).status, 400, query);
    }
  });

  it('[AST-19] answers that there is nothing to scan for', async () => {
    const nothing = { scanned: 0, total: 0, created: 0, skipped: 0 };
    assert.deepEqual(
      await read<object>(await caller.call('POST', '/assets/seed?wait=true', { roots: ['input'] })),
      {
        status: 'completed',
        progress: nothing,
        errors: [],
      },
    );
    assert.deepEqual(await read<object>(await caller.call('GET', '/assets/seed/status')), {
      state: 'IDLE',
      progress: null,
      errors: [],
    });
    assert.deepEqual(await read<object>(await caller.call('POST', '/assets/seed/cancel')), {
      status: 'idle',
    });
    assert.deepEqual(await read<object>(await caller.call('POST', '/assets/prune')), {
      status: 'completed',
      marked: 0,
    });
  });
});
