import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { client } from '../support/http-client.ts';
import { admin, cookieOf, newAdministrator, newPerson, tokenOf } from '../support/people.ts';
import { onEachEngine } from '../support/servers.ts';

interface Entry {
  readonly id: number;
  readonly actor: string;
  readonly action: string;
  readonly subject: string;
  readonly details: Readonly<Record<string, unknown>>;
  readonly actor_email?: string;
  readonly subject_email?: string;
}

interface AuditPage {
  readonly entries: readonly Entry[];
  readonly next_before?: number;
}

onEachEngine('the audit of users', (server) => {
  const root = () => admin(server.current);
  const page = async (query: string) => (await root().get<AuditPage>(`/admin/audit?${query}`)).body;

  test('[ADM-20] [ADM-23] tells what was done to a user, by whom, before and after, and keeps it by id when the user is gone', async () => {
    const boss = await newAdministrator(server.current);
    const api = client(server.current.url, { bearer: await tokenOf(server.current, boss) });
    const [email, password, fresh] = [`${randomUUID()}@example.org`, `first ${randomUUID()}`, randomUUID()];
    const { body: user } = await api.post<{ id: string }>('/admin/users', { email, password });
    const path = `/admin/users/${user.id}`;
    await api.put(`${path}/subscription`, { tier: 'pro', status: 'active' });
    await api.post(`${path}/credits`, { amount: 50 });
    await api.post(`${path}/credits`, { amount: -20, reason: 'charged twice' });
    for (const role of ['user', 'admin', 'user']) await api.put(`${path}/role`, { role });
    await api.put(`${path}/password`, { password: fresh });
    await api.post(`${path}/unban`);
    for (let time = 0; time < 2; time += 1) await api.post(`${path}/ban`, { reason: 'spam' });
    await api.post(`${path}/unban`);
    await api.post(`${path}/webhook-secret/rotate`);
    const archive = await fetch(`${server.current.url}${path}/export`, {
      headers: { cookie: await cookieOf(server.current, boss) },
    });
    assert.deepEqual([archive.status, archive.headers.get('content-type')], [200, 'application/zip']);
    await archive.arrayBuffer();
    // Refused, so there is nothing to note.
    assert.equal((await api.post(`${path}/credits`, { amount: -31, reason: 'too much' })).status, 409);
    const free = { tier: 'free', status: 'inactive' };
    const expected = [
      ['user.create', { role: 'user' }],
      ['user.subscription', { from: free, to: { tier: 'pro', status: 'active' } }],
      ['user.credits', { amount: 50, balance: 50 }],
      ['user.credits', { amount: -20, balance: 30, reason: 'charged twice' }],
      ['user.role', { from: 'user', to: 'admin' }],
      ['user.role', { from: 'admin', to: 'user' }],
      ['user.password', {}],
      ['user.ban', { reason: 'spam' }],
      ['user.unban', {}],
      ['user.webhook_secret', {}],
      ['user.export', {}],
    ];
    const { entries } = await page(`subject=user:${user.id}`);
    assert.deepEqual(
      entries.toReversed().map(({ action, details }) => [action, details]),
      expected,
    );
    for (const entry of entries) {
      assert.deepEqual([entry.actor, entry.actor_email], [`user:${boss.id}`, boss.email]);
      assert.deepEqual([entry.subject, entry.subject_email], [`user:${user.id}`, email]);
    }

    assert.equal((await api.delete(path)).status, 204);
    const after = (await page(`subject=user:${user.id}`)).entries;
    assert.deepEqual(
      after.slice(0, 2).map(({ action }) => action),
      ['user.delete', 'user.ban'],
    );
    const text = JSON.stringify(after);
    for (const hidden of [email, password, fresh]) assert.ok(!text.includes(hidden), hidden);
    assert.equal(after.length, expected.length + 2);
  });

  test('[ADM-20] has the first administrator and new signing keys', async () => {
    await root().post('/admin/signing-keys/rotate');
    const [key] = (await page('action=key.rotate&limit=1')).entries;
    assert.equal(key?.subject, 'key:signing-keys');
    const first = await page('actor=server&action=user.create');
    assert.deepEqual(first.entries.at(-1)?.details, { role: 'admin' });
  });

  test('[ADM-22] is narrowed by user, author and action, turned page by page, and for administrators only', async () => {
    const person = await newPerson(server.current);
    for (const amount of [1, 2, 3, 4, 5]) await root().post(`/admin/users/${person.id}/credits`, { amount });
    const filter = `subject=user:${person.id}&action=user.credits&limit=2`;
    const amounts: unknown[] = [];
    for (let query = filter; query !== ''; ) {
      const { entries, next_before: next } = await page(query);
      amounts.push(...entries.map(({ details }) => details['amount']));
      query = next === undefined ? '' : `${filter}&before=${next}`;
    }
    assert.deepEqual(amounts, [5, 4, 3, 2, 1]);
    assert.deepEqual((await page(`${filter}&actor=operator:somebody-else`)).entries, []);
    const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
    assert.equal((await owner.get('/admin/audit')).status, 403);
    assert.equal((await owner.get(`/admin/users/${person.id}/export`)).status, 403);
    assert.equal((await root().get(`/admin/users/${randomUUID()}/export`)).status, 404);
    assert.equal((await root().post(`/admin/users/${randomUUID()}/webhook-secret/rotate`)).status, 404);
  });
});
