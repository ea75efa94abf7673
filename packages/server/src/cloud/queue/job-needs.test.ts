import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { aQueue, someUsers, type TestQueue } from './test/a-queue.ts';

onEachDatabase('a queue whose jobs need different workers', (db) => {
  let test: TestQueue;
  let ada = '';
  let bob = '';
  beforeEach(async () => {
    test = await aQueue(db());
    [ada = '', bob = ''] = await someUsers(db(), 2);
  });

  const claimed = async (...unable: string[]) => (await test.queue.claim(unable))?.id;

  it('[WRK-13] passes over jobs that no worker can run, and begins later ones of the same account', async () => {
    const gpu = await test.add(ada, { needs: 'a GPU' });
    const any = await test.add(ada);
    const other = await test.add(bob, { needs: 'a label' });
    assert.equal(await claimed('a GPU', 'a label'), any);
    assert.equal(await claimed('a GPU', 'a label'), undefined);
    assert.equal(await claimed('a GPU'), other);
    assert.equal(await claimed(), gpu);
  });

  it('[WRK-13] counts jobs that were passed over as waiting, and holds the limit of the account', async () => {
    await test.add(ada, { needs: 'a GPU', maxRunning: 1 });
    await test.add(ada, { maxRunning: 1 });
    assert.ok(await claimed('a GPU'));
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 1 });
    assert.equal(await claimed(), undefined);
    assert.equal(await test.queue.heal(), 0);
  });

  it('[WRK-13] gives the turn to the account whose last one is the longest ago, among those with a job that can run', async () => {
    await test.add(ada, { needs: 'a GPU' });
    const first = await test.add(bob);
    const second = await test.add(ada);
    const third = await test.add(bob);
    const order = [await claimed('a GPU'), await claimed('a GPU'), await claimed('a GPU')];
    assert.deepEqual(order, ada < bob ? [second, first, third] : [first, second, third]);
  });

  it('lists only accounts that could use a lane', async () => {
    await test.add(ada, { needs: 'a GPU' });
    await test.add(bob);
    const waiting = async (...unable: string[]) =>
      (await test.queue.listWaiting(5, unable)).map(({ userId }) => userId);
    assert.deepEqual((await waiting()).toSorted(), [ada, bob].toSorted());
    assert.deepEqual(await waiting('a GPU'), [bob]);
  });

  it('[WRK-14] returns a lost job to the queue with other needs, or fails it with a reason', async () => {
    const id = await test.add(ada);
    const first = await test.start();
    assert.deepEqual((await test.queue.lose(first, { needs: 'another' })).failed, []);
    assert.equal(await claimed('another'), undefined);
    const second = await test.start();
    assert.deepEqual([second.id, second.attempt, second.needs], [id, 2, 'another']);
    const { failed } = await test.queue.lose(second, { needs: 'another', giveUp: 'It ended its worker.' });
    assert.equal(failed[0]?.id, id);
    const row = await test.row(id);
    assert.equal(row.status, 'failed');
    assert.match(row.error ?? '', /It ended its worker\.\\n/);
  });

  it('[WRK-12] leaves jobs on other machines their leases when the only server restarts', async (context) => {
    const local = await test.add(ada);
    const away = await test.add(ada);
    await test.start();
    await test.queue.runsAt(await test.start(), 'worker');
    const next = test.other('the next server');
    const { returned } = await next.recoverAll();
    if (returned === 0) return context.diagnostic('PostgreSQL admits several servers');
    assert.equal((await test.row(local)).status, 'pending');
    assert.equal((await test.row(away)).status, 'in_progress');
    assert.equal((await next.adopt(away, 1))?.id, away);
    test.now += 60_000;
    assert.equal((await test.other('another').recover([])).returned, 1);
    assert.equal((await test.row(away)).worker, null);
  });
});
