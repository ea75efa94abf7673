import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { type Asset, add, NO_HASH, names, page } from '../support/assets.ts';
import { finish, newSubmitter } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('lists of assets', (server) => {
  test('[AST-2] [AST-3] a list is sorted, and its pages have each asset once, whatever comes or goes', async () => {
    const { api } = await newSubmitter(server.current);
    const made: Asset[] = [];
    for (const [index, name] of ['b', 'B', 'a', 'ä', 'c'].entries()) {
      made.push(await add(api, randomBytes(10 + index), ['name', name]));
    }
    for (const [query, expected] of [
      ['', ['c', 'ä', 'a', 'B', 'b']],
      ['order=asc', ['b', 'B', 'a', 'ä', 'c']],
      ['sort=name&order=asc', ['B', 'a', 'b', 'c', 'ä']],
      ['sort=size', ['c', 'ä', 'a', 'B', 'b']],
      ['sort=created_at&limit=2&offset=1', ['ä', 'a']],
      ['sort=updated_at&order=asc', ['b', 'B', 'a', 'ä', 'c']],
    ] as const) {
      assert.deepEqual(await names(api, query), expected, query);
    }
    for (const sort of ['name', 'created_at', 'updated_at', 'size']) {
      const seen: string[] = [];
      const comings: Asset[] = [];
      let after = '';
      for (;;) {
        const {
          assets,
          total,
          has_more: more,
          next_cursor: next,
        } = await page(api, `sort=${sort}&order=asc&limit=2${after}`);
        assert.equal(total, made.length + comings.length);
        assert.equal(more, next !== undefined);
        seen.push(...assets.map(({ id }) => id));
        if (next === undefined) break;
        comings.push(await add(api, randomBytes(5), ['name', '!']));
        after = `&offset=1000&after=${encodeURIComponent(next)}`;
      }
      const own = new Set(made.map(({ id }) => id));
      assert.deepEqual(new Set(seen.filter((id) => own.has(id))), own);
      assert.equal(new Set(seen).size, seen.length);
      for (const { id } of comings) await api.delete(`/api/assets/${id}`);
    }
    const { next_cursor: cursor = '' } = await page(api, 'limit=1');
    for (const query of [
      `after=${cursor}&sort=name`,
      `after=${cursor}&order=asc`,
      `after=x${cursor}`,
      `after=${'a'.repeat(9000)}`,
      'after=',
      'sort=last_access_time&after=x',
      'limit=0',
      'limit=501',
      'limit=x',
      'offset=-1',
      'sort=id',
      'order=up',
    ]) {
      const { status, body } = await api.get(`/api/assets?${query}`);
      assert.equal(status, 400, query.slice(0, 60));
      assertShape(body, 'code');
    }
  });

  test('[AST-4] [AST-5] [AST-6] lists are filtered by tags, names, notes and bytes', async () => {
    const { api } = await newSubmitter(server.current);
    const cat = await add(
      api,
      randomBytes(9),
      ['name', '100% Cat'],
      ['tags', 'x,y'],
      ['user_metadata', '{"n":1,"list":["q",2]}'],
    );
    await add(api, randomBytes(9), ['name', 'a_dog'], ['tags', 'x'], ['user_metadata', '{"n":"1"}']);
    await finish(api, {
      '1': { class_type: 'EmptyImage', inputs: { width: 4, height: 4, batch_size: 1, color: 9 } },
      '2': { class_type: 'PreviewImage', inputs: { images: ['1', 0] } },
    });
    const noted = (filter: object) => `metadata_filter=${encodeURIComponent(JSON.stringify(filter))}`;
    for (const [query, expected] of [
      ['', ['a_dog', '100% Cat']],
      ['include_public=true', ['a_dog', '100% Cat']],
      ['tags_all=x,y', ['100% Cat']],
      ['tags_all=x&tags_all=y', ['100% Cat']],
      ['tags_all=X', []],
      ['tags_any=y,none', ['100% Cat']],
      ['tags_none=y', ['a_dog']],
      ['include_tags=x&exclude_tags=y', ['a_dog']],
      ['name_contains=cAT', ['100% Cat']],
      ['name_contains=0%25', ['100% Cat']],
      ['name_contains=_', ['a_dog']],
      ['name_contains=%25%25', []],
      [noted({ n: 1 }), ['100% Cat']],
      [noted({ n: '1' }), ['a_dog']],
      [noted({ n: [1, '1'] }), ['a_dog', '100% Cat']],
      [noted({ list: 2 }), ['100% Cat']],
      [noted({ list: null }), ['a_dog']],
      [`hash=${cat.hash}`, ['100% Cat']],
      [`hash=${NO_HASH}`, []],
    ] as const) {
      assert.deepEqual(await names(api, query), expected, query);
    }
    assert.equal((await page(api, 'tags_any=temp')).total, 1);
    assert.equal((await page(api, 'tags_any=temp,x')).total, 3);
    for (const query of [
      'tags_all=a&include_tags=a',
      'tags_all=a&tags_none=a',
      `tags_any=${Array.from({ length: 101 }, (_, index) => `t${index}`).join(',')}`,
      'metadata_filter=%7B',
      'metadata_filter=[]',
      noted({ n: {} }),
      'hash=blake3:x',
      'hash=..%2Fcat.png',
      'name_contains=%00',
    ]) {
      assert.equal((await api.get(`/api/assets?${query}`)).status, 400, query.slice(0, 60));
    }
  });

  test('[AST-20] the editor finds by its path whether the file in a node is there', async () => {
    const { api } = await newSubmitter(server.current);
    const { api: stranger } = await newSubmitter(server.current);
    const upload = await add(api, randomBytes(9), ['name', 'upload']);
    const { outputs } = await finish(api, {
      '1': { class_type: 'EmptyImage', inputs: { width: 4, height: 4, batch_size: 1, color: 9 } },
      '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'sub/pic' } },
    });
    const picture = outputs['2']?.['images']?.[0]?.filename ?? '';
    for (const [path, expected] of [
      [upload.loader_path, ['upload']],
      [`sub/${picture}`, [picture]],
      [picture, []],
      ['nope.png', []],
    ] as const) {
      const query = `limit=1&hash=${encodeURIComponent(path)}`;
      assert.deepEqual(await names(api, query), expected, path);
      assert.deepEqual(await names(stranger, query), [], path);
    }
  });
});
