import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  assertNoNull,
  newName,
  newStudio,
  publishActive,
  type Studio,
} from '../support/registry-publishing.ts';
import type { NodePage, PackNode } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

const COUNT = 25;

onAnyEngine('answers of the catalogue', (server) => {
  let studio: Studio;
  const packs: string[] = [];
  before(async () => {
    studio = await newStudio(server.current);
    for (let index = 0; index < COUNT; index += 1) {
      const node = { id: newName('pack'), description: `Number ${index}.`, name: `Name ${index}` };
      packs.push(node.id);
      assert.equal((await studio.owner.post(`/publishers/${studio.id}/nodes`, node)).status, 201);
    }
  });
  const anyone = () => client(server.current.url);
  const list = async (query: string) => (await anyone().get<NodePage>(`/nodes?${query}`)).body;

  test('[REG-112] an answer that has not changed is 304 without a body', async () => {
    const id = newName('pack');
    await studio.owner.post(`/publishers/${studio.id}/nodes`, { id });
    const paths = [
      '/nodes?limit=3',
      `/nodes/${id}`,
      `/nodes/search?search=${id}`,
      '/nodes/export',
      `/publishers/${studio.id}/nodes/v2`,
    ];
    const first = new Map<string, string>();
    for (const path of paths) {
      const etag = (await anyone().get(path)).headers.get('etag') ?? '';
      assert.match(etag, /^(W\/)?"[^"]+"$/, path);
      first.set(path, etag);
      for (const condition of [etag, `W/${etag.replace('W/', '')}`, `"other", ${etag}`, '*']) {
        const answer = await anyone().get(path, { 'if-none-match': condition });
        assert.equal(answer.status, 304, `${path} ${condition}`);
        assert.equal(answer.body, '');
        assert.equal(answer.headers.get('etag'), etag);
      }
      assert.equal((await anyone().get(path, { 'if-none-match': '"other"' })).status, 200);
    }
    await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, { description: 'Changed.' });
    for (const path of [`/nodes/${id}`, `/nodes/search?search=${id}`, '/nodes/export']) {
      const answer = await anyone().get(path, { 'if-none-match': first.get(path) ?? '' });
      assert.equal(answer.status, 200, path);
      assert.notEqual(answer.headers.get('etag'), first.get(path));
    }
  });

  test('[REG-112] who asks for the counts of this moment changes the tag of nobody', async () => {
    const path = `/publishers/${studio.id}/nodes/v2?limit=20`;
    const everybody = '/nodes?limit=20';
    for (const [asked, read] of [
      [`${everybody}&latest=true`, everybody],
      [path, path],
    ] as const) {
      const etag = (await anyone().get(read)).headers.get('etag') ?? '';
      const anew = await anyone().get(asked);
      assert.equal(anew.headers.get('etag'), etag, asked);
      assert.equal((await anyone().get(read, { 'if-none-match': etag })).status, 304, read);
    }
  });

  test('[REG-113] answers are compressed for who takes gzip, and for nobody else', async () => {
    for (const path of ['/nodes?limit=20', '/nodes/export', '/nodes/search?search=name&limit=20']) {
      const encodingFor = async (accepted: string) => {
        const { headers, body } = await anyone().get(path, { 'accept-encoding': accepted });
        assert.ok(Array.isArray(body['nodes']), path);
        assert.match(headers.get('vary') ?? '', /accept-encoding/i);
        return headers.get('content-encoding');
      };
      assert.equal(await encodingFor('gzip'), 'gzip');
      assert.equal(await encodingFor('br, gzip;q=0.5'), 'gzip');
      assert.equal(await encodingFor('identity'), null);
      assert.equal(await encodingFor('br'), null);
      assert.equal(await encodingFor('gzip;q=0'), null, 'gzip;q=0 refuses gzip');
    }
  });

  test('[REG-114] the export has the same nodes as the pages of the list', async () => {
    await publishActive(server.current, studio, newName('pack'), { innerNodes: ['Exported'] });
    const { status, body } = await anyone().get<{ revision: number; total: number; nodes: PackNode[] }>(
      '/nodes/export',
    );
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).toSorted(), ['nodes', 'revision', 'total']);
    assert.equal(body.total, body.nodes.length);
    assertNoNull(body);
    const all = await list('limit=1000');
    assert.deepEqual(body.nodes, all.nodes);
    await studio.owner.put(`/publishers/${studio.id}/nodes/${packs[0]}`, { description: 'Again.' });
    const { body: next } = await anyone().get<{ revision: number }>('/nodes/export');
    assert.ok(next.revision > body.revision);
  });

  test('[REG-114] every node that does not change is in every export once', async () => {
    const root = admin(server.current);
    const other = await newStudio(server.current);
    const turning = newName('pack');
    await other.owner.post(`/publishers/${other.id}/nodes`, { id: turning });
    const exported = async () => {
      const { status, body } = await anyone().get<{ total: number; nodes: PackNode[] }>('/nodes/export');
      assert.equal(status, 200);
      assert.equal(body.total, body.nodes.length);
      return body.nodes.map(({ id }) => id);
    };
    const unchanged = (await exported()).filter((id) => id !== turning);
    const done = new AbortController();
    const writer = (async () => {
      while (!done.signal.aborted) {
        await root.post(`/publishers/${other.id}/nodes/${turning}/ban`);
        await root.post(`/publishers/${other.id}/nodes/${turning}/unban`);
      }
    })();
    try {
      for (let round = 0; round < 20; round += 1) {
        const seen = await exported();
        assert.equal(new Set(seen).size, seen.length);
        assert.deepEqual(
          seen.filter((id) => id !== turning),
          unchanged,
        );
      }
    } finally {
      done.abort();
      await writer;
    }
  });
});
