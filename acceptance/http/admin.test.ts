import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newAdministrator, newKey, newPerson, tokenOf } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

const NOBODY = '00000000-0000-7000-8000-000000000000';

interface Account {
  readonly id: string;
  readonly email: string;
  readonly name: string;
  readonly role: string;
  readonly status: string;
  readonly subscription: {
    readonly tier: string;
    readonly status: string;
    readonly period_end?: string;
    readonly concurrent_jobs: number;
  };
  readonly credits: number;
}

onEachEngine('administration', (server) => {
  const root = () => admin(server.current);
  const read = async (id: string) => (await root().get<Account>(`/admin/users/${id}`)).body;

  test('the administrator of the first start has pro, active, and 100 000 credits', async () => {
    const { body } = await root().get<Account>('/customers/me');
    assert.equal(body.role, 'admin');
    assert.equal(body.subscription.tier, 'pro');
    assert.equal(body.subscription.status, 'active');
    assert.equal(body.credits, 100_000);
  });

  test('a new user is answered with 201, on tier free, inactive, without credits', async () => {
    const email = `${randomUUID()}@example.org`;
    const { status, body } = await root().post<Account>('/admin/users', {
      email,
      password: 'long enough',
      name: 'Ada',
    });
    assert.equal(status, 201);
    assert.equal(body.email, email);
    assert.equal(body.name, 'Ada');
    assert.equal(body.role, 'user');
    assert.equal(body.status, 'active');
    assert.deepEqual(body.subscription, { tier: 'free', status: 'inactive', concurrent_jobs: 0 });
    assert.equal(body.credits, 0);
    assert.equal(JSON.stringify(body).includes('long enough'), false);
    assert.deepEqual(await read(body.id), body);
  });

  test('a name may be left out', async () => {
    const { body } = await root().post<Account>('/admin/users', {
      email: `ada-${randomUUID()}@example.org`,
      password: 'long enough',
    });
    assert.ok(body.name.length > 0);
  });

  test('a field nobody knows is ignored: nobody becomes administrator by asking', async () => {
    const { status, body } = await root().post<Account>('/admin/users', {
      email: `${randomUUID()}@example.org`,
      password: 'long enough',
      role: 'admin',
      credits: 5,
    });
    assert.equal(status, 201);
    assert.equal(body.role, 'user');
    assert.equal(body.credits, 0);
  });

  test('what is not an e-mail, password or name answers 400', async () => {
    const email = `${randomUUID()}@example.org`;
    for (const bad of [
      {},
      { email },
      { password: 'long enough' },
      { email: 'nobody', password: 'long enough' },
      { email: 'a b@example.org', password: 'long enough' },
      { email: '@example.org', password: 'long enough' },
      { email: 'ada@', password: 'long enough' },
      { email: `${'a'.repeat(250)}@example.org`, password: 'long enough' },
      { email, password: 'short' },
      { email, password: 'x'.repeat(201) },
      { email, password: 'long enough', name: '' },
      { email, password: 'long enough', name: 'x'.repeat(201) },
      { email, password: 'long enough', name: 7 },
    ]) {
      const { status, body } = await root().post('/admin/users', bad);
      assert.equal(status, 400, JSON.stringify(bad).slice(0, 80));
      assertShape(body, 'error');
    }
  });

  test('an e-mail that is taken answers 409, whatever its case', async () => {
    const { email } = await newPerson(server.current);
    for (const taken of [email, email.toUpperCase(), email.replace('example', 'Example')]) {
      const { status, body } = await root().post('/admin/users', { email: taken, password: 'long enough' });
      assert.equal(status, 409, taken);
      assertShape(body, 'error');
    }
  });

  test('of ten requests for one e-mail at once exactly one gets it', async () => {
    const email = `race-${randomUUID()}@example.org`;
    const answers = await Promise.all(
      Array.from(
        { length: 10 },
        async (_, index) =>
          await root().post('/admin/users', {
            email: index % 2 === 0 ? email : email.toUpperCase(),
            password: `long enough ${index}`,
          }),
      ),
    );
    const statuses = answers.map(({ status }) => status).toSorted();
    assert.deepEqual(statuses, [201, ...Array<number>(9).fill(409)]);
  });

  test('the list has everybody once, in pages', async () => {
    const wanted = [
      await newPerson(server.current),
      await newPerson(server.current),
      await newPerson(server.current),
    ];
    const seen: string[] = [];
    for (let page = 1; ; page += 1) {
      const { status, body } = await root().get<{
        total: number;
        users: Account[];
        page: number;
        limit: number;
        totalPages: number;
      }>(`/admin/users?page=${page}&limit=2`);
      assert.equal(status, 200);
      assert.equal(body.page, page);
      assert.equal(body.limit, 2);
      assert.equal(body.totalPages, Math.ceil(body.total / 2));
      seen.push(...body.users.map((user) => user.id));
      if (page < body.totalPages) assert.equal(body.users.length, 2);
      else {
        assert.equal(seen.length, body.total);
        break;
      }
    }
    assert.equal(new Set(seen).size, seen.length);
    for (const { id } of wanted) assert.ok(seen.includes(id));
    const beyond = await root().get<{ users: Account[] }>('/admin/users?page=1000000&limit=100');
    assert.equal(beyond.status, 200);
    assert.deepEqual(beyond.body.users, []);
  });

  test('a list that does not say how long is no longer than 20', async () => {
    const { body } = await root().get<{ users: Account[]; limit: number }>('/admin/users');
    assert.equal(body.limit, 20);
    assert.ok(body.users.length <= 20);
  });

  test('a banned user is refused everywhere with 403, and let in again', async () => {
    const person = await newPerson(server.current);
    const { email, password } = person;
    const token = await tokenOf(server.current, person);
    const cookie = await cookieOf(server.current, person);
    const { secret } = await newKey(client(server.current.url, { bearer: token }));
    const ways = {
      token: async () => (await client(server.current.url, { bearer: token }).get('/customers/me')).status,
      key: async () => (await client(server.current.url, { apiKey: secret }).get('/customers/me')).status,
      'key as bearer': async () =>
        (await client(server.current.url, { bearer: secret }).get('/customers/me')).status,
      'signing in for a token': async () =>
        (await client(server.current.url).post('/auth/token', { email, password })).status,
      'signing in for a session': async () =>
        (await client(server.current.url).post('/auth/session', { email, password })).status,
    };
    assert.equal((await root().post(`/admin/users/${person.id}/ban`, { reason: 'spam' })).status, 204);
    assert.equal((await read(person.id)).status, 'banned');
    for (const [way, status] of Object.entries(ways)) assert.equal(await status(), 403, way);
    const wrong = await client(server.current.url).post('/auth/token', { email, password: 'wrong password' });
    assert.equal(wrong.status, 401, 'a wrong password does not learn of the ban');

    assert.equal((await root().post(`/admin/users/${person.id}/unban`)).status, 204);
    assert.equal((await read(person.id)).status, 'active');
    for (const [way, status] of Object.entries(ways)) assert.ok([200, 204].includes(await status()), way);
    assert.notEqual((await client(server.current.url, { cookie }).get('/customers/me')).status, 403);
  });

  test('a banned user is refused with 403 in a session that was open', async () => {
    const person = await newPerson(server.current);
    const cookie = await cookieOf(server.current, person);
    assert.equal((await root().post(`/admin/users/${person.id}/ban`, { reason: 'spam' })).status, 204);
    assert.equal((await client(server.current.url, { cookie }).get('/customers/me')).status, 403);
  });

  test('a ban needs a reason: 400 without', async () => {
    const { id } = await newPerson(server.current);
    for (const bad of [{}, { reason: '' }, { reason: 5 }, { reason: 'x'.repeat(1001) }, undefined]) {
      assert.equal((await root().post(`/admin/users/${id}/ban`, bad)).status, 400, JSON.stringify(bad));
    }
    assert.equal((await read(id)).status, 'active');
  });

  test('banning and unbanning twice is not a failure', async () => {
    const { id } = await newPerson(server.current);
    for (const action of ['ban', 'ban', 'unban', 'unban']) {
      assert.equal((await root().post(`/admin/users/${id}/${action}`, { reason: 'again' })).status, 204);
    }
  });

  const ROUTES: readonly (readonly [method: string, rest: string, good: object, bad: object | undefined])[] =
    [
      ['GET', '', {}, undefined],
      ['PUT', '/subscription', { tier: 'pro', status: 'active' }, { tier: 'gold' }],
      ['POST', '/credits', { amount: 1 }, { amount: -1 }],
      ['PUT', '/role', { role: 'user' }, { role: 'king' }],
      ['PUT', '/password', { password: 'long enough' }, { password: 'short' }],
      ['POST', '/ban', { reason: 'test' }, {}],
      ['POST', '/unban', {}, undefined],
    ];
  for (const [method, rest, good, bad] of ROUTES) {
    test(`the order of checks is 401, 400, 404, 403: ${method} /admin/users/{id}${rest}`, async () => {
      const person = await newPerson(server.current);
      const token = await tokenOf(server.current, person);
      const anyone = client(server.current.url);
      const user = client(server.current.url, { bearer: token });
      const options = (body: object) => (method === 'GET' ? {} : { body });
      const unknown = `/admin/users/${NOBODY}${rest}`;
      const known = `/admin/users/${person.id}${rest}`;

      assert.equal((await anyone.request(method, unknown, options(bad ?? good))).status, 401);
      if (bad) assert.equal((await user.request(method, unknown, options(bad))).status, 400);
      for (const caller of [user, root()]) {
        const { status, body } = await caller.request(method, unknown, options(good));
        assert.equal(status, 404);
        assertShape(body, 'error');
      }
      const refused = await user.request(method, known, options(good));
      assert.equal(refused.status, 403);
      assertShape(refused.body, 'error');
      assert.ok((await root().request(method, known, options(good))).status < 300);
    });
  }

  test('only administrators create and list users', async () => {
    const user = client(server.current.url, {
      bearer: await tokenOf(server.current, await newPerson(server.current)),
    });
    const newcomer = { email: `${randomUUID()}@example.org`, password: 'long enough' };
    assert.equal((await user.get('/admin/users')).status, 403);
    assert.equal((await user.get('/admin/users?page=0')).status, 400, '400 comes first');
    assert.equal((await user.post('/admin/users', newcomer)).status, 403);
    assert.equal((await user.post('/admin/users', {})).status, 400, '400 comes first');
    assert.equal((await client(server.current.url).get('/admin/users')).status, 401);
    assert.equal((await client(server.current.url).post('/admin/users', newcomer)).status, 401);
    const { email } = await newPerson(server.current);
    const taken = await user.post('/admin/users', { email, password: 'long enough' });
    assert.equal(taken.status, 403, '403 comes before 409');
  });

  test('an administrator can be made, and unmade at once', async () => {
    const person = await newAdministrator(server.current);
    const token = await tokenOf(server.current, person);
    const other = client(server.current.url, { bearer: token });
    assert.equal((await other.get('/admin/users')).status, 200);
    const { status, body } = await root().put<Account>(`/admin/users/${person.id}/role`, { role: 'user' });
    assert.equal(status, 200);
    assert.equal(body.role, 'user');
    assert.equal((await other.get('/admin/users')).status, 403, 'with the same token');
  });

  test('the last administrator can be neither banned nor demoted', async () => {
    const { id } = (await root().get<Account>('/customers/me')).body;
    for (const { status, body } of [
      await root().put(`/admin/users/${id}/role`, { role: 'user' }),
      await root().post(`/admin/users/${id}/ban`, { reason: 'mutiny' }),
    ]) {
      assert.equal(status, 409);
      assertShape(body, 'error');
    }
    const banned = await newAdministrator(server.current);
    assert.equal((await root().post(`/admin/users/${banned.id}/ban`, { reason: 'test' })).status, 204);
    assert.equal(
      (await root().put(`/admin/users/${id}/role`, { role: 'user' })).status,
      409,
      'a banned administrator does not count',
    );
    assert.equal((await root().get('/admin/users')).status, 200);
  });

  test('of two administrators who demote one another at once exactly one succeeds', async () => {
    const { id: rootId } = (await root().get<Account>('/customers/me')).body;
    for (let round = 0; round < 5; round += 1) {
      const rival = await newAdministrator(server.current);
      const { secret } = await newKey(
        client(server.current.url, { bearer: await tokenOf(server.current, rival) }),
      );
      const rivalClient = client(server.current.url, { apiKey: secret });
      const answers = await Promise.all([
        root().put(`/admin/users/${rival.id}/role`, { role: 'user' }),
        rivalClient.put(`/admin/users/${rootId}/role`, { role: 'user' }),
      ]);
      const done = answers.filter(({ status }) => status === 200);
      assert.equal(done.length, 1, answers.map(({ status }) => status).join(' and '));
      if (answers[1].status === 200) {
        assert.equal((await rivalClient.put(`/admin/users/${rootId}/role`, { role: 'admin' })).status, 200);
        assert.equal((await root().put(`/admin/users/${rival.id}/role`, { role: 'user' })).status, 200);
      }
    }
  });
});
