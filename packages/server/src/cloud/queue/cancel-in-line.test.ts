import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { newId } from '../../platform/ids.ts';
import { aQueue, someUsers, type TestQueue } from './test/a-queue.ts';
import { AN_END } from './test/an-end.ts';

const storyOf = (id: string) => ({ ...AN_END, events: `["${id}"]` });

onEachDatabase('cancelling', (db) => {
  let test: TestQueue;
  let ada = '';
  let bob = '';
  beforeEach(async () => {
    test = await aQueue(db());
    [ada = '', bob = ''] = await someUsers(db(), 2);
  });

  it('ends exactly the named jobs at once, waiting or running', async () => {
    const partnerKey = new Uint8Array([1]);
    const running = await test.add(ada, { partnerKey, webhookUrl: 'http://hook' });
    const waiting = await test.add(ada, { partnerKey, webhookUrl: 'http://hook' });
    const other = await test.add(ada);
    const foreign = await test.add(bob);
    await test.start();
    test.now += 40;
    const counts = { waiting: 1, running: 0 };
    assert.deepEqual(await test.queue.cancel(ada, [waiting, running, waiting], storyOf), [
      { id: running, userId: ada, attempt: 1, status: 'cancelled', counts },
      { id: waiting, userId: ada, attempt: 0, status: 'cancelled', counts },
    ]);
    for (const [id, executionMs] of [
      [running, 40],
      [waiting, 0],
    ] as const) {
      assert.partialDeepStrictEqual(await test.row(id), {
        status: 'cancelled',
        ended_at: test.now,
        execution_ms: executionMs,
        lease_until: null,
        partner_key: null,
        outputs: AN_END.outputs,
        outputs_count: AN_END.outputsCount,
        preview_output: AN_END.previewOutput,
        meta: '{}',
        events: storyOf(id).events,
      });
    }
    assert.equal((await test.row(other)).status, 'pending');
    assert.equal((await test.row(foreign)).status, 'pending');
    assert.deepEqual(
      test.told.map(({ id, status }) => [id, status]),
      [
        [running, 'in_progress'],
        [running, 'cancelled'],
        [waiting, 'cancelled'],
      ],
    );
  });

  it('changes nothing when one id is unknown or belongs to another user', async () => {
    const [own, foreign] = [await test.add(ada), await test.add(bob)];
    for (const bad of [foreign, newId()]) {
      assert.equal(await test.queue.cancel(ada, [own, bad], storyOf), undefined);
    }
    assert.equal((await test.row(own)).status, 'pending');
    assert.equal((await test.row(foreign)).status, 'pending');
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 0 });
  });

  it('skips jobs that have ended', async () => {
    await test.add(ada);
    const ended = await test.start();
    await test.queue.finish(ended, AN_END);
    const before = await test.row(ended.id);
    const id = await test.add(ada);
    const cancelled = await test.queue.cancel(ada, [ended.id, id], storyOf);
    assert.deepEqual(
      cancelled?.map((job) => job.id),
      [id],
    );
    assert.deepEqual(await test.queue.cancel(ada, [ended.id, id], storyOf), []);
    assert.deepEqual(await test.queue.cancel(ada, [], storyOf), []);
    assert.deepEqual(await test.row(ended.id), before);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
  });

  it('refuses later writes of the runner', async () => {
    await test.add(ada);
    const job = await test.start();
    await test.queue.cancel(ada, [job.id], storyOf);
    assert.equal(await test.queue.finish(job, AN_END), undefined);
    await test.queue.giveBack(job);
    assert.partialDeepStrictEqual(await test.row(job.id), {
      status: 'cancelled',
      events: storyOf(job.id).events,
    });
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
  });

  it('that races the end 500 times leaves exactly one final state', async () => {
    const won = { cancel: 0, finish: 0 };
    for (let round = 0; round < 500; round += 1) {
      await test.add(ada, { webhookUrl: round % 2 === 0 ? null : 'http://hook' });
      const job = await test.start();
      test.told.length = 0;
      const cancel = async () => await test.queue.cancel(ada, [job.id], storyOf);
      const early = round % 4 < 2 ? cancel() : undefined;
      const finishing = test.queue.finish(job, AN_END);
      // SQLite writes ends at the end of a turn of the event loop.
      if (round % 3 === 0) await new Promise(setImmediate);
      const [finished, cancelled] = await Promise.all([finishing, early ?? cancel()]);
      const byCancel = cancelled?.length === 1;
      assert.notEqual(byCancel, finished !== undefined);
      won[byCancel ? 'cancel' : 'finish'] += 1;
      const row = await test.row(job.id);
      assert.equal(row.status, byCancel ? 'cancelled' : 'completed');
      assert.equal(row.events, byCancel ? storyOf(job.id).events : AN_END.events);
      assert.deepEqual(
        test.told.map(({ status }) => status),
        row.webhook_url === null ? [] : [row.status],
      );
      assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
    }
    assert.ok(won.cancel > 0 && won.finish > 0, `both must win sometimes: ${JSON.stringify(won)}`);
  });
});
