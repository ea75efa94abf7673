import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { ODD_NAMES } from '../support/odd-names.ts';
import { admin, newKey, newPerson } from '../support/people.ts';
import {
  assertNoNull,
  newName,
  newStudio,
  newUser,
  publish,
  type Studio,
  tryPublish,
} from '../support/registry-publishing.ts';
import type { Publisher } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

const ODD_IDS = [
  'Studio',
  'studio_one',
  'studio one',
  'stüdio',
  '1studio',
  '-studio',
  'studio.one',
  'studio/one',
  'studio\n',
  '',
  'x'.repeat(101),
  7,
  ['studio'],
  {},
];

onEachEngine('publishers', (server) => {
  let studio: Studio;
  let stranger: Client;
  before(async () => {
    studio = await newStudio(server.current);
    stranger = await newUser(server.current);
  });
  const anyone = () => client(server.current.url);

  test('[REG-17] [REG-1] creating answers 201 with the publisher, and its creator is the owner', async () => {
    const owner = await newUser(server.current);
    const texts = {
      name: 'Blue Studio',
      description: 'Makes things blue.',
      logo: 'https://example.org/logo.png',
      source_code_repo: 'https://example.org/code',
      support: 'help@example.org',
      website: 'https://example.org',
    };
    const id = newName();
    const { status, body } = await owner.post<Publisher>('/publishers', { id, ...texts });
    assert.equal(status, 201);
    const { createdAt, members, ...rest } = body;
    assert.deepEqual(rest, { id, ...texts, status: 'PublisherStatusActive' });
    assert.equal(new Date(createdAt).toISOString(), createdAt);
    assert.deepEqual(
      members?.map(({ role }) => role),
      ['owner'],
    );
    const { body: read } = await anyone().get<Publisher>(`/publishers/${id}`);
    assert.equal(read.createdAt, createdAt);
  });

  test('[REG-5] a publisher that says nothing of itself has no empty fields', async () => {
    const id = newName();
    const { status, body } = await (await newUser(server.current)).post('/publishers', { id });
    assert.equal(status, 201);
    assertNoNull(body);
    for (const field of ['description', 'logo', 'source_code_repo', 'support', 'website']) {
      assert.equal(field in body, false, field);
    }
  });

  test('[REG-139] a name that is not one line of text gets 400 with a sentence', async () => {
    const owner = await newUser(server.current);
    for (const name of ODD_NAMES) {
      for (const answer of [
        await owner.post('/publishers', { id: newName(), name }),
        await studio.owner.put(`/publishers/${studio.id}`, { name }),
        await studio.owner.post(`/publishers/${studio.id}/tokens`, { name }),
      ]) {
        assert.equal(answer.status, 400, JSON.stringify(name));
        assertShape(answer.body, 'error');
        assert.match(String(answer.body['message']), /one line/);
      }
    }
    assert.deepEqual((await owner.get('/users/publishers/')).body, []);
    const { body } = await anyone().get<Publisher>(`/publishers/${studio.id}`);
    assert.equal(body.name, 'A studio');
    const proper = 'Ateliér 工房 סטודיו 🎨';
    assert.equal(
      (await owner.post<Publisher>('/publishers', { id: newName(), name: proper })).body.name,
      proper,
    );
  });

  test('[REG-2] a member has an id, a role and a user with id, name and e-mail', async () => {
    const { body } = await studio.owner.get<Publisher>(`/publishers/${studio.id}`);
    const [member] = body.members ?? [];
    assert.ok(member);
    assert.deepEqual(Object.keys(member).toSorted(), ['id', 'role', 'user']);
    assert.equal(member.role, 'owner');
    assert.equal(member.user.id, studio.person.id);
    assert.equal(member.user.email, studio.person.email);
    assert.equal(typeof member.user.name, 'string');
  });

  test('[REG-18] an id that is not lower-case letters, digits and hyphens gets 400', async () => {
    for (const id of ODD_IDS) {
      const { status, body } = await stranger.post('/publishers', { id, name: 'x' });
      assert.equal(status, 400, JSON.stringify(id));
      assertShape(body, 'error');
    }
    assert.equal((await stranger.post('/publishers', { name: 'no id' })).status, 400);
    assert.deepEqual((await stranger.get('/users/publishers/')).body, []);
  });

  test('[REG-18] an id may have one character, and a hundred', async () => {
    const root = admin(server.current);
    for (const id of ['q', `z${'-9'.repeat(49)}x`]) {
      assert.equal((await root.post('/publishers', { id })).status, 201);
      assert.equal((await root.delete(`/publishers/${id}`)).status, 204);
    }
  });

  test('[REG-19] a taken id gets 400 with a sentence that names it', async () => {
    const { status, body } = await stranger.post('/publishers', { id: studio.id, name: 'mine now' });
    assert.equal(status, 400);
    assertShape(body, 'error');
    assert.ok(String(body['message']).includes(studio.id));
    const { body: read } = await anyone().get<Publisher>(`/publishers/${studio.id}`);
    assert.equal(read.name, 'A studio');
  });

  test('[REG-19] of two who ask for the same id at once, one gets it', async () => {
    const people = await Promise.all([newUser(server.current), newUser(server.current)]);
    for (let round = 0; round < 4; round += 1) {
      const id = newName();
      const answers = await Promise.all(people.map(async (one) => await one.post('/publishers', { id })));
      assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 400]);
      const { body } = await anyone().get<Publisher>(`/publishers/${id}`);
      assert.equal(body.members?.length, 1);
    }
  });

  test('[REG-20] the sixth publisher gets 403, also when all are asked for at once', async () => {
    const user = await newUser(server.current);
    const ids = Array.from({ length: 8 }, () => newName());
    const answers = await Promise.all(ids.map(async (id) => await user.post('/publishers', { id })));
    assert.equal(answers.filter(({ status }) => status === 201).length, 5);
    const refused = answers.filter(({ status }) => status === 403);
    assert.equal(refused.length, 3);
    for (const { body } of refused) assertShape(body, 'error');
    const { body: own } = await user.get<Publisher[]>('/users/publishers/');
    assert.equal(own.length, 5);

    assert.equal((await user.delete(`/publishers/${own[0]?.id}`)).status, 204);
    assert.equal((await user.post('/publishers', { id: newName() })).status, 201);
  });

  test('[REG-20] a membership does not count, and an administrator may own more', async () => {
    const { id: other, owner } = await newStudio(server.current);
    const joined = await newStudio(server.current);
    const membership = { email: joined.person.email, role: 'member' };
    assert.equal((await owner.post(`/publishers/${other}/members`, membership)).status, 201);
    for (let count = 1; count < 5; count += 1) {
      assert.equal((await joined.owner.post('/publishers', { id: newName() })).status, 201);
    }
    assert.equal((await joined.owner.post('/publishers', { id: newName() })).status, 403);

    const root = admin(server.current);
    for (let count = 0; count < 7; count += 1) {
      assert.equal((await root.post('/publishers', { id: newName() })).status, 201);
    }
  });

  test('[REG-21] a publisher is read without a credential; an unknown one gets 404', async () => {
    const { status, body } = await anyone().get<Publisher>(`/publishers/${studio.id}`);
    assert.equal(status, 200);
    assert.equal(body.id, studio.id);
    assert.equal(body.members?.length, 1);
    const missing = await anyone().get(`/publishers/${newName()}`);
    assert.equal(missing.status, 404);
    assertShape(missing.body, 'error');
  });

  test('[REG-22] the caller is told who it is', async () => {
    const { status, body } = await studio.owner.get('/users');
    assert.equal(status, 200);
    const { name, ...rest } = body;
    assert.equal(typeof name, 'string');
    const { id, email } = studio.person;
    assert.deepEqual(rest, { id, email, isAdmin: false, isApproved: true });
    assert.equal((await admin(server.current).get('/users')).body['isAdmin'], true);
    assert.equal((await anyone().get('/users')).status, 401);
  });

  test('[REG-23] the publishers of the caller, as owner and as member, with or without the last slash', async () => {
    const { id: other, owner } = await newStudio(server.current);
    const joined = await newStudio(server.current);
    await owner.post(`/publishers/${other}/members`, { email: joined.person.email, role: 'member' });
    for (const path of ['/users/publishers/', '/users/publishers']) {
      const { status, body } = await joined.owner.get<Publisher[]>(path);
      assert.equal(status, 200);
      assert.deepEqual(body.map(({ id }) => id).toSorted(), [joined.id, other].toSorted());
      assert.equal((await anyone().get(path)).status, 401);
    }
    assert.deepEqual((await stranger.get('/users/publishers/')).body, []);
  });

  test('[REG-24] an id is told to be free only when it is', async () => {
    const free = newName();
    const { status, body } = await anyone().get(`/publishers/validate?username=${free}`);
    assert.equal(status, 200);
    assert.deepEqual(body, { isAvailable: true });
    for (const query of ['', '?username=', '?username=Studio', `?username=${studio.id}`]) {
      const answer = await anyone().get(`/publishers/validate${query}`);
      assert.equal(answer.status, 400, query);
      assertShape(answer.body, 'error');
    }
  });

  test('[REG-25] all publishers are listed for anyone with a credential', async () => {
    const { status, body } = await stranger.get<Publisher[]>('/publishers?limit=1000');
    assert.equal(status, 200);
    assert.ok(body.some(({ id }) => id === studio.id));
    assertNoNull(body);
    const { body: alone } = await anyone().get<Publisher>(`/publishers/${studio.id}`);
    assert.deepEqual(
      body.find(({ id }) => id === studio.id),
      alone,
    );
    const { body: own } = await studio.owner.get<Publisher[]>('/publishers?limit=1000');
    const [member] = own.find(({ id }) => id === studio.id)?.members ?? [];
    assert.equal(member?.user.email, studio.person.email);
    assert.equal((await anyone().get('/publishers')).status, 401);
  });

  test('[REG-25] all of them are listed without a limit in the query', async () => {
    const root = admin(server.current);
    const ids = Array.from({ length: 12 }, () => newName());
    for (const id of ids) assert.equal((await root.post('/publishers', { id })).status, 201);
    const { body } = await stranger.get<Publisher[]>('/publishers');
    const listed = new Set(body.map(({ id }) => id));
    assert.deepEqual(
      ids.filter((id) => !listed.has(id)),
      [],
    );
  });

  test('[REG-26] an update changes what is named, keeps the rest, and cannot touch id or status', async () => {
    const { id, owner } = await newStudio(server.current);
    await owner.put(`/publishers/${id}`, { website: 'https://example.org', support: 'mail' });
    const { status, body } = await owner.put<Publisher>(`/publishers/${id}`, {
      id: newName(),
      name: 'Renamed',
      description: null,
      status: 'PublisherStatusBanned',
      createdAt: '2001-01-01T00:00:00Z',
      members: [],
    });
    assert.equal(status, 200);
    const { body: read } = await owner.get<Publisher>(`/publishers/${id}`);
    assert.deepEqual(read, body);
    const { createdAt, members, ...rest } = read;
    assert.deepEqual(rest, {
      id,
      name: 'Renamed',
      website: 'https://example.org',
      support: 'mail',
      status: 'PublisherStatusActive',
    });
    assert.notEqual(createdAt.slice(0, 4), '2001');
    assert.equal(members?.length, 1);
  });

  test('[REG-26] an update by a stranger gets 403, of an unknown publisher 404, with a wrong type 400', async () => {
    const path = `/publishers/${studio.id}`;
    assert.equal((await anyone().put(path, { name: 'x' })).status, 401);
    assert.equal((await stranger.put(path, { name: 'x' })).status, 403);
    assert.equal((await stranger.put(`/publishers/${newName()}`, { name: 'x' })).status, 404);
    assert.equal((await studio.owner.put(path, { name: 7 })).status, 400);
    assert.equal((await studio.owner.put(path, { description: 'x'.repeat(1001) })).status, 400);
    assert.equal((await anyone().get<Publisher>(path)).body.name, 'A studio');
  });

  test('[REG-27] an owner deletes with 204 and no body, and the publisher is gone', async () => {
    const { id, owner, token } = await newStudio(server.current);
    const { status, body } = await owner.delete(`/publishers/${id}`);
    assert.equal(status, 204);
    assert.equal(body, '');
    assert.equal((await anyone().get(`/publishers/${id}`)).status, 404);
    assert.equal((await owner.delete(`/publishers/${id}`)).status, 404);
    assert.equal((await owner.get(`/publishers/${id}/tokens`)).status, 404);
    await assert.rejects(async () => await publish(server.current, { id, token }, newName('pack')), /400/);
  });

  test('[REG-27] an administrator deletes any publisher; a stranger gets 403 and changes nothing', async () => {
    const { id } = await newStudio(server.current);
    assert.equal((await anyone().delete(`/publishers/${id}`)).status, 401);
    const refused = await stranger.delete(`/publishers/${id}`);
    assert.equal(refused.status, 403);
    assertShape(refused.body, 'error');
    assert.equal((await anyone().get(`/publishers/${id}`)).status, 200);
    const unknown = await stranger.delete(`/publishers/${newName()}`);
    assert.equal(unknown.status, 404);
    assertShape(unknown.body, 'error');
    assert.equal((await admin(server.current).delete(`/publishers/${id}`)).status, 204);
  });

  test('[REG-28] a publisher with nodes cannot be deleted, and stays whole', async () => {
    const { id, owner, token } = await newStudio(server.current);
    const pack = newName('pack');
    await publish(server.current, { id, token }, pack);
    for (const who of [owner, admin(server.current)]) {
      const { status, body } = await who.delete(`/publishers/${id}`);
      assert.equal(status, 409);
      assertShape(body, 'error');
    }
    assert.equal((await owner.get<unknown[]>(`/publishers/${id}/tokens`)).body.length, 1);
    await publish(server.current, { id, token }, pack, { version: '1.0.1' });
    assert.equal((await owner.delete(`/publishers/${id}/nodes/${pack}`)).status, 204);
    assert.equal((await owner.delete(`/publishers/${id}`)).status, 204);
  });

  test('[REG-28] of a publish and a deletion at once, one succeeds', async () => {
    for (let round = 0; round < 8; round += 1) {
      const leaving = await newStudio(server.current);
      const { email } = await newPerson(server.current);
      const [published, created, joined, deleted] = await Promise.all([
        tryPublish(server.current, leaving, newName('pack')),
        leaving.owner.post(`/publishers/${leaving.id}/nodes`, { id: newName('pack') }),
        leaving.owner.post(`/publishers/${leaving.id}/members`, { email, role: 'member' }),
        leaving.owner.delete(`/publishers/${leaving.id}`),
      ]);
      const answers = [published.status, created.status, joined.status, deleted.status].join();
      const isGone = (await anyone().get(`/publishers/${leaving.id}`)).status === 404;
      assert.equal(deleted.status, isGone ? 204 : 409, answers);
      if (!isGone) continue;
      assert.notEqual(published.status, 201, answers);
      assert.notEqual(created.status, 201, answers);
    }
  });

  test('[REG-29] the id of a publisher that never had a node is free again', async () => {
    const { id, owner } = await newStudio(server.current);
    await owner.delete(`/publishers/${id}`);
    assert.equal((await anyone().get(`/publishers/validate?username=${id}`)).status, 200);
    assert.equal((await (await newUser(server.current)).post('/publishers', { id })).status, 201);
  });

  test('[REG-29] the id of a publisher that ever had a node is never free again', async () => {
    const { id, owner } = await newStudio(server.current);
    const pack = newName('pack');
    assert.equal((await owner.post(`/publishers/${id}/nodes`, { id: pack })).status, 201);
    await owner.delete(`/publishers/${id}/nodes/${pack}`);
    assert.equal((await owner.delete(`/publishers/${id}`)).status, 204);
    assert.equal((await anyone().get(`/publishers/${id}`)).status, 404);
    assert.equal((await anyone().get(`/publishers/validate?username=${id}`)).status, 400);
    assert.equal((await owner.post('/publishers', { id })).status, 400);
    assert.equal((await owner.get<Publisher[]>('/users/publishers/')).body.length, 0);
  });

  test('[REG-30] owners may edit; others are told 403', async () => {
    const path = `/publishers/${studio.id}/permissions`;
    assert.deepEqual((await studio.owner.get(path)).body, { canEdit: true });
    assert.deepEqual((await admin(server.current).get(path)).body, { canEdit: true });
    assert.equal((await stranger.get(path)).status, 403);
    assert.equal((await anyone().get(path)).status, 401);
    assert.equal((await stranger.get(`/publishers/${newName()}/permissions`)).status, 404);
  });

  test('[REG-15] an API key creates and deletes as its owner does', async () => {
    const { secret } = await newKey(await newUser(server.current));
    const id = newName();
    for (const credential of [{ apiKey: secret }, { bearer: secret }]) {
      const caller = client(server.current.url, credential);
      assert.equal((await caller.post('/publishers', { id })).status, 201);
      assert.equal((await caller.delete(`/publishers/${id}`)).status, 204);
    }
  });
});
