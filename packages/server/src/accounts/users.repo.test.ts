import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { newId } from '../platform/ids.ts';
import * as repo from './users.repo.ts';

onEachDatabase('users', (db) => {
  it('have a unique e-mail address, in any case', async () => {
    const { id, email } = await aUser(db());
    const same = { ...(await repo.findUser(db(), id)), id: newId() } as Parameters<typeof repo.insertUser>[1];
    assert.equal(await repo.insertUser(db(), same), undefined);
    assert.equal((await repo.findUserByEmail(db(), ` ${email.toUpperCase()} `))?.id, id);
  });

  it('are created once when ten requests race for one e-mail address', async () => {
    const template = await repo.findUser(db(), (await aUser(db())).id);
    assert.ok(template);
    const inserted = await Promise.all(
      Array.from(
        { length: 10 },
        async () => await repo.insertUser(db(), { ...template, id: newId(), email_key: 'race@example.com' }),
      ),
    );
    assert.equal(inserted.filter((row) => row !== undefined).length, 1);
  });

  it('are listed in a fixed order, with tier and balance', async () => {
    const first = await aUser(db());
    const second = await aUser(db());
    const all = await repo.listAccounts(db(), { offset: 0, limit: 100 });
    const page = await repo.listAccounts(db(), { offset: all.length - 2, limit: 10 });
    assert.deepEqual(
      page.map(({ id, tier, subscription_status: status, balance }) => ({ id, tier, status, balance })),
      [first, second]
        .toSorted((left, right) => (left.id < right.id ? -1 : 1))
        .map(({ id }) => ({ id, tier: 'free', status: 'inactive', balance: 0 })),
    );
  });

  it('are banned with a reason, and unbanned', async () => {
    const { id } = await aUser(db());
    await repo.setBan(db(), id, 'spam');
    const banned = await repo.findUser(db(), id);
    assert.deepEqual([banned?.status, banned?.ban_reason], ['banned', 'spam']);
    await repo.setBan(db(), id, null);
    const back = await repo.findUser(db(), id);
    assert.deepEqual([back?.status, back?.ban_reason], ['active', null]);
  });

  it('count as administrators only while they are active', async () => {
    const [first, second] = [await aUser(db()), await aUser(db())];
    await repo.setRole(db(), first.id, 'admin');
    await repo.setRole(db(), second.id, 'admin');
    await repo.setBan(db(), second.id, 'gone');
    assert.deepEqual(await repo.listActiveAdmins(db()), [first.id]);
    await repo.setRole(db(), first.id, 'user');
    assert.deepEqual(await repo.listActiveAdmins(db()), []);
  });
});
