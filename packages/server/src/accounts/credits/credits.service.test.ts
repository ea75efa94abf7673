import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { systemClock } from '../../platform/clock.ts';
import { type Db, withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { newId } from '../../platform/ids.ts';
import { MAX_BALANCE } from './credits.repo.ts';
import { createCredits } from './credits.service.ts';

const credits = createCredits(systemClock);

async function aUserWith(db: Db, amount: number): Promise<string> {
  const { id } = await aUser(db);
  if (amount > 0) await credits.grant(db, { userId: id, amount, reference: newId() });
  return id;
}

async function balanceOf(db: Db, userId: string): Promise<number> {
  const { balance, entries } = await credits.ledger(db, userId, { limit: 100 });
  const sum = entries.reduce((total, entry) => total + entry.amount, 0);
  assert.equal(sum, balance, 'the entries add up to the balance');
  assert.equal(entries[0]?.balance_after ?? 0, balance, 'the newest entry tells the balance');
  return balance;
}

function isCode(code: string) {
  return (error: unknown) => error instanceof AppError && error.code === code;
}

onEachDatabase('credits', (db) => {
  it('are taken exactly ten times when fifty requests race for a balance of ten', async () => {
    const userId = await aUserWith(db(), 10);
    const results = await Promise.allSettled(
      Array.from(
        { length: 50 },
        async () => await credits.reserve(db(), { userId, amount: 1, reference: newId() }),
      ),
    );
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(results.length - refused.length, 10);
    assert.ok(refused.every(({ reason }) => isCode('credits.insufficient')(reason)));
    assert.equal(await balanceOf(db(), userId), 0);
  });

  it('are taken once for one reference, also by concurrent calls', async () => {
    const userId = await aUserWith(db(), 100);
    const reference = newId();
    await Promise.all(
      Array.from({ length: 10 }, async () => await credits.reserve(db(), { userId, amount: 30, reference })),
    );
    assert.equal(await balanceOf(db(), userId), 70);
  });

  it('leave no trace when there are too few', async () => {
    const userId = await aUserWith(db(), 5);
    const reference = newId();
    await assert.rejects(
      credits.reserve(db(), { userId, amount: 6, reference }),
      isCode('credits.insufficient'),
    );
    assert.equal(await balanceOf(db(), userId), 5);
    assert.equal(await credits.giveBack(db(), reference), false);
    assert.equal(await balanceOf(db(), userId), 5);
  });

  it('end once: after settling or returning, the other changes nothing', async () => {
    const userId = await aUserWith(db(), 100);
    for (let round = 0; round < 20; round += 1) {
      const reference = newId();
      await credits.reserve(db(), { userId, amount: 1, reference });
      const before = await balanceOf(db(), userId);
      const [settled, returned] = await Promise.all([
        credits.settle(db(), reference),
        credits.giveBack(db(), reference),
      ]);
      assert.notEqual(settled, returned);
      assert.equal(await balanceOf(db(), userId), returned ? before + 1 : before);
    }
  });

  it('return when the transaction that took them rolls back', async () => {
    const userId = await aUserWith(db(), 10);
    const failing = withTransaction(db(), async (tx) => {
      await credits.reserve(tx, { userId, amount: 10, reference: newId() });
      throw new Error('the task could not be written');
    });
    await assert.rejects(failing, /could not be written/);
    assert.equal(await balanceOf(db(), userId), 10);
  });

  it('stop at the highest balance', async () => {
    const userId = await aUserWith(db(), MAX_BALANCE);
    const grant = credits.grant(db(), { userId, amount: 1, reference: newId() });
    await assert.rejects(grant, isCode('credits.limit'));
    assert.equal(await balanceOf(db(), userId), MAX_BALANCE);
  });

  it('cost nothing at a price of zero, and still end once', async () => {
    const userId = await aUserWith(db(), 0);
    const reference = newId();
    await credits.reserve(db(), { userId, amount: 0, reference });
    assert.equal(await credits.giveBack(db(), reference), true);
    assert.equal(await credits.settle(db(), reference), false);
    assert.equal(await balanceOf(db(), userId), 0);
  });

  it('are listed newest first, page by page, without gap or repetition', async () => {
    const userId = await aUserWith(db(), 0);
    for (let amount = 1; amount <= 5; amount += 1) {
      await credits.grant(db(), { userId, amount, reference: newId() });
    }
    const first = await credits.ledger(db(), userId, { limit: 2 });
    const second = await credits.ledger(db(), userId, { limit: 2, before: first.next_before });
    const third = await credits.ledger(db(), userId, { limit: 2, before: second.next_before });
    const amounts = [first, second, third].map(({ entries }) => entries.map((entry) => entry.amount));
    assert.deepEqual(amounts, [[5, 4], [3, 2], [1]]);
    assert.equal(third.next_before, undefined);
  });

  it('add up after any sequence of bookings', async () => {
    const step = fc.record({
      act: fc.constantFrom('grant', 'reserve', 'settle', 'giveBack'),
      amount: fc.integer({ min: 0, max: 20 }),
      task: fc.integer({ min: 0, max: 4 }),
    });
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
        const userId = await aUserWith(db(), 10);
        for (const { act, amount, task } of steps) {
          const reference = `${userId}:${task}`;
          if (act === 'grant') await credits.grant(db(), { userId, amount: amount + 1, reference: newId() });
          else if (act === 'settle') await credits.settle(db(), reference);
          else if (act === 'giveBack') await credits.giveBack(db(), reference);
          else await credits.reserve(db(), { userId, amount, reference }).catch(() => {});
          assert.ok((await balanceOf(db(), userId)) >= 0);
        }
      }),
      { numRuns: 15 },
    );
  });
});
