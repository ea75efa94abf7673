import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { anAsset } from './test/an-asset.ts';
import { anAssetCaller, read } from './test/asset-caller.ts';

onEachDatabase('tags', (db) => {
  const caller = anAssetCaller(db);

  it('[AST-15] [AST-16] adds and removes tags, and reports each result', async () => {
    const { id, updated_at: earlier } = await caller.upload();
    caller.server.time.now += 5000;
    const added = await read<object>(
      await caller.call('POST', `/assets/${id}/tags`, { tags: ['b', ' a ', 'b', 'input'] }),
    );
    assert.deepEqual(added, {
      added: ['b', 'a'],
      already_present: ['input'],
      total_tags: ['a', 'b', 'input'],
    });
    assert.ok((await read(await caller.call('GET', `/assets/${id}`))).updated_at > earlier);
    const removed = await read<object>(
      await caller.call('DELETE', `/assets/${id}/tags`, { tags: ['a', 'x', 'input'] }),
    );
    assert.deepEqual(removed, {
      removed: ['a'],
      not_present: ['x'],
      protected: ['input'],
      total_tags: ['b', 'input'],
    });
    for (const tags of [[], ['x'.repeat(129)], ['a,b'], ['a\u0007'], ['output'], [5], 'a', undefined]) {
      assert.equal(
        (await caller.call('POST', `/assets/${id}/tags`, { tags })).status,
        400,
        JSON.stringify(tags),
      );
    }
    const many = Array.from({ length: 98 }, (_, index) => `t${index}`);
    assert.equal((await caller.call('POST', `/assets/${id}/tags`, { tags: many })).status, 200);
    assert.equal((await caller.call('POST', `/assets/${id}/tags`, { tags: ['one more'] })).status, 400);
    assert.equal((await caller.call('POST', `/assets/${id}/tags`, { tags: ['t1'] })).status, 200);
  });

  it('[AST-15] never gives an asset more tags than it may have, however many callers add at once', async () => {
    const { id } = await caller.upload();
    const calls = Array.from({ length: 6 }, async (_, adder) => {
      const tags = Array.from({ length: 33 }, (__, index) => `${adder}-${index}`);
      return (await caller.call('POST', `/assets/${id}/tags`, { tags })).status;
    });
    assert.deepEqual((await Promise.all(calls)).toSorted(), [200, 200, 200, 400, 400, 400]);
    assert.equal((await read(await caller.call('GET', `/assets/${id}`))).tags.length, 100);
  });

  it('[AST-17] [AST-18] counts the tags of a user, in pages and for a filter', async () => {
    await anAsset(db(), { user_id: caller.userId, tags: ['a', 'b'] });
    await anAsset(db(), {
      user_id: caller.userId,
      tags: ['a', 'Ab', '__proto__'],
      folder: 'input',
      user_metadata: '{"x":1}',
    });
    await anAsset(db(), { user_id: caller.userId, tags: ['soon'], folder: 'temp' });
    await anAsset(db(), { user_id: (await aUser(db())).id, tags: ['foreign'] });
    type Tags = { tags: { name: string; count: number }[]; total: number; has_more: boolean };
    const tags = async (query = '') => await read<Tags>(await caller.call('GET', `/tags?${query}`));
    const all = await tags();
    assert.deepEqual(
      all.tags.map(({ name, count }) => `${name} ${count}`),
      ['a 2', 'Ab 1', '__proto__ 1', 'b 1', 'input 1', 'output 1'],
    );
    assert.deepEqual([all.total, all.has_more], [6, false]);
    const page = await tags('order=name_asc&limit=2&offset=1&include_zero=true');
    assert.deepEqual(page, {
      tags: [
        { name: '__proto__', count: 1 },
        { name: 'a', count: 2 },
      ],
      total: 6,
      has_more: true,
    });
    assert.deepEqual(await tags('offset=6'), { tags: [], total: 6, has_more: false });
    assert.deepEqual((await tags('prefix=a')).tags, [{ name: 'a', count: 2 }]);
    assert.deepEqual((await tags('prefix=%25')).tags, []);
    assert.equal((await caller.call('GET', '/tags?prefix=%00')).status, 400);
    assert.equal((await caller.call('GET', '/tags?limit=1001')).status, 400);
    const refined = await caller.call(
      'GET',
      `/assets/tags/refine?tags_all=a&metadata_filter=${encodeURIComponent('{"x":1}')}`,
    );
    assert.equal(await refined.text(), '{"tag_counts":{"Ab":1,"__proto__":1,"a":1,"input":1}}');
    assert.equal((await caller.call('GET', '/assets/tags/refine?limit=0')).status, 400);
  });
});
