import assert from 'node:assert/strict';
import { it } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { sql } from 'kysely';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { type Db, withTransaction } from './database.ts';
import { slowRead } from './slow-read.ts';

/** Counts up to so many, which takes the engine a while and returns one row. */
function counting(db: Db, count: number) {
  const numbers = sql<{ n: number }>`(with recursive numbers(n) as
    (select 1 union all select n + 1 from numbers where n < ${sql.lit(count)}) select n from numbers)`;
  return db.selectFrom(numbers.as('numbers')).select(sql<number>`count(*)`.as('count'));
}

const key = (name: string) => ({ name, value: Buffer.from(name), created_at: 1 });

onEachDatabase('a slow read', (db) => {
  const names = (on: Db) => on.selectFrom('server_secrets').select('name').where('name', 'like', 'slow%');

  it('leaves the event loop to others', async () => {
    const over = new AbortController();
    const reading = slowRead(db(), 'ada', counting(db(), 500_000)).finally(() => over.abort());
    let turns = 0;
    for (; !over.signal.aborted; turns += 1) await turn();
    assert.deepEqual(await reading, [{ count: 500_000 }]);
    assert.ok(turns > 10, String(turns));
  });

  it('sees what is committed, and its own writes in a transaction', async () => {
    await db().insertInto('server_secrets').values(key('slow 1')).execute();
    assert.deepEqual(await slowRead(db(), 'ada', names(db())), [{ name: 'slow 1' }]);
    await withTransaction(db(), async (tx) => {
      await tx.insertInto('server_secrets').values(key('slow 2')).execute();
      assert.equal((await slowRead(tx, 'ada', names(tx))).length, 2);
      assert.equal((await slowRead(db(), 'ada', names(db()))).length, 1);
    });
    assert.equal((await slowRead(db(), 'ada', names(db()))).length, 2);
  });

  it('fails alone', async () => {
    const wrong = db().selectFrom('server_secrets').select(sql`no_such_column`.as('no'));
    await assert.rejects(slowRead(db(), 'ada', wrong), /no_such_column/);
    assert.deepEqual(await slowRead(db(), 'ada', counting(db(), 2)), [{ count: 2 }]);
  });

  it('of one account does not wait for all reads of another', async () => {
    const ends: string[] = [];
    const read = async (account: string) => {
      await slowRead(db(), account, counting(db(), 100_000));
      ends.push(account);
    };
    const many = Array.from({ length: 12 }, async () => await read('ada'));
    await read('ben');
    assert.ok(ends.length < 12, String(ends.length));
    await Promise.all(many);
  });
});
