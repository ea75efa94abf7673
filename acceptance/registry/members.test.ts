import assert from 'node:assert/strict';
import { before, test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { admin, newAdministrator, newPerson, type Person, tokenOf } from '../support/people.ts';
import { newName, newStudio, newUser, publish, type Studio } from '../support/registry-publishing.ts';
import type { Member, Publisher } from '../support/registry-wire.ts';
import { onEachEngine } from '../support/servers.ts';

onEachEngine('members', (server) => {
  let stranger: Client;
  before(async () => {
    stranger = await newUser(server.current);
  });

  const join = async ({ id, owner }: Studio, role = 'member') => {
    const person = await newPerson(server.current);
    const { status, body } = await owner.post<Member>(`/publishers/${id}/members`, {
      email: person.email,
      role,
    });
    assert.equal(status, 201);
    const self = client(server.current.url, { bearer: await tokenOf(server.current, person) });
    return { person, self, memberId: body.id, member: body };
  };

  const joinAs = async ({ email }: Person, { id, owner }: Studio) => {
    assert.equal((await owner.post(`/publishers/${id}/members`, { email, role: 'owner' })).status, 201);
  };

  test('[REG-31] an owner adds a member by e-mail in any case, and both are listed', async () => {
    const studio = await newStudio(server.current);
    const person = await newPerson(server.current);
    const { status, body } = await studio.owner.post<Member>(`/publishers/${studio.id}/members`, {
      email: person.email.toUpperCase(),
      role: 'member',
    });
    assert.equal(status, 201);
    assert.equal(body.role, 'member');
    assert.equal(body.user.id, person.id);
    assert.equal(body.user.email, person.email);
    const { body: members } = await studio.owner.get<Member[]>(`/publishers/${studio.id}/members`);
    assert.deepEqual(
      members.map(({ user, role }) => [user.id, role]),
      [
        [studio.person.id, 'owner'],
        [person.id, 'member'],
      ],
    );
  });

  test('[REG-32] an e-mail without an account gets 404, a second time 409, an unknown role 400', async () => {
    const studio = await newStudio(server.current);
    const path = `/publishers/${studio.id}/members`;
    const { person } = await join(studio);
    const unknown = await studio.owner.post(path, { email: 'nobody@example.org', role: 'member' });
    assert.equal(unknown.status, 404);
    assertShape(unknown.body, 'error');
    assert.match(String(unknown.body['message']), /nobody@example\.org/);
    const again = await studio.owner.post(path, { email: person.email, role: 'owner' });
    assert.equal(again.status, 409);
    assertShape(again.body, 'error');
    for (const body of [
      { email: person.email, role: 'admin' },
      { email: person.email },
      { role: 'member' },
      { email: 7, role: 'member' },
      [],
    ]) {
      const { status } = await studio.owner.post(path, body);
      assert.equal(status, 400, JSON.stringify(body));
    }
    const { body: members } = await studio.owner.get<Member[]>(path);
    assert.deepEqual(
      members.map(({ role }) => role),
      ['owner', 'member'],
    );
  });

  test('[REG-32] a member who is added twice at once is a member once', async () => {
    const studio = await newStudio(server.current);
    const { email } = await newPerson(server.current);
    const answers = await Promise.all(
      [1, 2, 3].map(
        async () => await studio.owner.post(`/publishers/${studio.id}/members`, { email, role: 'member' }),
      ),
    );
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 409, 409]);
  });

  test('[REG-33] the right changes with the role at once', async () => {
    const studio = await newStudio(server.current);
    const { self, memberId } = await join(studio);
    const path = `/publishers/${studio.id}/members/${memberId}`;
    assert.equal((await self.put(`/publishers/${studio.id}`, { name: 'mine' })).status, 403);

    const promoted = await studio.owner.put<Member>(path, { role: 'owner' });
    assert.equal(promoted.status, 200);
    assert.equal(promoted.body.role, 'owner');
    assert.equal(promoted.body.id, memberId);
    assert.equal((await self.put(`/publishers/${studio.id}`, { name: 'ours' })).status, 200);

    assert.equal((await studio.owner.put(path, { role: 'member' })).status, 200);
    assert.equal((await self.put(`/publishers/${studio.id}`, { name: 'mine' })).status, 403);
    assert.equal((await studio.owner.delete(path)).status, 204);
    assert.deepEqual((await self.get('/users/publishers/')).body, []);
    assert.equal((await studio.owner.get<Member[]>(`/publishers/${studio.id}/members`)).body.length, 1);
  });

  test('[REG-33] an unknown member, and one of another publisher, get 404', async () => {
    const studio = await newStudio(server.current);
    const { memberId } = await join(await newStudio(server.current));
    for (const id of [memberId, 'nobody']) {
      const path = `/publishers/${studio.id}/members/${id}`;
      const { status, body } = await studio.owner.delete(path);
      assert.equal(status, 404);
      assertShape(body, 'error');
      assert.equal((await studio.owner.put(path, { role: 'owner' })).status, 404);
    }
    const nowhere = `/publishers/${newName()}/members`;
    assert.equal((await studio.owner.get(nowhere)).status, 404);
    assert.equal((await studio.owner.put(`${nowhere}/${memberId}`, { role: 'chief' })).status, 400);
  });

  test('[REG-34] the last owner can be neither removed nor made a member', async () => {
    const studio = await newStudio(server.current);
    await join(studio);
    const path = `/publishers/${studio.id}/members`;
    const [own] = (await studio.owner.get<Member[]>(path)).body;
    assert.ok(own);
    for (const who of [studio.owner, admin(server.current)]) {
      for (const answer of [
        await who.delete(`${path}/${own.id}`),
        await who.put(`${path}/${own.id}`, { role: 'member' }),
      ]) {
        assert.equal(answer.status, 409);
        assertShape(answer.body, 'error');
      }
    }
    assert.equal((await studio.owner.put(`${path}/${own.id}`, { role: 'owner' })).status, 200);
    assert.equal((await studio.owner.get<Member[]>(path)).body[0]?.role, 'owner');
  });

  test('[REG-34] two owners who remove each other at once leave one', async () => {
    for (let round = 0; round < 3; round += 1) {
      const studio = await newStudio(server.current);
      const second = await join(studio, 'owner');
      const path = `/publishers/${studio.id}/members`;
      const [first] = (await studio.owner.get<Member[]>(path)).body;
      const answers = await Promise.all([
        studio.owner.delete(`${path}/${second.memberId}`),
        second.self.delete(`${path}/${first?.id}`),
      ]);
      assert.equal(answers.filter(({ status }) => status === 204).length, 1);
      const { body } = await admin(server.current).get<Member[]>(path);
      assert.deepEqual(
        body.map(({ role }) => role),
        ['owner'],
      );
    }
  });

  test('[REG-35] neither members nor strangers change anything', async () => {
    const studio = await newStudio(server.current);
    const pack = newName('pack');
    const { node_version: version } = await publish(server.current, studio, pack);
    const [first] = (await studio.owner.get<Member[]>(`/publishers/${studio.id}/members`)).body;
    const { self, memberId, person } = await join(studio);
    const [token] = (await studio.owner.get<{ id: string }[]>(`/publishers/${studio.id}/tokens`)).body;
    const base = `/publishers/${studio.id}`;
    const attempts: readonly (readonly [string, string, unknown?])[] = [
      ['PUT', base, { name: 'mine' }],
      ['DELETE', base],
      ['POST', `${base}/members`, { email: person.email, role: 'owner' }],
      ['PUT', `${base}/members/${memberId}`, { role: 'owner' }],
      ['DELETE', `${base}/members/${first?.id}`],
      ['GET', `${base}/tokens`],
      ['POST', `${base}/tokens`, { name: 'x' }],
      ['DELETE', `${base}/tokens/${token?.id}`],
      ['POST', `${base}/nodes`, { id: newName('pack') }],
      ['PUT', `${base}/nodes/${pack}`, { name: 'mine' }],
      ['DELETE', `${base}/nodes/${pack}`],
      ['PUT', `${base}/nodes/${pack}/versions/${version.id}`, { deprecated: true }],
      ['DELETE', `${base}/nodes/${pack}/versions/${version.id}`],
      ['POST', `${base}/nodes/${pack}/versions/${version.id}/request-review`, {}],
      ['GET', `${base}/permissions`],
      ['GET', `${base}/nodes/${pack}/permissions`],
    ];
    for (const who of [self, stranger]) {
      for (const [method, path, body] of attempts) {
        const answer = await who.request(method, path, body === undefined ? {} : { body });
        assert.equal(answer.status, 403, `${method} ${path}`);
        assertShape(answer.body, 'error');
      }
    }
    const anyone = client(server.current.url);
    assert.equal((await anyone.get<Publisher>(base)).body.name, 'A studio');
    assert.equal((await anyone.get(`/nodes/${pack}`)).body['name'], pack);
    assert.equal((await anyone.get(`/nodes/${pack}/versions/1.0.0`)).body['deprecated'], false);
  });

  test('[REG-144] nobody who owns five publishers is made an owner of another, by adding or by promoting', async () => {
    const busy = await newStudio(server.current);
    for (let count = 1; count < 5; count += 1) {
      assert.equal((await busy.owner.post('/publishers', { id: newName() })).status, 201);
    }
    const studio = await newStudio(server.current);
    const path = `/publishers/${studio.id}/members`;
    const refused = await studio.owner.post(path, { email: busy.person.email, role: 'owner' });
    assert.equal(refused.status, 403);
    assertShape(refused.body, 'error');
    assert.match(String(refused.body['message']), /owns 5 publishers already/);

    const { status, body } = await studio.owner.post<Member>(path, {
      email: busy.person.email,
      role: 'member',
    });
    assert.equal(status, 201);
    assert.equal((await studio.owner.put(`${path}/${body.id}`, { role: 'owner' })).status, 403);
    assert.equal((await studio.owner.put(`${path}/${body.id}`, { role: 'member' })).status, 200);
    assert.equal((await busy.owner.put(`/publishers/${studio.id}`, { name: 'mine' })).status, 403);

    assert.equal((await admin(server.current).put(`${path}/${body.id}`, { role: 'owner' })).status, 200);
    assert.equal((await studio.owner.put(`${path}/${body.id}`, { role: 'owner' })).status, 200);
  });

  test('[REG-144] an administrator is made an owner of any number', async () => {
    const person = await newAdministrator(server.current);
    for (let count = 0; count < 6; count += 1) await joinAs(person, await newStudio(server.current));
  });

  test('[REG-20] [REG-144] nobody uses up the five of another by making them an owner', async () => {
    const victim = await newPerson(server.current);
    const { owner } = await newStudio(server.current);
    for (let count = 0; count < 5; count += 1) await joinAs(victim, await newStudio(server.current));
    const sixth = await newStudio(server.current);
    const answer = await sixth.owner.post(`/publishers/${sixth.id}/members`, {
      email: victim.email,
      role: 'owner',
    });
    assert.equal(answer.status, 403);
    const self = client(server.current.url, { bearer: await tokenOf(server.current, victim) });
    for (let count = 0; count < 5; count += 1) {
      assert.equal((await self.post('/publishers', { id: newName() })).status, 201);
    }
    assert.equal((await self.post('/publishers', { id: newName() })).status, 403);
    assert.equal((await owner.get<Publisher[]>('/users/publishers/')).body.length, 1);
  });

  test('[REG-145] a member leaves, and so does an owner who is not the last', async () => {
    const studio = await newStudio(server.current);
    const path = `/publishers/${studio.id}/members`;
    const [first] = (await studio.owner.get<Member[]>(path)).body;
    const [member, owner] = [await join(studio), await join(studio, 'owner')];
    assert.equal((await member.self.delete(`${path}/${owner.memberId}`)).status, 403);
    for (const { self, memberId } of [member, owner]) {
      assert.equal((await self.delete(`${path}/${memberId}`)).status, 204);
      assert.deepEqual((await self.get('/users/publishers/')).body, []);
      assert.equal((await self.delete(`${path}/${memberId}`)).status, 403);
    }
    const last = await studio.owner.delete(`${path}/${first?.id}`);
    assert.equal(last.status, 409);
    assertShape(last.body, 'error');
  });

  test('[REG-145] a member leaves a banned publisher too', async () => {
    const studio = await newStudio(server.current);
    const { self, memberId } = await join(studio);
    await admin(server.current).post(`/publishers/${studio.id}/ban`, { reason: 'spam' });
    assert.equal((await self.delete(`/publishers/${studio.id}/members/${memberId}`)).status, 204);
  });

  /** An account that was given no name has the first part of its e-mail. */
  const nameOf = ({ email }: Person) => email.split('@', 1)[0];

  test('[REG-36] [REG-2] e-mails are for members and administrators, ids and names for everybody', async () => {
    const studio = await newStudio(server.current);
    const { self, person } = await join(studio);
    const pack = newName('pack');
    await publish(server.current, studio, pack);
    const path = `/publishers/${studio.id}`;
    for (const who of [self, studio.owner, admin(server.current)]) {
      const { body } = await who.get<Publisher>(path);
      assert.deepEqual(
        body.members?.map(({ user }) => user.email),
        [studio.person.email, person.email],
      );
    }
    const anyone = client(server.current.url);
    const forged = client(server.current.url, { bearer: 'forged' });
    for (const who of [anyone, stranger, forged]) {
      const { body } = await who.get<Publisher>(path);
      assert.deepEqual(
        body.members?.map(({ role, user }) => ({ role, user })),
        [
          { role: 'owner', user: { id: studio.person.id, name: nameOf(studio.person) } },
          { role: 'member', user: { id: person.id, name: nameOf(person) } },
        ],
      );
    }
    for (const place of [
      `/nodes/${pack}`,
      `/nodes?node_id=${pack}`,
      `/nodes/search?search=${pack}`,
      '/nodes/export',
      `${path}/nodes`,
      `${path}/nodes/v2`,
      `/nodes/${pack}/versions`,
    ]) {
      assert.equal(JSON.stringify((await anyone.get(place)).body).includes('@example.org'), false, place);
    }
    assert.equal(JSON.stringify((await stranger.get('/publishers?limit=1000')).body).includes('@'), false);
  });
});
