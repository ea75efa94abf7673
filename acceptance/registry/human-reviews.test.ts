import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { type Client, client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';
import { newName, newStudio, newUser, publishFlagged, type Studio } from '../support/registry-publishing.ts';
import {
  type AuditEntry,
  type NodeVersion,
  type Report,
  STATUS,
  type VersionPage,
} from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('reviews by people', (server) => {
  let studio: Studio;
  let stranger: Client;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
  });
  const anyone = () => client(server.current.url);
  const root = () => admin(server.current);
  const read = async (who: Client, id: string) =>
    (await who.get<NodeVersion>(`/nodes/${id}/versions/1.0.0`)).body;
  const waiting = async (id: string) =>
    (await root().get<VersionPage>(`/admin/nodeversions?review_requested=true&nodeId=${id}`)).body.versions;
  const askFor = async ({ node_id: id, id: versionId }: NodeVersion, body: unknown) =>
    await studio.owner.post<NodeVersion>(
      `/publishers/${studio.id}/nodes/${id}/versions/${versionId}/request-review`,
      body,
    );

  test('[REG-151] administrators see what the owner wrote and when, owners that it waits, others nothing', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    assert.equal('review_request' in (await read(studio.owner, id)), false);
    const { body } = await askFor(flagged, { note: 'make is harmless' });
    assert.equal(body.review_request?.note, 'make is harmless');
    const [seen] = await waiting(id);
    assert.equal(seen?.review_request?.note, 'make is harmless');
    const asked = Date.parse(seen.review_request.requested_at);
    assert.ok(asked >= Date.parse(flagged.createdAt) && asked <= Date.now());
    assert.deepEqual((await read(studio.owner, id)).review_request, seen.review_request);
    for (const who of [stranger, anyone()]) {
      assert.equal('review_request' in (await read(who, id)), false);
      for (const path of [
        `/nodes/${id}/versions?include_status_reason=true`,
        `/versions?nodeId=${id}&include_status_reason=true`,
      ]) {
        const text = JSON.stringify((await who.get(path)).body);
        assert.match(text, /findings/, path);
        assert.doesNotMatch(text, /review_request|check_report|make is harmless/, path);
      }
    }
    await root().put(`/admin/nodes/${id}/versions/1.0.0`, {
      status: STATUS.flagged,
      status_reason: 'It is not.',
    });
    assert.equal('review_request' in (await read(studio.owner, id)), false);
    assert.deepEqual(await waiting(id), []);
  });

  test('[REG-151] a review without a note has none, and a second request takes the place of the first', async () => {
    const flagged = await publishFlagged(server.current, studio, newName('pack'));
    await askFor(flagged, { note: 'first' });
    const { body } = await askFor(flagged, {});
    assert.deepEqual(Object.keys(body.review_request ?? {}), ['requested_at']);
  });

  test('[REG-152] what the checks found stays, whatever is decided', async () => {
    const id = newName('pack');
    const flagged = await publishFlagged(server.current, studio, id);
    assert.equal((await read(studio.owner, id)).check_report, flagged.status_reason);
    for (const decision of [
      { status: STATUS.active, status_reason: 'Looked at by hand.' },
      { status_reason: 'Said otherwise.' },
      { status: STATUS.banned },
      { status: STATUS.deleted, status_reason: 'Gone.' },
    ]) {
      const { status, body } = await root().put<NodeVersion>(`/admin/nodes/${id}/versions/1.0.0`, decision);
      assert.equal(status, 200);
      assert.equal(body.status_reason, decision.status_reason);
      assert.equal(body.check_report, flagged.status_reason);
      const report: Report = JSON.parse(body.check_report ?? '');
      assert.ok(report.findings.length > 0);
      if (decision.status === STATUS.deleted) continue;
      assert.equal((await read(studio.owner, id)).check_report, flagged.status_reason);
      for (const who of [stranger, anyone()]) assert.equal('check_report' in (await read(who, id)), false);
    }
  });

  test('[REG-155] a change that names nothing leaves no entry', async () => {
    const id = newName('pack');
    const version = await publishFlagged(server.current, studio, id);
    const entries = async () =>
      (await root().get<{ entries: AuditEntry[] }>(`/admin/audit?subject=publisher:${studio.id}&limit=500`))
        .body.entries.length;
    const before_ = await entries();
    const { body: node } = await anyone().get(`/nodes/${id}`);
    const own = `/publishers/${studio.id}/nodes/${id}`;
    for (const [who, path] of [
      [root(), `/admin/nodes/${id}/versions/1.0.0`],
      [root(), `/admin/nodes/${id}`],
      [studio.owner, `${own}/versions/${version.id}`],
      [studio.owner, own],
      [studio.owner, `/publishers/${studio.id}`],
    ] as const) {
      for (const body of [{}, { unknown: 'field', status: null }]) {
        assert.equal((await who.put(path, body)).status, 200, path);
      }
    }
    assert.equal((await studio.owner.post(`/nodes/${id}/translations`, { data: {} })).status, 201);
    assert.equal(await entries(), before_);
    assert.deepEqual((await anyone().get(`/nodes/${id}`)).body, node);
  });
});
