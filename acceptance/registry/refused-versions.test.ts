import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { type Client, client } from '../support/http-client.ts';
import { admin, newPerson, tokenOf } from '../support/people.ts';
import {
  allVersions,
  newName,
  newStudio,
  newUser,
  publish,
  publishActive,
  publishArchive,
  publishFlagged,
  type Studio,
} from '../support/registry-publishing.ts';
import { type NodeVersion, STATUS, type VersionPage } from '../support/registry-wire.ts';
import { onAnyEngine } from '../support/servers.ts';

onAnyEngine('refused versions', (server) => {
  let studio: Studio;
  let member: Client;
  let stranger: Client;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
    const person = await newPerson(server.current);
    const { status } = await studio.owner.post(`/publishers/${studio.id}/members`, {
      email: person.email,
      role: 'member',
    });
    assert.equal(status, 201);
    member = client(server.current.url, { bearer: await tokenOf(server.current, person) });
  });
  const anyone = () => client(server.current.url);
  const root = () => admin(server.current);
  const list = async (who: Client, id: string, query = '') =>
    (await who.get<NodeVersion[]>(`/nodes/${id}/versions${query}`)).body.map(({ version }) => version);

  test('[REG-149] members and administrators see what the checks refused, and why; nobody else does', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    await publishArchive(server.current, studio, id, Buffer.from('no zip'), { version: '1.1.0' });
    for (const who of [studio.owner, member, root()]) {
      const { status, body } = await who.get<NodeVersion>(`/nodes/${id}/versions/1.1.0`);
      assert.equal(status, 200);
      assert.equal(body.status, STATUS.deleted);
      assert.match(body.status_reason ?? '', /\w+ .*\./);
      assert.equal('downloadUrl' in body, false);
      const { body: all } = await who.get<NodeVersion[]>(`/nodes/${id}/versions?include_status_reason=true`);
      assert.deepEqual(
        all.map(({ version, status: now }) => [version, now]),
        [
          ['1.1.0', STATUS.deleted],
          ['1.0.0', STATUS.active],
        ],
      );
      assert.equal(all[0]?.status_reason, body.status_reason);
      assert.deepEqual(await list(who, id), ['1.0.0']);
      assert.deepEqual(await list(who, id, `?include_status_reason=true&statuses=${STATUS.active}`), [
        '1.0.0',
      ]);
    }
    for (const who of [stranger, anyone()]) {
      assert.equal((await who.get(`/nodes/${id}/versions/1.1.0`)).status, 404);
      assert.deepEqual(await list(who, id, '?include_status_reason=true'), ['1.0.0']);
    }
    assert.equal((await studio.owner.get(`/nodes/${id}/install?version=1.1.0`)).status, 404);
  });

  test('[REG-149] what its publisher deleted is seen by nobody', async () => {
    const id = newName('pack');
    const version = await publishActive(server.current, studio, id);
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}/versions/${version.id}`);
    for (const who of [studio.owner, root(), anyone()]) {
      assert.equal((await who.get(`/nodes/${id}/versions/1.0.0`)).status, 404);
      assert.deepEqual(await list(who, id, '?include_status_reason=true'), []);
    }
  });

  test('[REG-150] only what can be downloaded has a link to it', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id, { version: '1.0.0' });
    await publishActive(server.current, studio, id, { version: '1.1.0' });
    await publishFlagged(server.current, studio, id, { version: '1.2.0' });
    await publishActive(server.current, studio, id, { version: '1.3.0' });
    const gone = await publishActive(server.current, studio, id, { version: '1.4.0' });
    await root().put(`/admin/nodes/${id}/versions/1.3.0`, { status: STATUS.banned });
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}/versions/${gone.id}`);
    const { body: page } = await root().get<VersionPage>(
      `/admin/nodeversions?include_deleted=true&nodeId=${id}`,
    );
    for (const versions of [await allVersions(server.current, id), page.versions]) {
      assert.equal(versions.length, 5);
      for (const { version, downloadUrl } of versions) {
        const canBe = version === '1.1.0' || version === '1.2.0';
        assert.equal(downloadUrl !== undefined, canBe, version);
        const { status } = await anyone().get(`/registry/archives/${id}/${version}/node.zip`);
        assert.equal(status === 200, canBe, version);
      }
    }
  });
});
