import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aPack } from '../../test/support/a-pack.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { readRevision } from './catalogue.repo.ts';
import { createCatalogueService, type ListQuery } from './catalogue.service.ts';
import { createCatalogueCache } from './catalogue-cache.ts';
import { addDownloads, updatePack } from './packs.repo.ts';
import { refreshPack } from './refresh-pack.ts';

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
      believeMs: Number.POSITIVE_INFINITY,
      maxBytes: 10_000_000,
    });
    const catalogue = createCatalogueService({ db: db(), cache, links: { downloadUrl: () => 'nowhere' } });
    const list = async (query: Partial<ListQuery>, options?: { anew: boolean }): Promise<Page> => {
      const wanted = { page: 1, limit: 1000, sort: [], includeBanned: false, ...query };
      return JSON.parse((await catalogue.list(wanted, options)).plain().toString());
    };
    return {
      list,
      later: (ms: number) => {
        now += ms;
      },
    };
  };

  it('show one state of it when another server changes it between two reads', async () => {
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

  it('have counts that are at most a minute old, and of this moment for who asks for that', async () => {
    const id = await aPack(db());
    const { list, later } = aCatalogue();
    const downloads = async (options?: { anew: boolean }) =>
      (await list({ ids: [id] }, options)).nodes[0]?.downloads;
    assert.equal(await downloads(), 0);
    await addDownloads(db(), id, 3);
    assert.equal(await downloads(), 0);
    assert.equal(await downloads({ anew: true }), 3);
    assert.equal(await downloads(), 3);
    await addDownloads(db(), id, 1);
    later(60_000);
    assert.equal(await downloads(), 4);
  });

  it('sorted by downloads show counts in that order whatever was rendered before', async () => {
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
