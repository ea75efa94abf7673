import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { cleanPack } from '../support/registry-archives.ts';
import {
  newName,
  newStudio,
  newUser,
  publish,
  publishActive,
  publishFlagged,
  type Studio,
  upload,
} from '../support/registry-publishing.ts';
import {
  type AuditEntry,
  type NodeVersion,
  type PackNode,
  STATUS,
  type VersionPage,
} from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('decisions of people', (server) => {
  let studio: Studio;
  let stranger: Client;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
  });
  const anyone = () => client(server.current.url);
  const root = () => admin(server.current);
  const latest = async (id: string) => (await anyone().get<PackNode>(`/nodes/${id}`)).body.latest_version;
  const askFor = async ({ node_id: id, id: versionId }: NodeVersion, body?: unknown, who = studio.owner) =>
    await who.post<NodeVersion>(
      `/publishers/${studio.id}/nodes/${id}/versions/${versionId}/request-review`,
      body,
    );
  const decide = async (id: string, body: unknown, { version = '1.0.0', who = root() } = {}) =>
    await who.put<NodeVersion>(`/admin/nodes/${id}/versions/${version}`, body);
  const waiting = async (id: string) =>
    (await root().get<VersionPage>(`/admin/nodeversions?review_requested=true&nodeId=${id}`)).body;

  test('[REG-84] [REG-85] an owner asks for a review, and administrators see that it waits', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    assert.equal((await waiting(id)).total, 0);
    const { status, body } = await askFor(flagged, { note: 'It is only a test.' });
    assert.equal(status, 200);
    assert.equal(body.id, flagged.id);
    assert.equal(body.status, STATUS.flagged);
    const { total, versions } = await waiting(id);
    assert.equal(total, 1);
    assert.equal(versions[0]?.id, flagged.id);
    assert.match(versions[0].status_reason ?? '', /findings/);
    const { body: log } = await root().get<{ entries: AuditEntry[] }>(
      `/admin/audit?subject=publisher:${studio.id}/node:${id}`,
    );
    assert.ok(log.entries.some(({ details }) => details['note'] === 'It is only a test.'));
  });

  test('[REG-84] a review may be asked for without a note, and again', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    assert.equal((await askFor(flagged)).status, 200);
    assert.equal((await askFor(flagged, {})).status, 200);
    assert.equal((await waiting(id)).total, 1);
    assert.equal((await askFor(flagged, { note: 7 })).status, 400);
  });

  test('[REG-84] a version that is pending, active or deleted needs no review: 409, and 404', async () => {
    const id = newName('pack');
    const { node_version: pending } = await publish(server.current, studio, id);
    const active = await publishActive(server.current, studio, id, { version: '1.1.0' });
    for (const version of [pending, active]) {
      const { status, body } = await askFor(version);
      assert.equal(status, 409);
      assertShape(body, 'error');
    }
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}/versions/${active.id}`);
    assert.equal((await askFor(active)).status, 404);
    assert.equal((await waiting(id)).total, 0);
  });

  test('[REG-84] a stranger asks for nothing', async () => {
    const flagged = await publishFlagged(server.current, studio, newName('pack'));
    assert.equal((await askFor(flagged, {}, stranger)).status, 403);
    assert.equal((await askFor(flagged, {}, anyone())).status, 401);
    assert.equal((await waiting(flagged.node_id)).total, 0);
  });

  test('[REG-86] an administrator clears a flagged version: it is the latest and waits no more', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    await askFor(flagged);
    const { status, body } = await decide(id, { status: STATUS.active, status_reason: 'Looked at by hand.' });
    assert.equal(status, 200);
    assert.equal(body.status, STATUS.active);
    assert.equal(body.status_reason, 'Looked at by hand.');
    assert.equal((await latest(id))?.id, flagged.id);
    assert.equal((await waiting(id)).total, 0);
    const { body: own } = await studio.owner.get(`/nodes/${id}/versions/1.0.0`);
    assert.equal(own['status_reason'], 'Looked at by hand.');
    assert.equal((await anyone().get(`/nodes/${id}/install`)).status, 200);
  });

  test('[REG-86] an administrator bans a version, and its owner asks for a review', async () => {
    const id = newName('pack');
    const version = await publishActive(server.current, studio, id);
    const { body } = await decide(id, { status: STATUS.banned, status_reason: 'Steals keys.' });
    assert.equal(body.status, STATUS.banned);
    assert.equal(await latest(id), undefined);
    assert.equal((await askFor(version, { note: 'It does not.' })).status, 200);
    assert.equal((await waiting(id)).total, 1);
    const upheld = await decide(id, { status: STATUS.banned, status_reason: 'It does.' });
    assert.equal(upheld.status, 200);
    assert.equal(upheld.body.status_reason, 'It does.');
    assert.equal((await waiting(id)).total, 0);
    await decide(id, { status: STATUS.active, status_reason: 'It did not.' });
    assert.equal((await latest(id))?.id, version.id);
  });

  test('[REG-86] tags and bounds of support can be set without a decision, which stays due', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    await askFor(flagged);
    const { status, body } = await decide(id, { tags_admin: ['watched'], supported_comfyui_version: '<2' });
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, {
      status: STATUS.flagged,
      status_reason: flagged.status_reason,
      tags_admin: ['watched'],
      supported_version: '<2',
      supported_comfyui_version: '<2',
    });
    assert.equal((await waiting(id)).total, 1);
  });

  test('[REG-87] a deleted version stays deleted, and none becomes pending again', async () => {
    const id = newName('pack');
    const version = await publishActive(server.current, studio, id);
    for (const status of [STATUS.pending]) {
      const answer = await decide(id, { status });
      assert.equal(answer.status, 409);
      assertShape(answer.body, 'error');
    }
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}/versions/${version.id}`);
    for (const status of [STATUS.active, STATUS.flagged, STATUS.banned, STATUS.pending]) {
      assert.equal((await decide(id, { status })).status, 409, status);
    }
    assert.equal(await latest(id), undefined);
  });

  test('[REG-88] a version without an archive cannot be made installable', async () => {
    const id = newName('pack');
    const { signedUrl } = await publish(server.current, studio, id);
    for (const status of [STATUS.active, STATUS.flagged]) {
      const answer = await decide(id, { status });
      assert.equal(answer.status, 409);
      assertShape(answer.body, 'error');
    }
    assert.equal((await anyone().get(`/nodes/${id}/install`)).status, 404);
    assert.equal((await upload(server.current, signedUrl, cleanPack())).status, 200);
  });

  test('[REG-86] only administrators decide; what is unknown gets 404, what is not a status 400', async () => {
    const id = newName('pack');
    await publishFlagged(server.current, studio, id);
    const wish = { status: STATUS.active };
    for (const who of [studio.owner, stranger]) {
      const { status, body } = await decide(id, wish, { who });
      assert.equal(status, 403);
      assertShape(body, 'error');
    }
    assert.equal((await decide(id, wish, { who: anyone() })).status, 401);
    assert.equal((await decide(id, wish, { version: '9.9.9' })).status, 404);
    assert.equal((await decide(newName(), wish)).status, 404);
    for (const body of [{ status: 'Active' }, { status_reason: 7 }, { tags_admin: 'x' }]) {
      assert.equal((await decide(id, body)).status, 400, JSON.stringify(body));
    }
    assert.equal(await latest(id), undefined);
  });

  test('[REG-85] administrators list versions with reasons, deleted ones when they ask', async () => {
    const id = newName('pack');
    const first = await publishActive(server.current, studio, id);
    await publishFlagged(server.current, studio, id, { version: '1.1.0' });
    await studio.owner.delete(`/publishers/${studio.id}/nodes/${id}/versions/${first.id}`);
    const list = async (query: string, who = root()) =>
      await who.get<VersionPage>(`/admin/nodeversions?nodeId=${id}${query}`);
    const { body } = await list('');
    assert.equal(body.total, 1);
    assert.match(body.versions[0]?.status_reason ?? '', /findings/);
    assert.deepEqual(
      (await list('&include_deleted=true')).body.versions.map(({ version }) => version).toSorted(),
      ['1.0.0', '1.1.0'],
    );
    assert.equal((await list(`&statuses=${STATUS.deleted}`)).body.versions[0]?.id, first.id);
    assert.equal((await list('&pageSize=101')).status, 400);
    for (const who of [studio.owner, stranger]) assert.equal((await list('', who)).status, 403);
    assert.equal((await list('', anyone())).status, 401);
  });

  test('[REG-85] a version of a banned node still waits for its administrator', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    await askFor(flagged);
    await root().post(`/publishers/${studio.id}/nodes/${id}/ban`, { reason: 'until it is looked at' });
    assert.equal((await waiting(id)).total, 1);
  });

  test('[REG-89] an administrator creates a node for a publisher', async () => {
    const id = newName('Pack');
    const wanted = { id, name: 'Unclaimed', publisher: { id: studio.id } };
    const { status, body } = await root().post<PackNode>('/admin/nodes', wanted);
    assert.equal(status, 201);
    assert.equal(body.publisher.id, studio.id);
    assert.equal(body.name, 'Unclaimed');
    for (const spelling of [id, id.toLowerCase()]) {
      const again = await root().post('/admin/nodes', { ...wanted, id: spelling });
      assert.equal(again.status, 409);
      assertShape(again.body, 'error');
    }
    const nowhere = { id: newName('pack'), publisher: { id: newName() } };
    assert.equal((await root().post('/admin/nodes', nowhere)).status, 404);
    assert.equal((await root().post('/admin/nodes', { id: newName('pack') })).status, 400);
    assert.equal((await root().post('/admin/nodes', { ...wanted, id: 'no good' })).status, 400);
    const other = { ...wanted, id: newName('pack') };
    assert.equal((await studio.owner.post('/admin/nodes', other)).status, 403);
    assert.equal((await anyone().post('/admin/nodes', other)).status, 401);
  });

  test('[REG-89] an administrator changes anything of a node', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    const other = await newStudio(server.current);
    const wanted = {
      name: 'Adopted',
      tags_admin: ['unsafe'],
      preempted_node_names: ['KSampler'],
      search_ranking: 5,
      github_stars: 42,
      status_detail: 'Adopted by another studio.',
    };
    const { status, body } = await root().put<PackNode>(`/admin/nodes/${id}`, {
      ...wanted,
      publisher: { id: other.id },
    });
    assert.equal(status, 200);
    assert.partialDeepStrictEqual(body, wanted);
    assert.equal(body.publisher.id, other.id);
    assert.deepEqual((await anyone().get(`/nodes/${id}`)).body, body);
    await publish(server.current, other, id, { version: '2.0.0' });
    assert.equal((await studio.owner.put(`/publishers/${studio.id}/nodes/${id}`, {})).status, 403);
  });

  test('[REG-89] an administrator takes a node down and gives it back by its status', async () => {
    const id = newName('pack');
    await publishActive(server.current, studio, id);
    await root().put(`/admin/nodes/${id}`, { status: 'NodeStatusBanned' });
    assert.equal((await anyone().get(`/nodes/${id}`)).status, 403);
    await root().put(`/admin/nodes/${id}`, { status: 'NodeStatusDeleted' });
    assert.equal((await anyone().get(`/nodes/${id}`)).status, 404);
    assert.equal((await root().put(`/admin/nodes/${id}`, { status: 'NodeStatusActive' })).status, 200);
    assert.equal((await anyone().get(`/nodes/${id}`)).status, 200);
  });

  test('[REG-89] a change of nothing changes nothing; a wrong one gets 400, a foreign one 403, an unknown one 404', async () => {
    const id = newName('pack');
    await publish(server.current, studio, id);
    const { body: before_ } = await anyone().get(`/nodes/${id}`);
    assert.equal((await root().put(`/admin/nodes/${id}`, {})).status, 200);
    for (const body of [
      { search_ranking: 'low' },
      { search_ranking: -1 },
      { github_stars: 1.5 },
      { status: 'Active' },
      { publisher: studio.id },
      { tags_admin: [1] },
    ]) {
      assert.equal((await root().put(`/admin/nodes/${id}`, body)).status, 400, JSON.stringify(body));
    }
    assert.equal((await root().put(`/admin/nodes/${id}`, { publisher: { id: newName() } })).status, 404);
    assert.equal((await root().put(`/admin/nodes/${newName()}`, { name: 'x' })).status, 404);
    assert.equal((await studio.owner.put(`/admin/nodes/${id}`, { search_ranking: 1 })).status, 403);
    assert.deepEqual((await anyone().get(`/nodes/${id}`)).body, before_);
  });
});
