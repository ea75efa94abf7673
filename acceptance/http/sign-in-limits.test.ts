import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { type Answer, client } from '../support/http-client.ts';
import { newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine, onEachEngine, type SharedServer } from '../support/servers.ts';

const WRONG = 'wrong password';
const WINDOW_SECONDS = 15 * 60;

let lastAddress = 0;

/** An address that no other test has failed from. */
const newAddress = () => `203.0.113.${(lastAddress += 1)}`;

onAnyEngine(
  'sign-in limits',
  (server) => {
    const attempt = attemptsOn(server);
    const fail = async (address: string, times: number) => {
      for (let failures = 0; failures < times; failures += 1) {
        const nobody = { email: `${randomUUID()}@example.org`, password: WRONG };
        assert.equal((await attempt(nobody, { address })).status, 401);
      }
    };

    test('after 10 failures even the right password answers 429 from new addresses, and others are not affected', async () => {
      const address = newAddress();
      const person = await newPerson(server.current);
      const other = await newPerson(server.current);
      const token = await tokenOf(server.current, person);
      for (let failures = 0; failures < 9; failures += 1) {
        assert.equal((await attempt({ ...person, password: WRONG }, { address })).status, 401);
      }
      assert.equal(
        (await attempt(person)).status,
        200,
        'nine are not too many, and a success does not count',
      );
      assert.equal((await attempt({ ...person, password: WRONG }, { address })).status, 401, 'the tenth');
      assertLimited(await attempt(person, { address }));
      assertLimited(await attempt({ ...person, email: person.email.toUpperCase() }, { address }));
      assertLimited(await attempt(person, { address, path: '/auth/session' }));
      assertLimited(await attempt(person, { address: newAddress() }));
      assert.equal((await attempt(person)).status, 200, 'from where it has signed in before');
      assert.equal((await attempt(other, { address })).status, 200);
      const me = await client(server.current.url, { bearer: token }).get('/customers/me');
      assert.equal(me.status, 200, 'a token that was made before stays good');
    });

    test('an address that has signed in before has 10 failures of its own, and all new ones have 10 together', async () => {
      const person = await newPerson(server.current);
      const wrong = { ...person, password: WRONG };
      const [home, office] = [newAddress(), newAddress()];
      for (const address of [home, office]) assert.equal((await attempt(person, { address })).status, 200);
      for (let failures = 0; failures < 10; failures += 1) {
        assert.equal((await attempt(wrong, { address: newAddress() })).status, 401);
      }
      assertLimited(await attempt(wrong, { address: newAddress() }));
      assertLimited(await attempt(person, { address: newAddress() }));
      for (let failures = 0; failures < 10; failures += 1) {
        assert.equal((await attempt(wrong, { address: home })).status, 401);
      }
      assertLimited(await attempt(person, { address: home }));
      assert.equal((await attempt(person, { address: office })).status, 200);
    });

    test('an e-mail that nobody has is limited like any other', async () => {
      const address = newAddress();
      const nobody = { email: `${randomUUID()}@example.org`, password: WRONG };
      for (let failures = 0; failures < 10; failures += 1) {
        assert.equal((await attempt(nobody, { address })).status, 401);
      }
      assertLimited(await attempt(nobody, { address }));
    });

    test('a wrong present password counts when the password is changed', async () => {
      const person = await newPerson(server.current);
      const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
      const change = async (current: string) =>
        await owner.request('PUT', '/customers/me/password', {
          body: { current_password: current, new_password: 'a better password' },
          headers: { 'x-forwarded-for': '198.51.100.1' },
        });
      for (let failures = 0; failures < 10; failures += 1) assert.equal((await change(WRONG)).status, 401);
      assertLimited(await change(person.password));
      assert.equal((await attempt(person)).status, 200);
    });

    test('the owner of a good token can change the password while others guess it', async () => {
      const person = await newPerson(server.current);
      const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
      const wrong = { ...person, password: WRONG };
      for (let failures = 0; failures < 10; failures += 1) await attempt(wrong, { address: newAddress() });
      const { status } = await owner.request('PUT', '/customers/me/password', {
        body: { current_password: person.password, new_password: 'a better password' },
        headers: { 'x-forwarded-for': newAddress() },
      });
      assert.equal(status, 204);
    });

    test('a trusted proxy names the address that is limited', async () => {
      const [bad, good] = [newAddress(), newAddress()];
      const person = await newPerson(server.current);
      await fail(bad, 30);
      assertLimited(await attempt(person, { address: bad }));
      assertLimited(await attempt(person, { address: `8.8.8.8, ${bad}` }));
      assert.equal((await attempt(person, { address: good })).status, 200);
      assert.equal((await attempt(person, { address: `${bad}, ${good}` })).status, 200, 'the nearest counts');
    });

    test('an IPv6 network is one address', async () => {
      const person = await newPerson(server.current);
      await fail('2001:db8:1:2::1', 15);
      await fail('2001:db8:1:2:ffff::2', 15);
      assertLimited(await attempt(person, { address: '2001:db8:1:2:3:4:5:6' }));
      assert.equal((await attempt(person, { address: '2001:db8:1:3::1' })).status, 200);
    });

    test('a flood learns of ten guesses and no more, however many come at once', async () => {
      for (const address of [newAddress(), newAddress()]) {
        const person = await newPerson(server.current);
        const guesses = Array.from({ length: 41 }, async (_, index) => {
          const password = index === 20 ? person.password : `${WRONG} ${index}`;
          return (await attempt({ ...person, password }, { address })).status;
        });
        const statuses = await Promise.all(guesses);
        const count = (wanted: number) => statuses.filter((status) => status === wanted).length;
        assert.equal(count(401), 10);
        assert.equal(count(200) + count(429), 31);
        assert.ok(count(200) <= 1);
        assertLimited(await attempt(person, { address }));
      }
    });
  },
  { environment: { ATELIER_TRUST_PROXY: '127.0.0.1' } },
);

onEachEngine('sign-in limits without a proxy', (server) => {
  const attempt = attemptsOn(server);

  test('successes do not count', async () => {
    const person = await newPerson(server.current);
    const answers = await Promise.all(Array.from({ length: 35 }, async () => await attempt(person)));
    assert.deepEqual([...new Set(answers.map(({ status }) => status))], [200]);
  });

  test('after 30 failures everybody from there gets 429, whatever the forwarding headers say', async () => {
    const person = await newPerson(server.current);
    for (let failures = 0; failures < 30; failures += 1) {
      const nobody = { email: `${randomUUID()}@example.org`, password: WRONG };
      assert.equal((await attempt(nobody, { address: newAddress() })).status, 401, `failure ${failures}`);
    }
    assertLimited(await attempt(person));
    assertLimited(await attempt(person, { address: newAddress() }));
    assertLimited(await attempt(person, { path: '/auth/session' }));
  });
});

function attemptsOn(server: SharedServer) {
  return async (
    { email, password }: { email: string; password: string },
    { path = '/auth/token', address }: { path?: string; address?: string } = {},
  ) =>
    await client(server.current.url).request('POST', path, {
      body: { email, password },
      headers: address === undefined ? {} : { 'x-forwarded-for': address },
    });
}

function assertLimited({ status, headers, body }: Answer<unknown>): void {
  assert.equal(status, 429);
  assertShape(body, 'error');
  const seconds = Number(headers.get('retry-after'));
  assert.ok(
    Number.isInteger(seconds) && seconds >= 1 && seconds <= WINDOW_SECONDS,
    `Retry-After: ${seconds}`,
  );
}
