import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  newName,
  newStudio,
  newUser,
  publish,
  publishActive,
  publishFlagged,
  type Studio,
  tryPublish,
} from '../support/registry-publishing.ts';
import {
  type AuditEntry,
  type NodePage,
  type NodeVersion,
  type PackNode,
  type Publisher,
  STATUS,
} from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('bans', (server) => {
  let user: Client;
  before(async () => {
    user = await newUser(server.current);
  });
  const anyone = () => client(server.current.url);
  const root = () => admin(server.current);

  interface Pack {
    readonly studio: Studio;
    readonly id: string;
    readonly inner: string;
    readonly version: NodeVersion;
  }
  const newPack = async (studio: Studio): Promise<Pack> => {
    const id = newName('pack');
    const inner = `Inner${id.replaceAll('-', '')}`;
    const version = await publishActive(server.current, studio, id, { innerNodes: [inner] });
    return { studio, id, inner, version };
  };

  const listed = async ({ studio, id, inner }: Pack, banned = '') => {
    const places = [
      `/nodes?node_id=${id}${banned}`,
      `/nodes/search?search=${id}${banned}`,
      `/nodes/search?comfy_node_search=${inner}${banned}`,
      `/publishers/${studio.id}/nodes/v2?limit=1000${banned}`,
      ...(banned === '' ? ['/nodes/export'] : []),
    ];
    const found = [];
    for (const place of places) {
      const { nodes } = (await anyone().get<NodePage>(place)).body;
      found.push(nodes.some((node) => node.id === id));
    }
    const { body } = await anyone().get<PackNode[]>(`/publishers/${studio.id}/nodes?x=1${banned}`);
    return [...found, body.some((node) => node.id === id)];
  };
  const readings = ({ id }: Pack) => [
    `/nodes/${id}`,
    `/nodes/${id.toUpperCase()}`,
    `/nodes/${id}/install`,
    `/nodes/${id}/install?version=1.0.0`,
    `/nodes/${id}/versions`,
    `/nodes/${id}/versions/1.0.0`,
    `/nodes/${id}/versions/1.0.0/comfy-nodes`,
    `/registry/archives/${id}/1.0.0/node.zip`,
  ];

  const assertHidden = async (pack: Pack) => {
    const { studio, id, version, inner } = pack;
    for (const path of readings(pack)) {
      const { status, body } = await anyone().get(path);
      assert.equal(status, 403, path);
      assertShape(body, 'error');
    }
    assert.deepEqual(new Set(await listed(pack)), new Set([false]));
    assert.equal((await anyone().get(`/comfy-nodes/${inner}/node`)).status, 404);
    for (const query of [`comfy_node_name=${inner}`, `node_id=${id}&node_version=1.0.0`]) {
      assert.equal((await anyone().get(`/comfy-nodes?${query}`)).body['total'], 0, query);
    }
    assert.equal((await user.post(`/nodes/${id}/reviews?star=5`)).status, 403);
    const own = `/publishers/${studio.id}/nodes/${id}`;
    for (const [method, path, body] of [
      ['PUT', own, { name: 'x' }],
      ['DELETE', own, undefined],
      ['PUT', `${own}/versions/${version.id}`, { deprecated: true }],
      ['DELETE', `${own}/versions/${version.id}`, undefined],
      ['POST', `/nodes/${id}/translations`, { data: { fr: { name: 'Oui' } } }],
    ] as const) {
      const { status } = await studio.owner.request(method, path, { body });
      assert.equal(status, 403, `${method} ${path}`);
    }
    assert.equal((await tryPublish(server.current, studio, id, { version: '2.0.0' })).status, 403);
  };
  const assertBack = async (pack: Pack) => {
    for (const path of readings(pack)) {
      const { status } = await anyone().get(path);
      assert.equal(status, path.endsWith(pack.id.toUpperCase()) ? 302 : 200, path);
    }
    assert.deepEqual(new Set(await listed(pack)), new Set([true]));
    const { body } = await anyone().get<PackNode>(`/nodes/${pack.id}`);
    assert.equal(body.status, 'NodeStatusActive');
    assert.equal(body.name, pack.id);
    assert.equal('status_detail' in body, false);
    assert.equal((await anyone().get(`/comfy-nodes/${pack.inner}/node`)).body['id'], pack.id);
  };

  test('[REG-90] all that a banned publisher has is refused, and given back', async () => {
    const studio = await newStudio(server.current);
    const [pack, other] = [await newPack(studio), await newPack(studio)];
    const { status, body } = await root().post(`/publishers/${studio.id}/ban`, { reason: 'spam' });
    assert.equal(status, 204);
    assert.equal(body, '');
    await assertHidden(pack);
    await assertHidden(other);
    const { body: publisher } = await anyone().get<Publisher>(`/publishers/${studio.id}`);
    assert.equal(publisher.status, 'PublisherStatusBanned');
    const base = `/publishers/${studio.id}`;
    assert.equal((await studio.owner.put(base, { name: 'x' })).status, 403);
    assert.equal((await studio.owner.post(`${base}/tokens`, { name: 'x' })).status, 403);
    assert.equal((await studio.owner.post(`${base}/nodes`, { id: newName() })).status, 403);
    assert.equal((await studio.owner.delete(base)).status, 403);
    assert.equal((await tryPublish(server.current, studio, newName('pack'))).status, 403);

    assert.equal((await root().post(`${base}/unban`)).status, 204);
    await assertBack(pack);
    await assertBack(other);
    assert.equal((await studio.owner.put(base, { website: 'https://example.org' })).status, 200);
  });

  test('[REG-91] a banned node is refused alone, and given back', async () => {
    const studio = await newStudio(server.current);
    const [pack, other] = [await newPack(studio), await newPack(studio)];
    const base = `/publishers/${studio.id}/nodes/${pack.id}`;
    assert.equal((await root().post(`${base}/ban`, { reason: 'mines coins' })).status, 204);
    await assertHidden(pack);
    await assertBack(other);
    const { body } = await anyone().get<NodePage>(`/nodes?node_id=${pack.id}&include_banned=true`);
    assert.equal(body.nodes[0]?.status, 'NodeStatusBanned');
    assert.equal(body.nodes[0].status_detail, 'mines coins');
    assert.equal((await root().post(`${base}/unban`)).status, 204);
    await assertBack(pack);
  });

  test('[REG-91] a ban that is lifted by the status of the node leaves no reason behind', async () => {
    const studio = await newStudio(server.current);
    const pack = await newPack(studio);
    const ban = async () =>
      await root().post(`/publishers/${studio.id}/nodes/${pack.id}/ban`, { reason: 'mines coins' });
    const lift = async (body: object) =>
      (await root().put<PackNode>(`/admin/nodes/${pack.id}`, { status: 'NodeStatusActive', ...body })).body;
    await ban();
    assert.equal('status_detail' in (await lift({})), false);
    await assertBack(pack);
    await ban();
    assert.equal((await lift({ status_detail: 'Watched.' })).status_detail, 'Watched.');
    assert.equal((await lift({ name: 'Renamed' })).status_detail, 'Watched.');
  });

  test('[REG-153] a banned version is deleted by administrators, and not by its owner', async () => {
    const pack = await newPack(await newStudio(server.current));
    const path = `/publishers/${pack.studio.id}/nodes/${pack.id}/versions/${pack.version.id}`;
    await root().put(`/admin/nodes/${pack.id}/versions/1.0.0`, { status: STATUS.banned });
    const { status, body } = await pack.studio.owner.delete(path);
    assert.equal(status, 403);
    assertShape(body, 'error');
    const { body: listed_ } = await anyone().get<NodeVersion[]>(`/nodes/${pack.id}/versions`);
    assert.equal(listed_[0]?.status, STATUS.banned);
    assert.equal((await root().delete(path)).status, 204);
  });

  test('[REG-154] members of a banned publisher see why; others do not', async () => {
    const studio = await newStudio(server.current);
    await root().post(`/publishers/${studio.id}/ban`, { reason: 'mines coins' });
    const path = `/publishers/${studio.id}`;
    for (const who of [studio.owner, root()]) {
      assert.equal((await who.get<Publisher>(path)).body.status_detail, 'mines coins');
    }
    const [own] = (await studio.owner.get<Publisher[]>('/users/publishers/')).body;
    assert.equal(own?.status_detail, 'mines coins');
    for (const who of [anyone(), user]) {
      const { body } = await who.get<Publisher>(path);
      assert.equal(body.status, 'PublisherStatusBanned');
      assert.equal('status_detail' in body, false);
    }
    const { body: all } = await user.get('/publishers?limit=1000');
    assert.doesNotMatch(JSON.stringify(all), /mines coins/);
    await root().post(`${path}/unban`);
    assert.equal('status_detail' in (await studio.owner.get(path)).body, false);
  });

  test('[REG-91] a node that is banned itself stays so when the ban of its publisher is lifted', async () => {
    const studio = await newStudio(server.current);
    const pack = await newPack(studio);
    await root().post(`/publishers/${studio.id}/nodes/${pack.id}/ban`);
    await root().post(`/publishers/${studio.id}/ban`);
    await root().post(`/publishers/${studio.id}/unban`);
    await assertHidden(pack);
    await root().post(`/publishers/${studio.id}/nodes/${pack.id}/unban`);
    await assertBack(pack);
  });

  test('[REG-91] a ban holds against publishes that come at the same time', async () => {
    const studio = await newStudio(server.current);
    const id = newName('pack');
    const path = `/publishers/${studio.id}/nodes/${id}`;
    await publish(server.current, studio, id);
    for (let round = 1; round <= 10; round += 1) {
      const publishes = [1, 2, 3].map(
        async (one) => await tryPublish(server.current, studio, id, { version: `${round}.${one}.0` }),
      );
      const [ban, ...answers] = await Promise.all([root().post(`${path}/ban`), ...publishes]);
      assert.equal(ban.status, 204);
      for (const { status } of answers) assert.ok(status === 201 || status === 403, String(status));
      assert.equal((await anyone().get(`/nodes/${id}`)).status, 403, `round ${round}`);
      await root().post(`${path}/unban`);
    }
  });

  test('[REG-109] [REG-124] banned nodes are listed and found with include_banned=true', async () => {
    for (const what of ['publisher', 'node'] as const) {
      const studio = await newStudio(server.current);
      const pack = await newPack(studio);
      const path = `/publishers/${studio.id}${what === 'node' ? `/nodes/${pack.id}` : ''}`;
      await root().post(`${path}/ban`, { reason: 'spam' });
      assert.deepEqual(await listed(pack, '&include_banned=true'), [true, true, true, true, true], what);
      assert.deepEqual(await listed(pack, '&include_banned=false'), [false, false, false, false, false]);
      const { body } = await anyone().get<NodePage>(`/nodes?node_id=${pack.id}&include_banned=true`);
      assert.equal(body.nodes[0]?.status, 'NodeStatusBanned');
    }
  });

  test('[REG-92] a banned version is never installed, and the latest is the next lower active one', async () => {
    const studio = await newStudio(server.current);
    const id = newName('pack');
    const first = await publishActive(server.current, studio, id);
    await publishFlagged(server.current, studio, id, { version: '1.1.0' });
    const last = await publishActive(server.current, studio, id, { version: '1.2.0' });
    const ban = { status: STATUS.banned, status_reason: 'Steals keys.' };
    assert.equal((await root().put(`/admin/nodes/${id}/versions/1.2.0`, ban)).status, 200);
    const { body: node } = await anyone().get<PackNode>(`/nodes/${id}`);
    assert.equal(node.latest_version?.id, first.id);
    assert.equal((await anyone().get(`/nodes/${id}/install`)).body['id'], first.id);
    for (const path of [`/nodes/${id}/install?version=1.2.0`, new URL(last.downloadUrl ?? '').pathname]) {
      const { status, body } = await anyone().get(path);
      assert.equal(status, 403, path);
      assertShape(body, 'error');
    }
    const { body: shown } = await anyone().get<NodeVersion>(`/nodes/${id}/versions/1.2.0`);
    assert.equal(shown.status, STATUS.banned);
    await root().put(`/admin/nodes/${id}/versions/1.2.0`, { status: STATUS.active });
    assert.equal((await anyone().get(`/nodes/${id}/install`)).body['id'], last.id);
  });

  test('[REG-93] only administrators ban and lift bans; what is unknown gets 404', async () => {
    const studio = await newStudio(server.current);
    const pack = await newPack(studio);
    for (const path of [`/publishers/${studio.id}`, `/publishers/${studio.id}/nodes/${pack.id}`]) {
      for (const word of ['ban', 'unban']) {
        assert.equal((await anyone().post(`${path}/${word}`, {})).status, 401);
        for (const who of [studio.owner, user]) {
          const { status, body } = await who.post(`${path}/${word}`, { reason: 'I want it' });
          assert.equal(status, 403);
          assertShape(body, 'error');
        }
      }
    }
    const other = await newStudio(server.current);
    for (const path of [
      `/publishers/${newName()}`,
      `/publishers/${studio.id}/nodes/${newName()}`,
      `/publishers/${other.id}/nodes/${pack.id}`,
    ]) {
      for (const word of ['ban', 'unban']) {
        const { status, body } = await root().post(`${path}/${word}`, {});
        assert.equal(status, 404, path);
        assertShape(body, 'error');
      }
    }
    await assertBack(pack);
  });

  test('[REG-93] a reason is optional, a text where it is given, and kept in the audit', async () => {
    const studio = await newStudio(server.current);
    const { id } = await newPack(studio);
    for (const path of [`/publishers/${studio.id}`, `/publishers/${studio.id}/nodes/${id}`]) {
      for (const body of [{ reason: 7 }, { reason: '' }, { reason: 'x'.repeat(1001) }, []]) {
        assert.equal((await root().post(`${path}/ban`, body)).status, 400, JSON.stringify(body).slice(0, 40));
      }
      assert.equal((await anyone().get(`/nodes/${id}`)).status, 200);
      for (const body of [undefined, {}, { reason: 'because of <b>this</b>' }]) {
        assert.equal((await root().post(`${path}/ban`, body)).status, 204);
      }
      const subject = encodeURIComponent(
        path.slice(1).replace('publishers/', 'publisher:').replace('nodes/', 'node:'),
      );
      const { body: log } = await root().get<{ entries: AuditEntry[] }>(`/admin/audit?subject=${subject}`);
      assert.match(log.entries[0]?.action ?? '', /\.ban$/);
      assert.equal(log.entries[0]?.details['reason'], 'because of <b>this</b>');
      assert.equal((await root().post(`${path}/unban`)).status, 204);
      assert.equal((await root().post(`${path}/unban`)).status, 204);
    }
  });

  test('[REG-15] a banned user is refused with 403 everywhere', async () => {
    const studio = await newStudio(server.current);
    await root().post(`/admin/users/${studio.person.id}/ban`, { reason: 'spam' });
    for (const path of ['/users', '/users/publishers/', `/publishers/${studio.id}/tokens`]) {
      const { status, body } = await studio.owner.get(path);
      assert.equal(status, 403);
      assertShape(body, 'error');
    }
    assert.equal((await studio.owner.post('/publishers', { id: newName() })).status, 403);
    assert.equal((await studio.owner.delete(`/publishers/${studio.id}`)).status, 403);
  });
});
