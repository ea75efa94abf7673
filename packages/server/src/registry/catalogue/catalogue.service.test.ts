import assert from 'node:assert/strict';
import { test } from 'node:test';

import { aPack, aPublisher } from '../../../test/support/a-pack.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import type { Db } from '../../platform/db/database.ts';
import { refreshPack } from '../packs/change-pack.ts';
import { emptyPack } from '../packs/pack-columns.ts';
import { addDownloads, updatePack } from '../packs/packs.repo.ts';
import { bumpRevision, readRevision } from './catalogue.repo.ts';
import { createCatalogueService, type ListQuery } from './catalogue.service.ts';
import { createCatalogueCache } from './catalogue-cache.ts';

interface Page {
  readonly total: number;
  readonly nodes: readonly { readonly id: string; readonly downloads: number }[];
}

onEachDatabase('pages of the catalogue', (db) => {
  const aCatalogue = () => {
    let now = 1000;
    const cache = createCatalogueCache({
      clock: () => now,
      readRevision: async () => await readRevision(db()),
      revisionMaxAgeMs: Number.POSITIVE_INFINITY,
      maxBytes: 10_000_000,
    });
    const catalogue = createCatalogueService({ db: db(), cache, links: { downloadUrl: () => 'nowhere' } });
    const list = async (query: Partial<ListQuery>, options?: { latest: boolean }): Promise<Page> => {
      const wanted = { page: 1, limit: 1000, sort: [], includeBanned: false, ...query };
      return JSON.parse((await catalogue.list(wanted, options)).body.toString());
    };
    return {
      list,
      catalogue,
      later: (ms: number) => {
        now += ms;
      },
    };
  };

  test('show one state of it when another server changes it between two reads', async () => {
    const ids: string[] = [];
    for (let count = 0; count < 70; count += 1) ids.push(await aPack(db()));
    const { list } = aCatalogue();
    const { total } = await list({ limit: 10 });
    // Nobody tells this server; what it has not rendered yet it reads only now.
    const last = ids.at(-1) ?? '';
    await updatePack(db(), last, { status: 'deleted' });
    await refreshPack(db(), last, 2);
    const all = await list({ limit: 1000 });
    assert.equal(all.total, total - 1);
    assert.equal(all.nodes.length, total - 1);
    assert.ok(all.nodes.every(({ id }) => id !== last));
  });

  test('[REG-114] exported while packs are banned and given back have every other pack once', async () => {
    const publisherId = await aPublisher(db());
    const turning: string[] = [];
    for (let count = 0; count < 5; count += 1) turning.push(await aPack(db(), { publisher_id: publisherId }));
    await manyPacks(db(), publisherId, 1700);
    /** By a server with an empty cache. */
    const exported = async () => {
      const { total, nodes }: Page = JSON.parse((await aCatalogue().catalogue.export()).body.toString());
      assert.equal(total, nodes.length);
      return nodes.map(({ id }) => id);
    };
    const others = (ids: readonly string[]) => ids.filter((id) => !turning.includes(id));
    const before = others(await exported());
    assert.ok(before.length >= 1700);
    const done = new AbortController();
    const writing = (async () => {
      for (let turn = 0; !done.signal.aborted; turn += 1) {
        const status = turn % 10 < 5 ? 'banned' : 'active';
        await updatePack(db(), turning[turn % 5] ?? '', { status });
        await refreshPack(db(), turning[turn % 5] ?? '', 2);
        // Requests are answered between two writes.
        await new Promise(setImmediate);
      }
    })();
    try {
      for (let round = 0; round < 8; round += 1) {
        const seen = await exported();
        assert.equal(new Set(seen).size, seen.length, 'a pack is there twice');
        assert.deepEqual(others(seen), before);
      }
    } finally {
      done.abort();
      await writing;
    }
  });

  test('[REG-115] of a publisher come all at once, however many they are', async () => {
    const publisherId = await aPublisher(db());
    await manyPacks(db(), publisherId, 1203);
    const banned = await aPack(db(), { publisher_id: publisherId, status: 'banned' });
    const { catalogue } = aCatalogue();
    const nodes = await catalogue.ofPublisher(publisherId, false);
    assert.equal(new Set(nodes.map(({ id }) => id)).size, 1203);
    assert.equal(nodes.length, 1203);
    const all = await catalogue.ofPublisher(publisherId, true);
    assert.equal(all.length, 1204);
    assert.ok(all.some(({ id }) => id === banned));
  });

  test('[REG-112] have one tag, whether or not somebody asked for the counts of this moment', async () => {
    const publisherId = await aPublisher(db());
    await manyPacks(db(), publisherId, 40);
    const { catalogue } = aCatalogue();
    const query = { page: 1, limit: 30, sort: [], includeBanned: false, publisherId };
    const { tag } = await catalogue.list(query);
    assert.equal((await catalogue.list(query, { latest: true })).tag, tag);
    assert.equal((await catalogue.list(query)).tag, tag);
    assert.equal((await aCatalogue().catalogue.list(query)).tag, tag);
  });

  test('have counts that are at most a minute old, and of this moment for who asks for that', async () => {
    const id = await aPack(db());
    const { list, later } = aCatalogue();
    const downloads = async (options?: { latest: boolean }) =>
      (await list({ ids: [id] }, options)).nodes[0]?.downloads;
    assert.equal(await downloads(), 0);
    await addDownloads(db(), id, 3);
    assert.equal(await downloads(), 0);
    assert.equal(await downloads({ latest: true }), 3);
    assert.equal(await downloads(), 3);
    await addDownloads(db(), id, 1);
    later(60_000);
    assert.equal(await downloads(), 4);
  });

  test('sorted by downloads show counts in that order whatever was rendered before', async () => {
    const ids = [await aPack(db()), await aPack(db())];
    const [first = '', second = ''] = ids;
    const { list } = aCatalogue();
    await addDownloads(db(), first, 1);
    assert.equal((await list({ ids })).nodes.length, 2);
    await addDownloads(db(), second, 2);
    const { nodes } = await list({ ids, sort: ['downloads;desc'] });
    assert.deepEqual(
      nodes.map(({ id, downloads }) => [id, downloads]),
      [
        [second, 2],
        [first, 1],
      ],
    );
  });
});

/** Inserted in a few statements. */
async function manyPacks(db: Db, publisherId: string, count: number): Promise<void> {
  const packs = Array.from({ length: count }, (_, n) =>
    emptyPack(`${publisherId}-${n}`, publisherId, 10 + n),
  );
  for (let from = 0; from < count; from += 500) {
    await db
      .insertInto('packs')
      .values(packs.slice(from, from + 500))
      .execute();
  }
  await bumpRevision(db);
}
