import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { prepareQuery } from './prepared-query.ts';

onEachDatabase('a prepared query', (db) => {
  const find = prepareQuery((on, { id, email }: { id: string; email: string }) =>
    on
      .selectFrom('users')
      .select(['id', 'email'])
      .where((eb) => eb.or([eb('id', '=', id), eb('email', '=', email)]))
      .where('status', '=', 'active')
      .orderBy('created_at'),
  );

  it('is built once and run with other values each time, beside its own constants', async () => {
    const [ada, bob] = [await aUser(db()), await aUser(db())];
    const idsOf = async (id: string, email: string) => (await find(db(), { id, email })).map((row) => row.id);
    assert.deepEqual(await idsOf(ada.id, ''), [ada.id]);
    assert.deepEqual(await idsOf('', bob.email), [bob.id]);
    assert.deepEqual(new Set(await idsOf(ada.id, bob.email)), new Set([ada.id, bob.id]));
    assert.deepEqual(await idsOf('nobody', 'nobody'), []);
  });

  it('sees what the transaction it runs in has written', async () => {
    await db()
      .transaction()
      .execute(async (tx) => {
        const user = await aUser(tx);
        assert.equal((await find(tx, { id: user.id, email: '' })).length, 1);
      });
  });
});
