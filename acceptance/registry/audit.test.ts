import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin, newPerson } from '../support/people.ts';
import {
  newName,
  newStudio,
  newUser,
  publishActive,
  publishFlagged,
} from '../support/registry-publishing.ts';
import { type AuditEntry, type Member, STATUS } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

interface AuditLog {
  readonly entries: readonly AuditEntry[];
  readonly next_before?: number;
}

onEachEngine('audit', (server) => {
  let stranger: Client;
  before(async () => {
    stranger = await newUser(server.current);
  });
  const root = () => admin(server.current);
  const log = async (query: string) => (await root().get<AuditLog>(`/admin/audit?${query}`)).body;
  const subjectOf = (...parts: readonly string[]) => `subject=${encodeURIComponent(parts.join('/'))}`;

  test('[REG-136] [REG-138] every deed has its author, subject and time, and no token in it', async () => {
    const studio = await newStudio(server.current);
    const base = `/publishers/${studio.id}`;
    const { email } = await newPerson(server.current);
    const joined = await studio.owner.post<Member>(`${base}/members`, { email, role: 'member' });
    await studio.owner.put(`${base}/members/${joined.body.id}`, { role: 'owner' });
    await studio.owner.delete(`${base}/members/${joined.body.id}`);
    await studio.owner.put(base, { name: 'Renamed' });

    const created = newName('pack');
    await studio.owner.post(`${base}/nodes`, { id: created });
    await studio.owner.put(`${base}/nodes/${created}`, { name: 'Renamed' });
    await studio.owner.post(`/nodes/${created}/translations`, { data: { fr: { name: 'x' } } });
    await studio.owner.delete(`${base}/nodes/${created}`);

    const pack = newName('pack');
    const version = await publishFlagged(server.current, studio, pack);
    const versionPath = `${base}/nodes/${pack}/versions/${version.id}`;
    await studio.owner.post(`${versionPath}/request-review`, {});
    await root().put(`/admin/nodes/${pack}/versions/1.0.0`, { status: STATUS.active });
    await studio.owner.put(versionPath, { deprecated: true });
    await studio.owner.delete(versionPath);
    for (const path of [`${base}/nodes/${pack}`, base]) {
      await root().post(`${path}/ban`, { reason: 'spam' });
      await root().post(`${path}/unban`);
    }
    await studio.owner.delete(`${base}/nodes/${pack}`);
    const [token] = (await studio.owner.get<{ id: string }[]>(`${base}/tokens`)).body;
    await studio.owner.delete(`${base}/tokens/${token?.id}`);
    await studio.owner.delete(base);

    const { entries } = await log(`${subjectOf(`publisher:${studio.id}`)}&limit=500`);
    const owner = `user:${studio.person.id}`;
    const { body: me } = await root().get('/users');
    const administrator = `user:${String(me['id'])}`;
    const own = `publisher:${studio.id}`;
    const deeds = entries
      .toReversed()
      .map(({ actor, action, subject }) => [actor.replace(/^token:.*/, 'token'), action, subject]);
    assert.deepEqual(deeds, [
      [owner, 'publisher.create', own],
      [owner, 'token.create', own],
      [owner, 'member.add', own],
      [owner, 'member.role', own],
      [owner, 'member.remove', own],
      [owner, 'publisher.update', own],
      [owner, 'node.create', `${own}/node:${created}`],
      [owner, 'node.update', `${own}/node:${created}`],
      [owner, 'node.translate', `${own}/node:${created}`],
      [owner, 'node.delete', `${own}/node:${created}`],
      ['token', 'version.publish', `${own}/node:${pack}/version:1.0.0`],
      ['server', 'version.flagged', `${own}/node:${pack}/version:1.0.0`],
      [owner, 'version.request_review', `${own}/node:${pack}/version:1.0.0`],
      [administrator, 'version.decide', `${own}/node:${pack}/version:1.0.0`],
      [owner, 'version.update', `${own}/node:${pack}/version:1.0.0`],
      [owner, 'version.delete', `${own}/node:${pack}/version:1.0.0`],
      [administrator, 'node.ban', `${own}/node:${pack}`],
      [administrator, 'node.unban', `${own}/node:${pack}`],
      [administrator, 'publisher.ban', own],
      [administrator, 'publisher.unban', own],
      [owner, 'node.delete', `${own}/node:${pack}`],
      [owner, 'token.delete', own],
      [owner, 'publisher.delete', own],
    ]);
    assert.equal(JSON.stringify(entries).includes(studio.token), false);
    const published = entries.find(({ action }) => action === 'version.publish');
    assert.equal(published?.actor, `token:${token?.id}`);
    for (const { at } of entries) assert.equal(new Date(at).toISOString(), at);
    const times = entries.map(({ at }) => at);
    assert.deepEqual(times, times.toSorted().toReversed());
  });

  test('[REG-136] [REG-16] what was refused is not in it', async () => {
    const studio = await newStudio(server.current);
    const before_ = (await log(subjectOf(`publisher:${studio.id}`))).entries.length;
    await stranger.put(`/publishers/${studio.id}`, { name: 'mine' });
    await stranger.delete(`/publishers/${studio.id}`);
    await studio.owner.delete(`/publishers/${studio.id}/tokens/nothing`);
    await stranger.post(`/publishers/${studio.id}/ban`, { reason: 'x' });
    assert.equal((await log(subjectOf(`publisher:${studio.id}`))).entries.length, before_);
  });

  test('[REG-137] a subject covers what is below it and nothing beside', async () => {
    const studio = await newStudio(server.current);
    const pack = newName('pack');
    await publishActive(server.current, studio, pack);
    await studio.owner.post(`/publishers/${studio.id}/nodes`, { id: `${pack}-2` });
    const own = `publisher:${studio.id}`;
    const actions = async (...parts: readonly string[]) =>
      (await log(subjectOf(...parts))).entries.map(({ action }) => action);
    assert.deepEqual(await actions(own, `node:${pack}`, 'version:1.0.0'), [
      'version.active',
      'version.publish',
    ]);
    assert.deepEqual(await actions(own, `node:${pack}`), ['version.active', 'version.publish']);
    assert.deepEqual(await actions(own), [
      'node.create',
      'version.active',
      'version.publish',
      'token.create',
      'publisher.create',
    ]);
    assert.deepEqual(await actions(own.slice(0, -1)), []);
    assert.deepEqual(await actions('%'), []);
  });

  test('[REG-137] an actor selects, and pages follow each other', async () => {
    const studio = await newStudio(server.current);
    for (let index = 0; index < 4; index += 1) {
      await studio.owner.put(`/publishers/${studio.id}`, { name: `Name ${index}` });
    }
    const actor = `actor=${encodeURIComponent(`user:${studio.person.id}`)}`;
    const { entries: all } = await log(actor);
    assert.equal(all.length, 6);
    const seen: AuditEntry[] = [];
    let before_: number | undefined;
    for (let page = 0; page < 4; page += 1) {
      const next = await log(`${actor}&limit=2${before_ === undefined ? '' : `&before=${before_}`}`);
      seen.push(...next.entries);
      before_ = next.next_before;
      if (before_ === undefined) break;
    }
    assert.deepEqual(seen, all);
    for (const query of ['limit=0', 'limit=501', 'limit=x', 'before=0', 'before=x']) {
      const { status, body } = await root().get(`/admin/audit?${query}`);
      assert.equal(status, 400, query);
      assertShape(body, 'error');
    }
  });

  test('[REG-137] only administrators read it', async () => {
    const { status, body } = await stranger.get('/admin/audit');
    assert.equal(status, 403);
    assertShape(body, 'error');
    assert.equal((await client(server.current.url).get('/admin/audit')).status, 401);
  });
});
