import assert from 'node:assert/strict';
import { DatabaseSync } from 'node:sqlite';
import { it } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { PATIENCE_MS } from '@atelier/testing';
import { sql } from 'kysely';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { withTransaction } from './database.ts';
import { keepRows } from './kept-rows.ts';
import { prepareQuery, writeTogether } from './prepared-query.ts';

onEachDatabase('kept rows', (db, engine) => {
  const byId = prepareQuery((on, { id }: { id: string }) =>
    on.selectFrom('users').select('name').where('id', '=', id),
  );
  /** Says how often the database was asked. */
  function counted() {
    let asked = 0;
    const run = async (...args: Parameters<typeof byId>) => {
      asked += 1;
      return await byId(...args);
    };
    return {
      find: keepRows(run, { by: 'id', from: ['users'] }),
      asked: () => asked,
    };
  }
  const rename = async (id: string, name: string) =>
    await db().updateTable('users').set({ name }).where('id', '=', id).execute();

  it('are read once until their table is written to, if nobody else writes', async () => {
    const { id } = await aUser(db());
    const { find, asked } = counted();
    for (let n = 0; n < 3; n += 1) {
      await find(db(), { id });
      await db().deleteFrom('job_keys').where('user_id', '=', id).execute();
    }
    assert.equal(asked(), engine === 'sqlite' ? 1 : 3);
  });

  it('are read again after a statement whose writes are unknown', async () => {
    const { id } = await aUser(db());
    const { find } = counted();
    await find(db(), { id });
    await sql`update users set name = 'Raw' where id = ${id}`.execute(db());
    assert.deepEqual(await find(db(), { id }), [{ name: 'Raw' }]);
  });

  it('are unchanged while a transaction is open, and after it fails', async () => {
    const { id, name } = await aUser(db());
    const { find } = counted();
    const failing = withTransaction(db(), async (tx) => {
      await tx.updateTable('users').set({ name: 'Never' }).where('id', '=', id).execute();
      assert.deepEqual(await find(db(), { id }), [{ name }]);
      throw new Error('changed my mind');
    });
    await assert.rejects(failing, /changed my mind/);
    assert.deepEqual(await find(db(), { id }), [{ name }]);
  });

  it('are updated by synchronous writes', async () => {
    if (engine === 'postgres') return;
    const { id } = await aUser(db());
    const { find } = counted();
    const update = prepareQuery((on, values: { id: string; name: string }) =>
      on.updateTable('users').set({ name: values.name }).where('id', '=', values.id),
    );
    await find(db(), { id });
    await writeTogether(db(), (writing) => update.now(writing, { id, name: 'At once' }));
    assert.deepEqual(await find(db(), { id }), [{ name: 'At once' }]);
  });

  it('are updated by every commit, of a single write or a transaction', async () => {
    const { id } = await aUser(db());
    const { find } = counted();
    await rename(id, 'One');
    assert.deepEqual(await find(db(), { id }), [{ name: 'One' }]);
    await rename(id, 'Two');
    assert.deepEqual(await find(db(), { id }), [{ name: 'Two' }]);
    await withTransaction(db(), async (tx) => {
      await tx.updateTable('users').set({ name: 'Three' }).where('id', '=', id).execute();
      assert.deepEqual(await find(tx, { id }), [{ name: 'Three' }]);
      assert.deepEqual(await find(db(), { id }), [{ name: 'Two' }]);
    });
    assert.deepEqual(await find(db(), { id }), [{ name: 'Three' }]);
  });

  it('are read again soon after another program has written', { timeout: PATIENCE_MS }, async () => {
    if (engine === 'postgres') return;
    const { id } = await aUser(db());
    const { find } = counted();
    await find(db(), { id });
    const { rows } = await sql<{ file: string }>`select file from pragma_database_list`.execute(db());
    using other = new DatabaseSync(rows[0]?.file ?? '');
    other.prepare('update users set name = ? where id = ?').run('Outside', id);
    while ((await find(db(), { id }))[0]?.name !== 'Outside') await delay(10);
  });

  it('also remember missing rows, until they are inserted', async () => {
    const { find } = counted();
    const model = await aUser(db());
    const id = `${model.id}-later`;
    assert.deepEqual(await find(db(), { id }), []);
    await db()
      .insertInto('users')
      .values({ ...model, id, email: id, email_key: id, name: 'Late' })
      .execute();
    assert.deepEqual(await find(db(), { id }), [{ name: 'Late' }]);
  });
});
