import assert from 'node:assert/strict';
import { it } from 'node:test';
import { CompiledQuery } from 'kysely';

import { aPack, aPublisher, aVersion } from '../../../test/support/a-pack.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import type { Db } from '../../platform/db/database.ts';
import { putInnerNodes } from '../inner-nodes/inner-nodes.repo.ts';
import { refreshPack } from '../packs/change-pack.ts';
import * as repo from './catalogue.repo.ts';
import { queryWords } from './pack-search-text.ts';

const ALL = { includeBanned: false };
const FIRST = { offset: 0, limit: 100 };

onEachDatabase('the catalogue', (db, engine) => {
  const found = async (query: string, filter: repo.PackFilter = ALL) =>
    (await repo.searchPacks(db(), queryWords(query), filter, FIRST)).packs.map(({ id }) => id);
  const listed = async (
    filter: Partial<repo.PackFilter>,
    sort: Parameters<typeof repo.listPacks>[2]['sort'] = [],
  ) => (await repo.listPacks(db(), { ...ALL, ...filter }, { ...FIRST, sort })).packs.map(({ id }) => id);

  it('finds packs by the beginning of any word, in any case and without accents', async () => {
    const id = await aPack(db(), {
      id: 'zebra-upscaler',
      name: 'Zèbra Ultimate',
      description: 'striped pictures',
    });
    for (const query of ['zebra', 'ZEB', 'zèbr', 'ultim', 'striped', 'zebra pict', 'upscal']) {
      assert.deepEqual(await found(query), [id], query);
    }
    assert.deepEqual(await found('ebra'), []);
    assert.deepEqual(await found('zebra missing'), []);
  });

  it('finds packs by author, tag, publisher and the parts of an inner node name', async () => {
    const publisherId = await aPublisher(db());
    const id = await aPack(db(), { publisher_id: publisherId, author: 'Quentin', tags: '["watercolour"]' });
    const versionId = await aVersion(db(), id, '1.0.0');
    const node = { version_id: versionId, name: 'KSamplerFrobnicateXL', category: null, description: null };
    const rest = { function: null, deprecated: 0, experimental: 0, input_types: null, return_types: null };
    await putInnerNodes(db(), versionId, [{ ...node, ...rest, return_names: null, output_is_list: null }]);
    await refreshPack(db(), id, 2);
    for (const query of ['quentin', 'watercol', 'frobnicate', 'ksamplerfrob', publisherId]) {
      assert.deepEqual(await found(query), [id], query);
    }
  });

  it('puts a hit in the name before one in the description', async () => {
    const inText = await aPack(db(), { name: 'Other', description: 'about marmalade' });
    const inName = await aPack(db(), { name: 'Marmalade' });
    assert.deepEqual(await found('marmalade'), [inName, inText]);
  });

  it('treats operators of the query languages as plain words', async () => {
    for (const query of [
      'a OR b',
      'NEAR(a b)',
      '"quoted',
      'x* AND -y',
      "o'brien; drop table packs",
      'a:b & !c | (d)',
    ]) {
      await assert.doesNotReject(found(query), query);
    }
  });

  it('forgets packs that are banned or deleted, and hides those of a banned publisher', async () => {
    const id = await aPack(db(), { name: 'Vanisher' });
    assert.deepEqual(await found('vanisher'), [id]);
    const banned = await aPack(db(), { name: 'Vanisher too', status: 'banned' });
    assert.deepEqual(await found('vanisher'), [id]);
    assert.equal((await listed({ ids: [banned] })).length, 0);
    assert.deepEqual(await listed({ ids: [banned], includeBanned: true }), [banned]);
  });

  it('filters by system, accelerator, time, repository and id', async () => {
    const publisherId = await aPublisher(db());
    const linux = await aPack(db(), {
      publisher_id: publisherId,
      supported_os: '["Linux","OS_100%"]',
      at: 100,
    });
    const any = await aPack(db(), { publisher_id: publisherId, at: 200 });
    const windows = await aPack(db(), { publisher_id: publisherId, supported_os: '["Windows"]', at: 300 });
    const of = async (filter: Partial<repo.PackFilter>) => await listed({ publisherId, ...filter });
    assert.deepEqual(await of({}), [linux, any, windows]);
    assert.deepEqual(await of({ supportedOs: 'linux' }), [linux, any]);
    assert.deepEqual(await of({ supportedOs: 'OS_100%' }), [linux, any]);
    assert.deepEqual(await of({ supportedOs: '%' }), [any]);
    assert.deepEqual(await of({ since: 200 }), [windows]);
    assert.deepEqual(await of({ ids: [windows, 'nobody'] }), [windows]);
    assert.equal(
      (await repo.listPacks(db(), { ...ALL, publisherId, supportedOs: 'windows' }, { ...FIRST, sort: [] }))
        .total,
      2,
    );
  });

  // PostgreSQL has statistics, and chooses by them.
  if (engine === 'sqlite') {
    it('looks up packs by their ids without a scan', async () => {
      for (const ids of [['a'], ['a', 'b', 'c'], Array.from({ length: 200 }, (_, n) => `pack-${n}`)]) {
        for (const includeBanned of [false, true]) {
          const plan = await planOf(db(), async (watched) => {
            await repo.listPackKeys(watched, { ids, includeBanned });
          });
          assert.match(plan, /SEARCH packs USING INDEX \S+ \(id_key=\?\)/, String(ids.length));
          assert.doesNotMatch(plan, /packs_by_/);
        }
      }
    });
  }

  it('sorts by several columns, and by rating with the unrated last', async () => {
    const publisherId = await aPublisher(db());
    const make = async (downloads: number, name: string, stars = 0) =>
      await aPack(db(), {
        publisher_id: publisherId,
        downloads,
        name,
        star_sum: stars,
        star_count: stars ? 1 : 0,
      });
    const [a, b, c] = [await make(5, 'b', 3), await make(9, 'a'), await make(5, 'a', 5)];
    const sorted = async (...sort: [repo.SortColumn, 'asc' | 'desc'][]) =>
      await listed(
        { publisherId },
        sort.map(([column, direction]) => ({ column, direction })),
      );
    assert.deepEqual(await sorted(['downloads', 'desc'], ['name', 'asc']), [b, c, a]);
    assert.deepEqual(await sorted(['rating', 'desc']), [c, a, b]);
    assert.deepEqual(await sorted(['rating', 'asc']), [b, a, c]);
  });

  it('counts every change of a pack in its revision', async () => {
    const before = await repo.readRevision(db());
    await aPack(db());
    assert.ok((await repo.readRevision(db())) > before);
  });
});

/** The query plan of SQLite. */
async function planOf(db: Db, read: (watched: Db) => Promise<void>): Promise<string> {
  const steps: string[] = [];
  const seen: CompiledQuery[] = [];
  const watched = db.withPlugin({
    transformQuery: ({ node, queryId }) => {
      seen.push(db.getExecutor().compileQuery(node, queryId));
      return node;
    },
    transformResult: async ({ result }) => result,
  });
  await read(watched);
  for (const query of seen) {
    const plan = CompiledQuery.raw(`explain query plan ${query.sql}`, [...query.parameters]);
    const { rows } = await db.executeQuery<{ detail: string }>(plan);
    steps.push(...rows.map(({ detail }) => detail));
  }
  return steps.join('\n');
}
