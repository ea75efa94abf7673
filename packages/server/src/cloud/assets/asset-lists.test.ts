import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import type { AssetPage } from '@atelier/contracts';
import { sql } from 'kysely';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { decodeCursor } from '../../platform/http/cursor.ts';
import { plansOf } from '../queue/test/plans-of.ts';
import { readFilter } from './asset-filter.ts';
import { listAssetIds } from './asset-list.repo.ts';
import { createAssetsService } from './assets.service.ts';
import { anAsset } from './test/an-asset.ts';

const INVALID = { code: 'request.invalid' };

onEachDatabase('lists of assets', (db, engine) => {
  const neverAsked = async () => await Promise.reject(new Error('not asked for'));
  const list = async (query: Parameters<ReturnType<typeof assets>['list']>[1] = {}) =>
    await assets().list(userId, query);
  const assets = () =>
    createAssetsService({
      db: db(),
      clock: () => 5000,
      files: { copy: neverAsked, remove: neverAsked },
      linkTo: neverAsked,
      measured: async (rows) => rows,
    });
  const names = ({ assets: found }: AssetPage) => found.map(({ name }) => name);
  let userId = '';
  beforeEach(async () => {
    userId = (await aUser(db())).id;
  });
  const add = async (columns: Omit<Parameters<typeof anAsset>[1], 'user_id'>) =>
    await anAsset(db(), { user_id: userId, ...columns });

  /** Every name on the way through all pages. */
  async function walk(query: Parameters<typeof list>[0], between?: (page: number) => Promise<unknown>) {
    const found: string[] = [];
    let after: string | undefined;
    for (let page = 0; page < 50; page += 1) {
      const answer = await list({ ...query, ...(after !== undefined && { after }) });
      found.push(...names(answer));
      assert.equal(answer.has_more, answer.next_cursor !== undefined);
      if (answer.next_cursor === undefined) return found;
      after = answer.next_cursor;
      await between?.(page);
    }
    throw new Error('the pages have no end');
  }

  it('[AST-1] have all known fields of an asset, and no empty ones', async () => {
    const row = await add({
      subfolder: 'sub',
      file_name: 'a.png',
      job_id: 'j',
      user_metadata: '{"a":null}',
      tags: ['b', 'a'],
    });
    const other = await add({ folder: 'input', file_name: 'b.txt', media_type: 'text/plain', created_at: 2 });
    assert.deepEqual(await list(), {
      assets: [
        {
          id: row.id,
          name: 'cat.png',
          display_name: 'cat.png',
          hash: `blake3:${row.blake3}`,
          asset_hash: `blake3:${row.blake3}`,
          size: 5,
          mime_type: 'image/png',
          tags: ['a', 'b', 'output'],
          user_metadata: { a: null },
          metadata: {},
          preview_url: '/api/view?type=output&filename=a.png&subfolder=sub',
          thumbnail_url: `/api/assets/${row.id}/preview`,
          loader_path: 'sub/a.png [output]',
          file_path: 'output/sub/a.png',
          job_id: 'j',
          prompt_id: 'j',
          is_immutable: false,
          created_at: '1970-01-01T00:00:01.000Z',
          updated_at: '1970-01-01T00:00:01.000Z',
          last_access_time: '1970-01-01T00:00:01.000Z',
        },
        {
          id: other.id,
          name: 'cat.png',
          display_name: 'cat.png',
          hash: `blake3:${other.blake3}`,
          asset_hash: `blake3:${other.blake3}`,
          size: 5,
          mime_type: 'text/plain',
          tags: ['input'],
          user_metadata: {},
          metadata: {},
          loader_path: 'b.txt',
          file_path: 'input/b.txt',
          is_immutable: false,
          created_at: '1970-01-01T00:00:00.002Z',
          updated_at: '1970-01-01T00:00:01.000Z',
          last_access_time: '1970-01-01T00:00:01.000Z',
        },
      ],
      total: 2,
      has_more: false,
    });
  });

  it('[AST-1] show the preview of an asset, while it exists and belongs to the same user', async () => {
    const preview = await add({ name: 'preview.webp', media_type: 'image/webp', folder: 'temp' });
    const foreign = await anAsset(db(), { user_id: (await aUser(db())).id });
    await add({ name: 'film', media_type: 'video/mp4', preview_id: preview.id, created_at: 3 });
    await add({ name: 'gone', media_type: 'video/mp4', preview_id: foreign.id, created_at: 2 });
    const [film, gone] = (await list()).assets;
    assert.equal(film?.preview_id, preview.id);
    assert.equal(film.preview_url, `/api/view?type=temp&filename=${preview.file_name}`);
    assert.equal(gone?.preview_id, undefined);
    assert.equal(gone?.preview_url, undefined);
  });

  it('[AST-2] [AST-3] are sorted by each column in both orders, ties by id, and paged by cursor through all of them', async () => {
    for (const [index, name] of ['b', 'A', 'a', 'é', 'B', 'a'].entries()) {
      await add({
        name,
        size: index % 2,
        created_at: 1000 + (index % 3),
        updated_at: 9,
        last_access_at: index,
      });
    }
    assert.deepEqual(await walk({ sort: 'name', order: 'asc', limit: 1 }), ['A', 'B', 'a', 'a', 'b', 'é']);
    assert.deepEqual(await walk({ sort: 'name', order: 'desc', limit: 2 }), ['é', 'b', 'a', 'a', 'B', 'A']);
    assert.deepEqual(await walk({ sort: 'size', order: 'asc', limit: 1 }), ['b', 'a', 'B', 'A', 'é', 'a']);
    assert.deepEqual(await walk({ sort: 'created_at', limit: 1 }), ['a', 'a', 'B', 'A', 'é', 'b']);
    assert.deepEqual(await walk({ sort: 'updated_at', order: 'asc', limit: 4 }), [
      'b',
      'A',
      'a',
      'é',
      'B',
      'a',
    ]);
    assert.deepEqual(names(await list({ sort: 'last_access_time', limit: 2 })), ['a', 'B']);
  });

  it('[AST-3] are stable while others are added and removed between the pages', async () => {
    for (let index = 0; index < 6; index += 1)
      await add({ name: `n${index}`, created_at: 1000 + (index >> 1) });
    const found = await walk({ limit: 2 }, async (page) => {
      // Newer ones, which belong before the place that was reached.
      await add({ name: 'new', created_at: 5000 + page });
    });
    assert.deepEqual(found, ['n5', 'n4', 'n3', 'n2', 'n1', 'n0']);
    const rest = await walk({ limit: 2, sort: 'name', order: 'asc', name_contains: 'n' }, async () => {
      await db().deleteFrom('assets').where('user_id', '=', userId).where('name', '=', 'n1').execute();
    });
    // The row that the cursor was made of is gone, and the next page begins behind its place.
    assert.deepEqual(rest, ['n0', 'n1', 'n2', 'n3', 'n4', 'n5', 'new', 'new']);
  });

  it('[AST-2] count all pages, and page by offset too', async () => {
    for (let index = 0; index < 5; index += 1) await add({ name: `n${index}`, created_at: index });
    const page = await list({ limit: 2, offset: 1 });
    assert.deepEqual([names(page), page.total, page.has_more], [['n3', 'n2'], 5, true]);
    const last = await list({ limit: 2, offset: 3 });
    assert.deepEqual(
      [names(last), last.total, last.has_more, last.next_cursor],
      [['n1', 'n0'], 5, false, undefined],
    );
    assert.deepEqual(names(await list({ offset: 9 })), []);
  });

  it('[AST-3] give cursors with microseconds that are valid for their own order only', async () => {
    const rows = [await add({ created_at: 1001 }), await add({ created_at: 1002 })];
    const { next_cursor: after = '' } = await list({ limit: 1 });
    const expected = { sort: 'created_at', order: 'desc', value: '1002000', id: rows[1]?.id };
    assert.deepEqual(decodeCursor(after, { sort: 'created_at', order: 'desc' }), expected);
    await assert.rejects(list({ after, order: 'asc' }), INVALID);
    await assert.rejects(list({ after, sort: 'updated_at' }), INVALID);
    await assert.rejects(list({ after, sort: 'last_access_time' }), INVALID);
    const tell = (cursor: object) => Buffer.from(JSON.stringify(cursor)).toString('base64url');
    const good = { s: 'created_at', v: '1002000', id: 'x', o: 'desc' };
    assert.equal(names(await list({ after: tell(good) })).length, 1 + Number((rows[1]?.id ?? '') < 'x'));
    for (const bad of [
      '',
      'x',
      '%%%',
      after.slice(0, -3),
      'A'.repeat(8193),
      tell([]),
      tell({ ...good, v: 1002000 }),
      tell({ ...good, v: 'soon' }),
      tell({ ...good, v: '99999999999999999' }),
      tell({ ...good, id: '' }),
      tell({ ...good, id: 'a\0' }),
      tell({ ...good, o: undefined }),
    ]) {
      await assert.rejects(list({ after: bad }), INVALID, bad);
    }
    assert.deepEqual(names(await list({ after: tell({ ...good, v: '-5' }) })), []);
  });

  it('[AST-4] are filtered by tags: all, any, none, case-sensitively', async () => {
    await add({ name: 'ab', tags: ['a', 'b'], created_at: 3 });
    await add({ name: 'a', tags: ['a'], created_at: 2, folder: 'input' });
    await add({ name: 'none', created_at: 1 });
    const found = async (query: Parameters<typeof list>[0]) => {
      const page = await list(query);
      assert.equal(page.total, page.assets.length);
      return names(page);
    };
    assert.deepEqual(await found({ tags_all: 'a' }), ['ab', 'a']);
    assert.deepEqual(await found({ tags_all: 'a, b' }), ['ab']);
    assert.deepEqual(await found({ tags_all: ['a', 'output'] }), ['ab']);
    assert.deepEqual(await found({ tags_all: 'A' }), []);
    assert.deepEqual(await found({ tags_any: ['b,x', 'input'] }), ['ab', 'a']);
    assert.deepEqual(await found({ tags_none: 'b' }), ['a', 'none']);
    assert.deepEqual(await found({ tags_all: 'a', tags_none: 'output' }), ['a']);
    assert.deepEqual(await found({ include_tags: 'a', exclude_tags: 'b' }), ['a']);
    assert.deepEqual(await found({ tags_all: '', tags_any: ',' }), ['ab', 'a', 'none']);
    for (const query of [
      { tags_all: 'a', include_tags: 'a' },
      { tags_none: 'a', exclude_tags: 'b' },
      { tags_all: 'a', tags_none: 'b,a' },
      { include_tags: 'a', tags_none: 'a' },
      { tags_any: Array.from({ length: 101 }, (_, index) => `t${index}`) },
      { tags_any: 'a\0' },
      { name_contains: 'a\0' },
      { hash: 'blake3:1' },
      { hash: '' },
      { hash: '../cat.png' },
      { metadata_filter: '[]' },
      { metadata_filter: '{"a":{}}' },
      { metadata_filter: String.raw`{"a":"\u0000"}` },
      { metadata_filter: String.raw`{"a":"\ud800"}` },
      { metadata_filter: 'a' },
    ]) {
      await assert.rejects(list(query), INVALID, JSON.stringify(query));
    }
  });

  it('[AST-4] leave out temporary files unless a tag asks for them', async () => {
    await add({ name: 'soon gone', folder: 'temp', tags: ['a'] });
    await add({ name: 'stays', created_at: 1, tags: ['a'] });
    assert.deepEqual(names(await list({ tags_all: 'a' })), ['stays']);
    assert.deepEqual(names(await list({ tags_all: 'temp' })), ['soon gone']);
    assert.deepEqual(names(await list({ tags_any: 'temp,output' })), ['soon gone', 'stays']);
  });

  it('are read in the order of an index that leaves temporary files out', async () => {
    for (let index = 0; index < 500; index += 1)
      await add({
        name: `n${index}`,
        size: index,
        updated_at: index,
        folder: index % 50 === 0 ? 'output' : 'temp',
      });
    await sql`${sql.raw(engine === 'postgres' ? 'vacuum analyze assets' : 'analyze assets')}`.execute(db());
    const page = { order: 'desc', limit: 5, offset: 0 } as const;
    for (const [sort, index] of [
      ['updated_at', 'assets_by_change'],
      ['name', 'assets_by_name'],
      ['size', 'assets_by_size'],
    ] as const) {
      const plan = await plansOf(
        db(),
        async (on) => await listAssetIds(on, userId, readFilter({}), { ...page, sort }),
      );
      assert.match(plan, new RegExp(`\\b${index}\\b`), plan);
      assert.doesNotMatch(plan, /TEMP B-TREE|Sort/, plan);
    }
  });

  it('[AST-5] are searched by a part of the name, without wildcards', async () => {
    for (const [index, name] of ['100% Cat', '100 cats', 'a_b', 'É', String.raw`back\slash`].entries()) {
      await add({ name, created_at: 100 - index });
    }
    const found = async (part: string) => names(await list({ name_contains: part }));
    assert.deepEqual(await found('CAT'), ['100% Cat', '100 cats']);
    assert.deepEqual(await found('0%'), ['100% Cat']);
    assert.deepEqual(await found('a_'), ['a_b']);
    assert.deepEqual(await found('É'), ['É']);
    assert.deepEqual(await found('é'), []);
    assert.deepEqual(await found('k\\s'), [String.raw`back\slash`]);
    assert.deepEqual(await found("'"), []);
  });

  it('[AST-6] are filtered by metadata, and by the hash of the bytes', async () => {
    const noted = {
      text: 'a',
      number: 1.5,
      yes: true,
      nothing: null,
      list: ['x', 2],
      deep: { text: 'a' },
      'a"b.c': 'q',
    };
    const row = await add({ name: 'noted', user_metadata: JSON.stringify(noted) });
    await add({ name: 'other', created_at: 1, user_metadata: '{"text":"b","number":"1.5"}' });
    const found = async (filter: object) => names(await list({ metadata_filter: JSON.stringify(filter) }));
    assert.deepEqual(await found({ text: 'a' }), ['noted']);
    assert.deepEqual(await found({ text: ['a', 'b'] }), ['noted', 'other']);
    assert.deepEqual(await found({ text: [] }), []);
    assert.deepEqual(await found({ number: 1.5 }), ['noted']);
    assert.deepEqual(await found({ number: '1.5' }), ['other']);
    assert.deepEqual(await found({ yes: true }), ['noted']);
    assert.deepEqual(await found({ yes: false }), []);
    assert.deepEqual(await found({ yes: 1 }), []);
    assert.deepEqual(await found({ nothing: null }), ['noted', 'other']);
    assert.deepEqual(await found({ yes: null }), ['other']);
    assert.deepEqual(await found({ list: 2 }), ['noted']);
    assert.deepEqual(await found({ list: 'x', text: 'a' }), ['noted']);
    assert.deepEqual(await found({ list: '2' }), []);
    assert.deepEqual(await found({ deep: 'a' }), []);
    assert.deepEqual(await found({ 'a"b.c': 'q' }), ['noted']);
    assert.deepEqual(await found({}), ['noted', 'other']);
    assert.deepEqual(names(await list({ hash: `BLAKE3:${row.blake3.toUpperCase()}` })), ['noted']);
  });

  it('[AST-20] are searched by the path of a file, in whichever folder', async () => {
    await add({ name: 'top', file_name: 'a.png', folder: 'input' });
    await add({ name: 'below', file_name: 'a.png', subfolder: 'sub/deep', created_at: 900 });
    await add({ name: 'soon gone', file_name: 'a.png', folder: 'temp', created_at: 800 });
    await anAsset(db(), { user_id: (await aUser(db())).id, file_name: 'theirs.png' });
    const found = async (hash: string) => names(await list({ hash }));
    assert.deepEqual(await found('a.png'), ['top', 'soon gone']);
    assert.deepEqual(await found('sub/deep/a.png'), ['below']);
    for (const path of ['A.png', 'deep/a.png', 'sub', 'theirs.png', 'Loading...']) {
      assert.deepEqual(await found(path), [], path);
    }
  });

  it('[AST-7] are of one user', async () => {
    await anAsset(db(), { user_id: (await aUser(db())).id, tags: ['a'] });
    assert.deepEqual(await list({ tags_any: 'a,output' }), { assets: [], total: 0, has_more: false });
  });
});
