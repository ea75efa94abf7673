import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { withTransaction } from './database.ts';
import { prepareQuery, writeTogether } from './prepared-query.ts';

onEachDatabase('a prepared query', (db, engine) => {
  const find = prepareQuery((on, { id, email }: { id: string; email: string }) =>
    on
      .selectFrom('users')
      .select(['id', 'email'])
      .where((eb) => eb.or([eb('id', '=', id), eb('email', '=', email)]))
      .where('status', '=', 'active')
      .orderBy('created_at'),
  );

  it('is built once and run with other values each time, besides its own constants', async () => {
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

  it('may write, even outside of a transaction, and returns what it wrote', async () => {
    const note = prepareQuery((on, { id, reason }: { id: string; reason: string | null }) =>
      on
        .updateTable('users')
        .set({ ban_reason: reason })
        .where('id', '=', id)
        .returning(['id', 'ban_reason']),
    );
    const { id } = await aUser(db());
    // More often than PostgreSQL thinks about the values before it settles on a plan.
    for (let round = 0; round < 8; round += 1) {
      const reason = round % 2 === 0 ? `reason ${round}` : null;
      assert.deepEqual(await note(db(), { id, reason }), [{ id, ban_reason: reason }]);
    }
    assert.deepEqual(await note(db(), { id: 'nobody', reason: null }), []);
    const row = await db().selectFrom('users').select('ban_reason').where('id', '=', id).executeTakeFirst();
    assert.equal(row?.ban_reason, null);
  });

  const rename = prepareQuery((on, { id, name }: { id: string; name: string }) =>
    on.updateTable('users').set({ name }).where('id', '=', id).returning('name'),
  );

  if (engine === 'sqlite') {
    it('writes synchronously together with others, all or nothing', async () => {
      const [ada, bob] = [await aUser(db()), await aUser(db())];
      const both = async (name: string, fails: boolean) =>
        await writeTogether(db(), (writing) => {
          const renamed = [ada, bob].flatMap(({ id }) => rename.now(writing, { id, name }));
          if (fails) throw new Error('changed my mind');
          return renamed;
        });
      assert.deepEqual(await both('One', false), [{ name: 'One' }, { name: 'One' }]);
      await assert.rejects(both('Two', true), /changed my mind/);
      const rows = await db()
        .selectFrom('users')
        .select('name')
        .where('id', 'in', [ada.id, bob.id])
        .execute();
      assert.deepEqual(rows, [{ name: 'One' }, { name: 'One' }]);
    });
  }

  it('is refused if it would have to wait', async () => {
    const { id } = await aUser(db());
    const write = async (on: ReturnType<typeof db>) =>
      await writeTogether(on, (writing) => rename.now(writing, { id, name: 'Never' }));
    await assert.rejects(
      engine === 'sqlite' ? withTransaction(db(), write) : write(db()),
      /Only SQLite has synchronous writes/,
    );
  });
});
