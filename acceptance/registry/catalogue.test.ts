import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  assertNoNull,
  newName,
  newStudio,
  newUser,
  publish,
  type Studio,
} from '../support/registry-publishing.ts';
import type { NodePage, PackNode } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

const COUNT = 25;

onEachEngine('catalogue', (server) => {
  let studio: Studio;
  /** In the order in which they were made. */
  const packs: string[] = [];
  before(async () => {
    studio = await newStudio(server.current);
    for (let index = 0; index < COUNT; index += 1) {
      const id = newName('pack');
      packs.push(id);
      const author = `Author ${index % 3}`;
      const node = { id, description: `Number ${index}.`, author, name: `Name ${(index * 7) % COUNT}` };
      const { status } = await studio.owner.post(`/publishers/${studio.id}/nodes`, node);
      assert.equal(status, 201);
    }
  });
  const anyone = () => client(server.current.url);
  const list = async (query: string) => (await anyone().get<NodePage>(`/nodes?${query}`)).body;
  const ids = (page: NodePage) => page.nodes.map(({ id }) => id);
  const ofStudio = async (query: string) =>
    (await anyone().get<NodePage>(`/publishers/${studio.id}/nodes/v2?${query}`)).body;

  test('[REG-103] a list says where it stands', async () => {
    const { status, body } = await anyone().get<NodePage>('/nodes');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).toSorted(), ['limit', 'nodes', 'page', 'total', 'totalPages']);
    assert.deepEqual([body.page, body.limit, body.nodes.length], [1, 10, 10]);
    assert.ok(body.total >= COUNT);
    assert.equal(body.totalPages, Math.ceil(body.total / 10));
    assertNoNull(body);
  });

  test('[REG-103] pages and limits below 1 count as absent, and limits above 1000 as 1000', async () => {
    const first = ids(await list(''));
    for (const query of ['page=0', 'page=-5', 'limit=0', 'limit=-1', 'page=0&limit=0']) {
      const body = await list(query);
      assert.deepEqual([body.page, body.limit], [1, 10], query);
      assert.deepEqual(ids(body), first);
    }
    assert.equal((await list('limit=5000')).limit, 1000);
    const far = await list('page=1000000&limit=7');
    assert.deepEqual([far.page, far.nodes], [1_000_000, []]);
    assert.ok(far.total >= COUNT);
    assert.deepEqual((await list('page=2&limit=7')).nodes.length, 7);
  });

  test('[REG-103] what is not a whole number, or too large for a page, gets 400', async () => {
    for (const query of [
      'page=x',
      'limit=ten',
      'page=1.5',
      'page=1&page=2',
      'limit=',
      'page=1000001',
      'include_banned=maybe',
    ]) {
      for (const path of ['/nodes', '/nodes/search', `/publishers/${studio.id}/nodes/v2`]) {
        const { status, body } = await anyone().get(`${path}?${query}`);
        assert.equal(status, 400, `${path}?${query}`);
        assertShape(body, 'error');
      }
    }
  });

  test('[REG-104] the pages have every node once', async () => {
    for (const limit of [1, 7, 10, COUNT, COUNT + 1]) {
      const seen: string[] = [];
      const { totalPages, total } = await ofStudio(`limit=${limit}`);
      assert.equal(total, COUNT);
      assert.equal(totalPages, Math.ceil(COUNT / limit));
      for (let page = 1; page <= totalPages; page += 1) {
        seen.push(...ids(await ofStudio(`limit=${limit}&page=${page}`)));
      }
      assert.deepEqual(seen, packs, `limit ${limit}`);
    }
  });

  test('[REG-104] a node that is added while somebody turns pages moves none', async () => {
    const { id: other, owner } = await newStudio(server.current);
    const make = async () => {
      const id = newName('pack');
      await owner.post(`/publishers/${other}/nodes`, { id });
      return id;
    };
    const page = async (number: number) =>
      ids((await anyone().get<NodePage>(`/publishers/${other}/nodes/v2?limit=2&page=${number}`)).body);
    const made = [await make(), await make(), await make()];
    const first = await page(1);
    made.push(await make());
    assert.deepEqual([...first, ...(await page(2))], made);
  });

  test('[REG-104] a node that was deleted and is there again stands where it stood', async () => {
    const { id: other, owner } = await newStudio(server.current);
    const own = `/publishers/${other}/nodes`;
    const made = [newName('pack'), newName('pack'), newName('pack')];
    for (const id of made) await owner.post(own, { id });
    const [, middle = ''] = made;
    const { created_at: createdAt } = (await anyone().get<PackNode>(`/nodes/${middle}`)).body;
    await owner.delete(`${own}/${middle}`);
    const again = await owner.post<PackNode>(own, { id: middle });
    assert.equal(again.status, 201);
    assert.equal(again.body.created_at, createdAt);
    assert.deepEqual(ids((await anyone().get<NodePage>(`${own}/v2`)).body), made);
  });

  test('[REG-105] nodes are sorted by one column or several, up or down', async () => {
    const only = packs.map((id) => `node_id=${id}`).join('&');
    const names = async (sort: string) =>
      (await list(`${only}&limit=100&${sort}`)).nodes.map(({ name }) => name);
    const up = await names('sort=name');
    assert.deepEqual(up, up.toSorted());
    assert.equal(up.length, COUNT);
    assert.deepEqual(await names('sort=name%3Bdesc'), up.toReversed());
    const pairs = (await list(`${only}&limit=100&sort=author%3Bdesc&sort=name`)).nodes.map(
      (node) => [(node as PackNode & { author: string }).author, node.name] as const,
    );
    const expected = pairs.toSorted(
      (left, right) => right[0].localeCompare(left[0]) || (left[1] < right[1] ? -1 : 1),
    );
    assert.deepEqual(pairs, expected);
    assert.deepEqual(ids(await list(`${only}&limit=100&sort=created_at`)), packs);
    assert.deepEqual(ids(await list(`${only}&limit=100&sort=created_at;desc`)), packs.toReversed());
    for (const sort of ['downloads', 'rating', 'search_ranking', 'github_stars', 'id', 'rating;desc']) {
      assert.equal((await list(`${only}&limit=100&sort=${sort}`)).nodes.length, COUNT, sort);
    }
  });

  test('[REG-105] an unknown order gets 400', async () => {
    for (const sort of ['color', 'name;up', 'name,id', '1;drop table packs', '']) {
      const { status, body } = await anyone().get(`/nodes?sort=${encodeURIComponent(sort)}`);
      assert.equal(status, 400, sort);
      assertShape(body, 'error');
    }
  });

  test('[REG-105] the rating sorts by the mean, and unrated nodes come last', async () => {
    const wanted = packs.slice(0, 3);
    const only = wanted.map((id) => `node_id=${id}`).join('&');
    await studio.owner.post(`/nodes/${wanted[1]}/reviews?star=2`);
    await studio.owner.post(`/nodes/${wanted[2]}/reviews?star=5`);
    assert.deepEqual(ids(await list(`${only}&sort=rating;desc`)), [wanted[2], wanted[1], wanted[0]]);
  });

  test('[REG-106] [REG-13] node_id selects one node or several', async () => {
    const [one = '', two = '', three = ''] = packs;
    assert.deepEqual(ids(await list(`node_id=${one}`)), [one]);
    const several = await list(`node_id=${three}&node_id=${one}&node_id=${two}&node_id=${newName()}`);
    assert.deepEqual(ids(several).toSorted(), [one, two, three].toSorted());
    assert.equal(several.total, 3);
    assert.deepEqual((await list(`node_id=${newName()}`)).nodes, []);
    const fifty = Array.from({ length: 50 }, () => `node_id=${newName()}`);
    assert.deepEqual(ids(await list(`${fifty.join('&')}&node_id=${one}`)), [one]);
  });

  test('[REG-107] a timestamp selects what was created or changed after it', async () => {
    const [old = '', changed = ''] = packs.slice(-2);
    const marker = newName('marker');
    await studio.owner.post(`/publishers/${studio.id}/nodes`, { id: marker });
    const { created_at: since } = (await anyone().get<PackNode>(`/nodes/${marker}`)).body;
    await studio.owner.put(`/publishers/${studio.id}/nodes/${changed}`, { description: 'Changed.' });
    const added = newName('pack');
    await publish(server.current, studio, added);
    const news = ids(await list(`timestamp=${encodeURIComponent(since)}&limit=1000`));
    assert.ok(news.includes(changed));
    assert.ok(news.includes(added));
    assert.equal(news.includes(old), false);
    assert.equal(news.includes(marker), false);
    const offset = since.replace('Z', '+00:00');
    assert.deepEqual(ids(await list(`timestamp=${encodeURIComponent(offset)}&limit=1000`)), news);
    assert.equal((await list('timestamp=2100-01-01T00:00:00Z')).total, 0);
    for (const wrong of [
      'yesterday',
      '2026-13-01T00:00:00Z',
      '2026-01-01',
      '1700000000',
      '',
      '2016-12-31T23:59:60Z',
      '2017-01-01T00:59:60+01:00',
    ]) {
      const { status, body } = await anyone().get(`/nodes?timestamp=${encodeURIComponent(wrong)}`);
      assert.equal(status, 400, wrong);
      assertShape(body, 'error');
    }
  });

  test('[REG-107] what happens to its publisher or its versions changes a node', async () => {
    const other = await newStudio(server.current);
    const id = newName('pack');
    const { node_version: version } = await publish(server.current, other, id);
    const since = async () => {
      const marker = newName('marker');
      await studio.owner.post(`/publishers/${studio.id}/nodes`, { id: marker });
      return (await anyone().get<PackNode>(`/nodes/${marker}`)).body.created_at;
    };
    const isNews = async (after: string) =>
      ids(await list(`timestamp=${encodeURIComponent(after)}&limit=1000&include_banned=true`)).includes(id);
    const changes: readonly (() => Promise<unknown>)[] = [
      async () =>
        await other.owner.put(`/publishers/${other.id}/nodes/${id}/versions/${version.id}`, {
          changelog: 'x',
        }),
      async () => await other.owner.post(`/nodes/${id}/reviews?star=5`),
      async () => await other.owner.put(`/publishers/${other.id}`, { name: 'Renamed' }),
      async () => await admin(server.current).post(`/publishers/${other.id}/ban`),
    ];
    for (const [index, change] of changes.entries()) {
      const before_ = await since();
      await change();
      assert.ok(await isNews(before_), `change ${index}`);
    }
  });

  test('[REG-108] support selects what names it, in any case, or names none', async () => {
    const { id: other, owner } = await newStudio(server.current);
    const make = async (word: string, node: object) => {
      const id = newName(word);
      await owner.post(`/publishers/${other}/nodes`, { id, ...node });
      return id;
    };
    const linux = await make('linux', { supported_os: ['Linux'], supported_accelerators: ['CUDA'] });
    const windows = await make('windows', { supported_os: ['Windows'], supported_accelerators: ['ROCm'] });
    const both = await make('both', { supported_os: ['Windows', 'Linux'] });
    const any = await make('any', {});
    const only = [linux, windows, both, any].map((id) => `node_id=${id}`).join('&');
    const select = async (query: string) => ids(await list(`${only}&${query}`)).toSorted();
    for (const os of ['Linux', 'linux', 'LINUX']) {
      assert.deepEqual(await select(`supported_os=${os}`), [linux, both, any].toSorted());
    }
    assert.deepEqual(await select('supported_accelerator=cuda'), [linux, both, any].toSorted());
    assert.deepEqual(
      await select('supported_os=windows&supported_accelerator=rocm'),
      [windows, both, any].toSorted(),
    );
    for (const sign of ['%', '_inux', '"', '\\', 'Lin', "'"]) {
      assert.deepEqual(await select(`supported_os=${encodeURIComponent(sign)}`), [any], sign);
    }
  });

  test('[REG-110] what public clients say of themselves is accepted and selects nothing', async () => {
    const id = newName('pack');
    const supported = { supported_comfyui_version: '>=99', supported_os: ['Windows'] };
    await studio.owner.post(`/publishers/${studio.id}/nodes`, { id, ...supported });
    const self = 'comfyui_version=v0.3.40&form_factor=git-linux&unknown=x';
    assert.equal((await list(`node_id=${id}&${self}`)).total, 1);
    assert.deepEqual(await list(`page=1&limit=30&latest=true&${self}`), await list('limit=30'));
  });

  test('[REG-111] the read after a change shows it, whatever others read meanwhile', async () => {
    const id = newName('pack');
    await studio.owner.post(`/publishers/${studio.id}/nodes`, { id });
    const paths = [`/nodes/${id}`, `/nodes?node_id=${id}`, `/nodes/search?search=${id}`];
    const done = new AbortController();
    const readers = paths.map(async (path) => {
      while (!done.signal.aborted) await anyone().get(path);
    });
    try {
      for (let round = 0; round < 40; round += 1) {
        const description = `Round ${round}.`;
        await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, { description });
        for (const path of paths) {
          const { body } = await anyone().get<PackNode & NodePage>(path);
          const node: PackNode | undefined = body.nodes ? body.nodes[0] : body;
          assert.equal(node?.description, description, path);
        }
      }
    } finally {
      done.abort();
      await Promise.all(readers);
    }
  });

  test('[REG-115] the nodes of a publisher come as an array and in pages', async () => {
    const { id: other, owner } = await newStudio(server.current);
    const made = [];
    for (let index = 0; index < 12; index += 1) {
      made.push(newName('pack'));
      await owner.post(`/publishers/${other}/nodes`, { id: made.at(-1) });
    }
    const { status, body } = await anyone().get<PackNode[]>(`/publishers/${other}/nodes`);
    assert.equal(status, 200);
    assert.deepEqual(
      body.map(({ id }) => id),
      made,
    );
    const { body: page } = await anyone().get<NodePage>(`/publishers/${other}/nodes/v2?page=2&limit=5`);
    assert.deepEqual([page.total, page.totalPages, page.page, page.limit], [12, 3, 2, 5]);
    assert.deepEqual(ids(page), made.slice(5, 10));
    for (const path of [`/publishers/${newName()}/nodes`, `/publishers/${newName()}/nodes/v2`]) {
      const unknown = await anyone().get(path);
      assert.equal(unknown.status, 404);
      assertShape(unknown.body, 'error');
    }
  });

  test('[REG-116] an id in another case is redirected to the right one', async () => {
    const id = newName('Pack.With_Case');
    await studio.owner.post(`/publishers/${studio.id}/nodes`, { id });
    for (const spelling of [id.toLowerCase(), id.toUpperCase()]) {
      const { status, headers } = await anyone().get(`/nodes/${spelling}?include_translations=true`);
      assert.equal(status, 302);
      const target = new URL(headers.get('location') ?? '', server.current.url);
      const { body } = await anyone().get<PackNode>(target.pathname + target.search);
      assert.equal(body.id, id);
      assert.ok('translations' in body);
    }
    assert.equal((await anyone().get(`/nodes/${id}`)).status, 200);
    const missing = await anyone().get(`/nodes/${newName()}`);
    assert.equal(missing.status, 404);
    assertShape(missing.body, 'error');
  });

  test('[REG-116] an id that no node can have gets 404, and one that cannot be read 400', async () => {
    for (const odd of ['..%2F..', '%25', "'", '%E2%98%83', 'x'.repeat(900), '%20']) {
      assert.equal((await anyone().get(`/nodes/${odd}`)).status, 404, odd);
    }
    for (const odd of ['%00', '%', '%E2%28']) {
      assert.equal((await anyone().get(`/nodes/${odd}`)).status, 400, odd);
    }
  });

  test('[REG-15] reading needs no credential, and a stale one does no harm', async () => {
    const user = await newUser(server.current);
    const stale = client(server.current.url, { bearer: 'stale' });
    const id = packs[0];
    for (const path of [
      '/nodes',
      '/nodes/search',
      '/nodes/export',
      `/nodes/${id}`,
      `/nodes/${id}/versions`,
    ]) {
      for (const who of [anyone(), user, stale]) assert.equal((await who.get(path)).status, 200, path);
    }
  });
});
