import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import {
  allVersions,
  assertNoNull,
  newName,
  newStudio,
  newUser,
  publish,
  publishActive,
  publishFlagged,
  type Studio,
  tryPublish,
} from '../support/registry-publishing.ts';
import { type NodeVersion, type PackNode, STATUS, type VersionPage } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

interface Bulk {
  readonly node_versions: readonly {
    readonly identifier: { readonly node_id: string; readonly version: string };
    readonly status: string;
    readonly node_version?: NodeVersion;
    readonly error_message?: string;
  }[];
}

onEachEngine('versions', (server) => {
  let studio: Studio;
  let stranger: Client;
  /** A node with a version in every state: 1.0.0 active, 1.1.0 flagged, 1.2.0 banned, 1.3.0 deleted, 1.4.0 pending. */
  let mixed: string;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
    mixed = newName('mixed');
    await publishActive(server.current, studio, mixed);
    await publishFlagged(server.current, studio, mixed, { version: '1.1.0' });
    await publishActive(server.current, studio, mixed, { version: '1.2.0' });
    const { id } = await publishActive(server.current, studio, mixed, { version: '1.3.0' });
    await publish(server.current, studio, mixed, { version: '1.4.0' });
    const banned = { status: STATUS.banned, status_reason: 'Steals 100% of _keys_' };
    await admin(server.current).put(`/admin/nodes/${mixed}/versions/1.2.0`, banned);
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${mixed}/versions/${id}`);
  });
  const anyone = () => client(server.current.url);
  const numbers = (versions: readonly NodeVersion[]) => versions.map(({ version }) => version);
  const latest = async (id: string) => (await anyone().get<PackNode>(`/nodes/${id}`)).body.latest_version;
  const own = (id: string, versionId: string) => `/publishers/${studio.id}/nodes/${id}/versions/${versionId}`;

  test('[REG-74] the list is a bare array without what is deleted', async () => {
    const { status, body } = await anyone().get<NodeVersion[]>(`/nodes/${mixed}/versions`);
    assert.equal(status, 200);
    assert.deepEqual(numbers(body), ['1.4.0', '1.2.0', '1.1.0', '1.0.0']);
    assertNoNull(body);
    for (const version of body) assert.equal(version.node_id, mixed);
  });

  test('[REG-74] [REG-13] statuses select, alone and repeated', async () => {
    const list = async (query: string) =>
      numbers((await anyone().get<NodeVersion[]>(`/nodes/${mixed}/versions?${query}`)).body);
    assert.deepEqual(await list(`statuses=${STATUS.active}`), ['1.0.0']);
    assert.deepEqual(await list(`statuses=${STATUS.deleted}`), ['1.3.0']);
    assert.deepEqual(await list(`statuses=${STATUS.flagged}&statuses=${STATUS.banned}`), ['1.2.0', '1.1.0']);
    for (const wrong of ['statuses=Active', `statuses=${STATUS.active}&statuses=x`, 'statuses=']) {
      const { status, body } = await anyone().get(`/nodes/${mixed}/versions?${wrong}`);
      assert.equal(status, 400, wrong);
      assertShape(body, 'error');
    }
  });

  test('[REG-9] [REG-74] the versions of an unknown node get 404 with details', async () => {
    for (const path of [`/nodes/${newName()}/versions`, `/nodes/${newName()}/versions/1.0.0`]) {
      const { status, body } = await anyone().get(path);
      assert.equal(status, 404);
      assertShape(body, 'details');
    }
  });

  test('[REG-75] versions are ordered as semantic versions', async () => {
    const id = newName('pack');
    const ordered = [
      '10.0.0',
      '2.0.0',
      '1.10.0',
      '1.9.10',
      '1.9.9',
      '1.9.0',
      '1.9.0-rc.10',
      '1.9.0-rc.2',
      '1.9.0-rc.1',
      '1.9.0-beta',
      '1.9.0-alpha.beta',
      '1.9.0-alpha.1',
      '1.9.0-alpha',
      '1.9.0-9',
      '0.99.99',
    ];
    const shuffled = ordered.toSorted((left, right) => left.slice(-2).localeCompare(right.slice(-2)));
    assert.notDeepEqual(shuffled, ordered);
    for (const version of shuffled) await publish(server.current, studio, id, { version });
    const { body } = await anyone().get<NodeVersion[]>(`/nodes/${id}/versions`);
    assert.deepEqual(numbers(body), ordered);
  });

  test('[REG-76] the latest version is the newest active one, by its number and not by its time', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id, { version: '0.1.0' });
    assert.equal(await latest(id), undefined);
    assert.equal('latest_version' in (await anyone().get(`/nodes/${id}`)).body, false);
    for (const [version, expected] of [
      ['1.9.0-rc.1', '1.9.0-rc.1'],
      ['1.10.0', '1.10.0'],
      ['1.9.0', '1.10.0'],
    ] as const) {
      await publishActive(server.current, studio, id, { version });
      assert.equal((await latest(id))?.version, expected);
    }
    await publishFlagged(server.current, studio, id, { version: '2.0.0' });
    await publish(server.current, studio, id, { version: '3.0.0' });
    const found = await latest(id);
    assert.equal(found?.version, '1.10.0');
    assert.equal(found.status, STATUS.active);
    assert.ok(found.downloadUrl);
  });

  test('[REG-77] one version is read by its number, in whatever spelling', async () => {
    for (const number of ['1.0.0', '1.0', '1', 'v1.0.0']) {
      const { status, body } = await anyone().get<NodeVersion>(`/nodes/${mixed}/versions/${number}`);
      assert.equal(status, 200, number);
      assert.equal(body.version, '1.0.0');
    }
    assert.equal((await anyone().get<NodeVersion>(`/nodes/${mixed}/versions/1.4.0`)).status, 200);
    const id = (await allVersions(server.current, mixed))[0]?.id ?? '';
    for (const number of ['1.3.0', '9.9.9', 'abc', id]) {
      const { status, body } = await anyone().get(`/nodes/${mixed}/versions/${number}`);
      assert.equal(status, 404, number);
      assertShape(body, 'details');
    }
  });

  test('[REG-78] the reason is shown to members, and to whoever asks for it in a list', async () => {
    const reasonOf = (versions: readonly NodeVersion[]) =>
      versions.find(({ version }) => version === '1.1.0')?.status_reason;
    const path = `/nodes/${mixed}/versions`;
    for (const who of [studio.owner, admin(server.current)]) {
      assert.match(reasonOf((await who.get<NodeVersion[]>(path)).body) ?? '', /findings/);
      assert.match(String((await who.get(`${path}/1.1.0`)).body['status_reason']), /findings/);
    }
    for (const who of [anyone(), stranger]) {
      assert.equal(reasonOf((await who.get<NodeVersion[]>(path)).body), undefined);
      assert.equal('status_reason' in (await who.get(`${path}/1.1.0`)).body, false);
      const asked = await who.get<NodeVersion[]>(`${path}?include_status_reason=true`);
      assert.match(reasonOf(asked.body) ?? '', /findings/);
      const declined = await who.get<NodeVersion[]>(`${path}?include_status_reason=false`);
      assert.equal(reasonOf(declined.body), undefined);
    }
    assert.equal((await anyone().get(`${path}?include_status_reason=maybe`)).status, 400);
  });

  test('[REG-79] an owner changes changelog and deprecation by the id of the version', async () => {
    const id = newName('pack');
    const version = await publishActive(server.current, studio, id);
    const { status, body } = await studio.owner.put<NodeVersion>(own(id, version.id), {
      changelog: 'Better.',
      deprecated: true,
      version: '7.0.0',
      status: STATUS.banned,
      status_reason: 'mine',
      node_id: 'other',
      downloadUrl: 'https://example.org/evil.zip',
    });
    assert.equal(status, 200);
    assert.deepEqual(body, { ...version, changelog: 'Better.', deprecated: true });
    const { body: kept } = await studio.owner.put<NodeVersion>(own(id, version.id), { deprecated: null });
    assert.equal(kept.deprecated, true);
    const { status: nothing } = await studio.owner.put(own(id, version.id), {});
    assert.equal(nothing, 200);
    assert.equal((await latest(id))?.deprecated, true);
    assert.equal((await latest(id))?.changelog, 'Better.');
  });

  test('[REG-79] a number in the place of the id gets 404, a wrong type 400, and a foreign node 404', async () => {
    const id = newName('pack');
    const { node_version: version } = await publish(server.current, studio, id);
    const other = newName('pack');
    await publish(server.current, studio, other);
    for (const path of [own(id, '1.0.0'), own(other, version.id), own(newName(), version.id)]) {
      const { status, body } = await studio.owner.put(path, { deprecated: true });
      assert.equal(status, 404);
      assertShape(body, 'error');
    }
    assert.equal((await studio.owner.put(own(id, version.id), { deprecated: 'yes' })).status, 400);
    assert.equal((await studio.owner.put(own(id, version.id), { changelog: 7 })).status, 400);
    assert.equal((await anyone().put(own(id, version.id), {})).status, 401);
  });

  test('[REG-80] deleting a version makes the next lower one the latest', async () => {
    const id = newName('pack');
    const first = await publishActive(server.current, studio, id);
    const second = await publishActive(server.current, studio, id, { version: '1.1.0' });
    assert.equal((await latest(id))?.id, second.id);
    const { status, body } = await studio.owner.delete(own(id, second.id));
    assert.equal(status, 204);
    assert.equal(body, '');
    assert.equal((await latest(id))?.id, first.id);
    const again = await studio.owner.delete(own(id, second.id));
    assert.equal(again.status, 404);
    assertShape(again.body, 'details');
    assert.deepEqual(
      (await allVersions(server.current, id)).map((one) => [one.version, one.status]),
      [
        ['1.1.0', STATUS.deleted],
        ['1.0.0', STATUS.active],
      ],
    );
    await studio.owner.delete(own(id, first.id));
    assert.equal(await latest(id), undefined);
    assert.equal((await anyone().get(`/nodes/${id}`)).status, 200);
    assert.equal((await tryPublish(server.current, studio, id)).status, 400);
  });

  test('[REG-80] [REG-9] an unknown version gets 404 with details', async () => {
    for (const versionId of ['1.0.0', newName()]) {
      const { status, body } = await studio.owner.delete(own(mixed, versionId));
      assert.equal(status, 404);
      assertShape(body, 'details');
    }
  });

  test('[REG-81] versions of a node come page by page', async () => {
    const page = async (query: string) =>
      await anyone().get<VersionPage>(`/versions?nodeId=${mixed}&${query}`);
    const { status, body } = await page('');
    assert.equal(status, 200);
    assert.deepEqual(Object.keys(body).toSorted(), ['page', 'pageSize', 'total', 'totalPages', 'versions']);
    assert.deepEqual([body.total, body.page, body.pageSize, body.totalPages], [4, 1, 10, 1]);
    assertNoNull(body);
    const pages = [await page('page=1&pageSize=3'), await page('page=2&pageSize=3')];
    assert.deepEqual(pages.flatMap((one) => numbers(one.body.versions)).toSorted(), [
      '1.0.0',
      '1.1.0',
      '1.2.0',
      '1.4.0',
    ]);
    assert.deepEqual(
      pages.map((one) => one.body.totalPages),
      [2, 2],
    );
    assert.deepEqual((await page('page=3&pageSize=3')).body.versions, []);
    assert.equal((await page('page=0&pageSize=-1')).body.pageSize, 10);
  });

  test('[REG-81] versions are selected by status and by a part of the reason', async () => {
    const select = async (query: string) =>
      numbers((await anyone().get<VersionPage>(`/versions?nodeId=${mixed}&${query}`)).body.versions);
    assert.deepEqual(await select(`statuses=${STATUS.active}`), ['1.0.0']);
    assert.deepEqual((await select(`statuses=${STATUS.active}&statuses=${STATUS.banned}`)).toSorted(), [
      '1.0.0',
      '1.2.0',
    ]);
    assert.deepEqual(await select('status_reason=steals'), ['1.2.0']);
    assert.deepEqual(await select(`status_reason=${encodeURIComponent('100% of _KEYS_')}`), ['1.2.0']);
    assert.deepEqual(await select(`status_reason=${encodeURIComponent('S%s')}`), []);
    const { body } = await anyone().get<VersionPage>(
      `/versions?nodeId=${mixed}&statuses=${STATUS.banned}&include_status_reason=true`,
    );
    assert.equal(body.versions[0]?.status_reason, 'Steals 100% of _keys_');
  });

  test('[REG-81] a page of more than 100 gets 400 with the bound', async () => {
    const { status, body } = await anyone().get('/versions?pageSize=101');
    assert.equal(status, 400);
    assertShape(body, 'error');
    assert.match(String(body['message']), /100/);
    assert.equal((await anyone().get('/versions?pageSize=100')).status, 200);
    for (const query of ['page=x', 'pageSize=1.5', 'statuses=x']) {
      assert.equal((await anyone().get(`/versions?${query}`)).status, 400, query);
    }
  });

  test('[REG-82] many versions are answered in the order asked', async () => {
    const wanted = [
      { node_id: mixed, version: '1.1.0' },
      { node_id: mixed, version: '9.9.9' },
      { node_id: mixed, version: '1.0.0' },
      { node_id: mixed, version: '1.3.0' },
      { node_id: newName(), version: '1.0.0' },
      { node_id: mixed, version: 'abc' },
      { node_id: mixed, version: '1.0.0' },
    ];
    const { status, body } = await anyone().post<Bulk>('/bulk/nodes/versions', { node_versions: wanted });
    assert.equal(status, 200);
    assertNoNull(body);
    assert.deepEqual(
      body.node_versions.map(({ identifier }) => identifier),
      wanted,
    );
    const [found, missing] = ['success', 'not_found'];
    assert.deepEqual(
      body.node_versions.map((one) => one.status),
      [found, missing, found, missing, missing, missing, found],
    );
    for (const one of body.node_versions) {
      assert.equal(one.node_version?.version, one.status === found ? one.identifier.version : undefined);
    }
  });

  test('[REG-82] a bulk query that is none gets 400; an empty one is answered', async () => {
    for (const body of [
      {},
      { node_versions: {} },
      { node_versions: [{ node_id: mixed }] },
      { node_versions: ['x'] },
      { node_versions: Array.from({ length: 1001 }, () => ({ node_id: 'x', version: '1.0.0' })) },
    ]) {
      const answer = await anyone().post('/bulk/nodes/versions', body);
      assert.equal(answer.status, 400);
      assertShape(answer.body, 'error');
    }
    const { body } = await anyone().post('/bulk/nodes/versions', { node_versions: [] });
    assert.deepEqual(body, { node_versions: [] });
  });

  test('[REG-83] versions of banned and deleted nodes are in neither list', async () => {
    const root = admin(server.current);
    const seen = async (id: string) => {
      const { body: page } = await anyone().get<VersionPage>(`/versions?nodeId=${id}`);
      const identifiers = { node_versions: [{ node_id: id, version: '1.0.0' }] };
      const { body: bulk } = await anyone().post<Bulk>('/bulk/nodes/versions', identifiers);
      return [page.total, bulk.node_versions[0]?.status];
    };
    const other = await newStudio(server.current);
    const id = newName('pack');
    await publishActive(server.current, other, id);
    assert.deepEqual(await seen(id), [1, 'success']);
    for (const path of [`/publishers/${other.id}`, `/publishers/${other.id}/nodes/${id}`]) {
      await root.post(`${path}/ban`, { reason: 'spam' });
      assert.deepEqual(await seen(id), [0, 'not_found'], path);
      await root.post(`${path}/unban`);
      assert.deepEqual(await seen(id), [1, 'success']);
    }
    await other.owner.delete(`/publishers/${other.id}/nodes/${id}`);
    assert.deepEqual(await seen(id), [0, 'not_found']);
  });
});
