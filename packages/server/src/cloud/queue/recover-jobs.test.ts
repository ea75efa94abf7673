import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { HEARTBEAT_MS, LEASE_MS, SWEEP_MS } from './create-job-queue.ts';
import { aQueue, someUsers, type TestQueue } from './test/a-queue.ts';
import { AN_END } from './test/an-end.ts';

onEachDatabase('a lost runner', (db, engine) => {
  let test: TestQueue;
  let ada = '';
  beforeEach(async () => {
    test = await aQueue(db());
    [ada = ''] = await someUsers(db(), 1);
  });

  it('is noticed within 15 seconds: its job is first in its line again, and its late end is refused', async () => {
    const lost = test.other('lost');
    await test.add(ada, { webhookUrl: 'http://hook' });
    const job = await lost.claim();
    assert.ok(job);
    await test.add(ada);
    const lostAt = test.now;
    let again: typeof job | undefined;
    while (!again) {
      test.now += SWEEP_MS;
      await test.queue.recover([]);
      again = await test.queue.claim();
      if (again && again.id !== job.id) again = undefined;
      assert.ok(test.now - lostAt <= 15_000, 'too late');
    }
    assert.ok(test.now - lostAt >= LEASE_MS, 'too early');
    assert.equal(again.attempt, 2);
    assert.equal(await lost.finish(job, AN_END), undefined);
    assert.deepEqual(await lost.renew([job]), new Set());
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 2 });
    assert.ok(await test.queue.finish(again, AN_END));
    assert.deepEqual(
      test.told.map(({ status }) => status),
      ['in_progress', 'in_progress', 'completed'],
    );
  });

  it('is not one that renews its leases', async () => {
    const other = test.other('alive');
    await test.add(ada);
    const job = await other.claim();
    assert.ok(job);
    for (let beat = 0; beat < 10; beat += 1) {
      test.now += HEARTBEAT_MS;
      assert.deepEqual(await other.renew([job]), new Set([job.id]));
      assert.deepEqual(await test.queue.recover([]), { returned: 0, failed: [] });
    }
  });

  it('is not this server itself after a long sleep', async () => {
    await test.add(ada);
    const job = await test.start();
    test.now += 10 * LEASE_MS;
    assert.deepEqual(await test.queue.recover([job]), { returned: 0, failed: [] });
    assert.ok(await test.queue.finish(job, AN_END));
  });

  it('is also one that has claimed a job and does not run it', async () => {
    await test.add(ada);
    await test.start();
    test.now += LEASE_MS;
    assert.deepEqual(await test.queue.recover([]), { returned: 1, failed: [] });
  });

  it('is also one that failed to write its end, so that the job runs again', async () => {
    await test.add(ada, { webhookUrl: 'http://hook' });
    const job = await test.start();
    const { push } = test.told;
    test.told.push = () => {
      throw new Error('full');
    };
    await assert.rejects(test.queue.finish(job, AN_END), /full/);
    test.told.push = push;
    test.now += LEASE_MS;
    assert.deepEqual(await test.queue.recover([]), { returned: 1, failed: [] });
    assert.equal((await test.start()).attempt, 2);
  });

  it('fails the job with a reason the third time', async () => {
    const id = await test.add(ada, { webhookUrl: 'http://hook', partnerKey: new Uint8Array([1]) });
    for (let attempt = 1; attempt <= 3; attempt += 1) {
      assert.equal((await test.other(`lost ${attempt}`).claim())?.attempt, attempt);
      test.now += LEASE_MS;
      const { returned, failed } = await test.queue.recover([]);
      assert.equal(returned, attempt < 3 ? 1 : 0);
      const counts = { waiting: 0, running: 0 };
      assert.deepEqual(
        failed,
        attempt < 3 ? [] : [{ id, userId: ada, attempt: 3, status: 'failed', counts }],
      );
    }
    const data = {
      prompt_id: id,
      node_id: '',
      node_type: '',
      executed: [],
      exception_message: 'The job was lost with its runner three times.\n',
      exception_type: 'ServiceError',
      traceback: [],
      current_inputs: {},
      current_outputs: [],
      timestamp: test.now,
    };
    const row = await test.row(id);
    assert.partialDeepStrictEqual(row, {
      status: 'failed',
      ended_at: test.now,
      execution_ms: LEASE_MS,
      lease_until: null,
      partner_key: null,
      outputs: '{}',
      meta: '{}',
    });
    assert.deepEqual(JSON.parse(row.error ?? ''), data);
    assert.deepEqual(JSON.parse(row.events ?? ''), [{ id: '4-1', type: 'execution_error', data }]);
    assert.deepEqual(
      test.told.map(({ status }) => status),
      ['in_progress', 'in_progress', 'in_progress', 'failed'],
    );
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
  });

  it('is found once by servers that sweep together', async () => {
    const users = await someUsers(db(), 5);
    for (const user of users) for (let index = 0; index < 3; index += 1) await test.add(user);
    const lost = test.other('lost');
    for (let index = 0; index < 15; index += 1) assert.ok(await lost.claim());
    test.now += LEASE_MS;
    const sweeps = ['a', 'b', 'c', 'd'].map(async (runner) => await test.other(runner).recover([]));
    const returned = (await Promise.all(sweeps)).reduce((sum, sweep) => sum + sweep.returned, 0);
    assert.equal(returned, 15);
    for (const user of users) assert.deepEqual(await test.queue.countsOf(user), { waiting: 3, running: 0 });
  });

  it('of an earlier server is known at the start where only one server may run', async () => {
    const earlier = test.other('earlier');
    await test.add(ada);
    await test.add(ada);
    const lost = await earlier.claim();
    const own = await test.start();
    await test.queue.recoverAll();
    const expected = engine === 'sqlite' ? 'pending' : 'in_progress';
    assert.equal((await test.row(lost?.id ?? '')).status, expected);
    assert.equal((await test.row(own.id)).status, 'in_progress');
  });
});
