import assert from 'node:assert/strict';
import { test } from 'node:test';

import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { admin, newPerson, tokenOf } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

interface Account {
  readonly subscription: {
    readonly tier: string;
    readonly status: string;
    readonly period_end?: string;
    readonly concurrent_jobs: number;
  };
  readonly credits: number;
}

onEachEngine('subscriptions and credits', (server) => {
  const root = () => admin(server.current);
  const read = async (id: string) => (await root().get<Account>(`/admin/users/${id}`)).body;

  test('a subscription gives its tier the number of jobs that may run', async () => {
    const { id } = await newPerson(server.current);
    for (const [tier, jobs] of [
      ['free', 0],
      ['standard', 1],
      ['creator', 3],
      ['pro', 5],
      ['team', 25],
    ] as const) {
      const { status, body } = await root().put(`/admin/users/${id}/subscription`, {
        tier,
        status: 'active',
      });
      assert.equal(status, 200);
      assert.deepEqual(body, { tier, status: 'active', concurrent_jobs: jobs });
    }
    const ended = await root().put(`/admin/users/${id}/subscription`, { tier: 'team', status: 'inactive' });
    assert.deepEqual(ended.body, { tier: 'team', status: 'inactive', concurrent_jobs: 0 });
  });

  test('a subscription ends with its period', async () => {
    const { id } = await newPerson(server.current);
    const set = async (end: string) =>
      (
        await root().put<Account['subscription']>(`/admin/users/${id}/subscription`, {
          tier: 'pro',
          status: 'active',
          period_end: end,
        })
      ).body;
    const future = '2999-12-31T23:59:59.000Z';
    assert.deepEqual(await set(future), {
      tier: 'pro',
      status: 'active',
      period_end: future,
      concurrent_jobs: 5,
    });
    const past = await set('2020-01-01T00:00:00Z');
    assert.equal(past.status, 'inactive');
    assert.equal(past.concurrent_jobs, 0);
    assert.equal((await read(id)).subscription.period_end, '2020-01-01T00:00:00.000Z');
  });

  test('a period end is kept as the moment it names, or answers 400', async () => {
    const { id } = await newPerson(server.current);
    for (const [end, moment] of [
      ['2030-01-01T00:00:00+02:00', '2029-12-31T22:00:00.000Z'],
      ['2030-01-01T00:00:00.5Z', '2030-01-01T00:00:00.500Z'],
      ['2016-12-31T23:59:60Z', '2017-01-01T00:00:00.000Z'],
      ['2030-01-01t00:00:00z', '2030-01-01T00:00:00.000Z'],
      ['2030-01-01\t00:00:00Z', '2030-01-01T00:00:00.000Z'],
      ['2030-01-01T00:00:00+0200', '2029-12-31T22:00:00.000Z'],
      ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ] as const) {
      const { status, body } = await root().put(`/admin/users/${id}/subscription`, {
        tier: 'pro',
        status: 'active',
        period_end: end,
      });
      if (status === 400) continue;
      assert.equal(status, 200, end);
      assert.equal(body['period_end'], moment, end);
    }
  });

  test('an invalid tier, status or period end answers 400', async () => {
    const { id } = await newPerson(server.current);
    for (const bad of [
      {},
      { tier: 'pro' },
      { status: 'active' },
      { tier: 'gold', status: 'active' },
      { tier: 'Pro', status: 'active' },
      { tier: 'pro', status: 'banned' },
      { tier: 'pro', status: 'active', period_end: 'tomorrow' },
      { tier: 'pro', status: 'active', period_end: '2030-13-01T00:00:00Z' },
      { tier: 'pro', status: 'active', period_end: '2030-02-30T00:00:00Z' },
      { tier: 'pro', status: 'active', period_end: '2030-01-01' },
      { tier: 'pro', status: 'active', period_end: 1893456000 },
      { tier: 'pro', status: 'active', period_end: null },
    ]) {
      const { status, body } = await root().put(`/admin/users/${id}/subscription`, bad);
      assert.equal(status, 400, JSON.stringify(bad));
      assertShape(body, 'error');
    }
    assert.equal((await read(id)).subscription.tier, 'free');
  });

  test('credits add up and the answer is the balance', async () => {
    const person = await newPerson(server.current);
    const grant = async (amount: number) =>
      (await root().post(`/admin/users/${person.id}/credits`, { amount, reason: 'test' })).body;
    assert.deepEqual(await grant(5), { balance: 5 });
    assert.deepEqual(await grant(37), { balance: 42 });
    const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
    assert.equal((await owner.get('/customers/me')).body['credits'], 42);
    const { body: ledger } = await owner.get<{ balance: number; entries: { amount: number }[] }>(
      '/customers/credits',
    );
    assert.equal(ledger.balance, 42);
    assert.deepEqual(
      ledger.entries.map(({ amount }) => amount),
      [37, 5],
    );
  });

  test('credits granted at the same time all count', async () => {
    const { id } = await newPerson(server.current);
    const answers = await Promise.all(
      Array.from({ length: 20 }, async () => await root().post(`/admin/users/${id}/credits`, { amount: 3 })),
    );
    assert.deepEqual(
      answers.map(({ body }) => Number(body['balance'])).toSorted((left, right) => left - right),
      Array.from({ length: 20 }, (_, index) => (index + 1) * 3),
    );
    assert.equal((await read(id)).credits, 60);
  });

  test('the ledger comes in pages, newest first', async () => {
    const person = await newPerson(server.current);
    for (const amount of [1, 2, 3]) await root().post(`/admin/users/${person.id}/credits`, { amount });
    const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
    interface Page {
      readonly entries: { amount: number }[];
      readonly next_before?: number;
    }
    const first = (await owner.get<Page>('/customers/credits?limit=2')).body;
    assert.deepEqual(
      first.entries.map(({ amount }) => amount),
      [3, 2],
    );
    const second = (await owner.get<Page>(`/customers/credits?limit=2&before=${first.next_before}`)).body;
    assert.deepEqual(
      second.entries.map(({ amount }) => amount),
      [1],
    );
    assert.equal(second.next_before, undefined);
    for (const bad of ['limit=0', 'limit=101', 'before=0', 'before=x', 'before=1&before=2']) {
      assert.equal((await owner.get(`/customers/credits?${bad}`)).status, 400, bad);
    }
    const huge = await owner.get(`/customers/credits?before=${'9'.repeat(30)}`);
    assert.ok(huge.status === 200 || huge.status === 400);
  });

  test('an invalid amount answers 400 and changes nothing', async () => {
    const { id } = await newPerson(server.current);
    for (const amount of [0, -1, 1.5, '5', null, true, [5], 1e15, Number.MAX_SAFE_INTEGER + 1, undefined]) {
      const { status, body } = await root().post(`/admin/users/${id}/credits`, { amount });
      assert.equal(status, 400, String(amount));
      assertShape(body, 'error');
    }
    const written = await root().request('POST', `/admin/users/${id}/credits`, {
      headers: { 'content-type': 'application/json' },
      body: '{"amount":1e400}',
    });
    assert.equal(written.status, 400, 'infinity');
    assert.equal((await read(id)).credits, 0);
  });
});
