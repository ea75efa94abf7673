import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { withTransaction } from '../../platform/db/database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { newId } from '../../platform/ids.ts';
import { filterHashes } from '../filter-hashes.ts';
import { LEASE_MS } from './create-job-queue.ts';
import { addTo, aQueue, someUsers, type TestQueue } from './test/a-queue.ts';
import { AN_END } from './test/an-end.ts';

const withCode = (code: string) => (error: unknown) => error instanceof AppError && error.code === code;

onEachDatabase('the job queue', (db, engine) => {
  let test: TestQueue;
  let ada = '';
  let bob = '';
  beforeEach(async () => {
    test = await aQueue(db());
    [ada = '', bob = ''] = await someUsers(db(), 2);
  });

  it('stores a job as given, and counts it', async () => {
    const id = newId();
    const job = {
      id,
      userId: ada,
      clientId: 'tab',
      workflowId: 'w',
      workflowName: 'Portrait',
      tags: ['a', 'b'],
      metadata: '{"client":"acme"}',
      webhookUrl: 'http://hook',
      webhookEvents: ['completed', 'failed'],
      graph: '{"1":1}',
      targets: '["1"]',
      nodeOrder: '["2"]',
      extraData: '{"a":1}',
      partnerKey: new Uint8Array([1, 0, 255]),
      needs: 'a GPU',
      maxRunning: 2,
    };
    const { seq, counts } = await withTransaction(db(), async (tx) => await test.queue.add(tx, job));
    assert.deepEqual(counts, { waiting: 1, running: 0 });
    const row = await test.row(id);
    assert.partialDeepStrictEqual(row, {
      seq,
      user_id: ada,
      status: 'pending',
      created_at: test.now,
      attempt: 0,
      client_id: 'tab',
      workflow_id: 'w',
      workflow_name: 'Portrait',
      tags: ',a,b,',
      metadata: '{"client":"acme"}',
      webhook_url: 'http://hook',
      webhook_events: '["completed","failed"]',
      runner: null,
      hidden: 0,
      outputs: null,
    });
    assert.deepEqual(
      new Uint8Array(row.filter_hashes ?? []),
      new Uint8Array(filterHashes(job.tags, job.metadata) ?? []),
    );
    const claimed = await test.start();
    assert.deepEqual(new Uint8Array(claimed.partnerKey ?? []), job.partnerKey);
    assert.partialDeepStrictEqual(claimed, {
      id,
      userId: ada,
      seq,
      attempt: 1,
      createdAt: test.now,
      graph: job.graph,
      targets: job.targets,
      nodeOrder: job.nodeOrder,
      extraData: job.extraData,
      counts: { waiting: 0, running: 1 },
    });
    assert.deepEqual(test.told, [
      {
        id,
        user_id: ada,
        status: 'in_progress',
        attempt: 1,
        webhook_url: 'http://hook',
        webhook_events: '["completed","failed"]',
        error: null,
      },
    ]);
  });

  it('refuses the 101st waiting job, and accepts it once one has begun', async () => {
    for (let index = 0; index < 100; index += 1) await test.add(ada);
    await assert.rejects(test.add(ada), withCode('cloud.queue_limit'));
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 100, running: 0 });
    await test.add(bob);
    await test.start();
    await test.add(ada);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 100, running: 1 });
  });

  it('refuses an id that any job has, even a finished one of another user, and counts nothing', async () => {
    const id = await test.add(ada);
    await assert.rejects(test.add(ada, { id }), withCode('cloud.job_exists'));
    await test.queue.finish(await test.start(), AN_END);
    await assert.rejects(test.add(bob, { id }), withCode('cloud.job_exists'));
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
    assert.deepEqual(await test.queue.countsOf(bob), { waiting: 0, running: 0 });
    assert.equal(await test.queue.claim(), undefined);
  });

  it('is first in, first out for each user and takes turns between users, even within a millisecond', async () => {
    const [first, second] = [await test.add(ada), await test.add(ada)];
    const third = await test.add(ada);
    const [fourth, fifth] = [await test.add(bob), await test.add(bob)];
    const order = [];
    for (let index = 0; index < 5; index += 1) order.push((await test.start()).id);
    assert.deepEqual(order, [first, fourth, second, fifth, third]);
    assert.equal(await test.queue.claim(), undefined);
  });

  it('keeps turns when clocks go backwards', async () => {
    for (const user of [ada, ada, bob, bob]) await test.add(user);
    const order = [];
    for (let index = 0; index < 4; index += 1) {
      order.push((await test.start()).userId);
      test.now -= 1000;
    }
    assert.deepEqual(order, [ada, bob, ada, bob]);
  });

  it('delays no other user because of one with many waiting jobs', async () => {
    for (let index = 0; index < 90; index += 1) await test.add(ada, { maxRunning: 25 });
    for (let index = 0; index < 10; index += 1) await test.start();
    const late = await test.add(bob);
    assert.equal((await test.start()).id, late);
  });

  it('never runs more jobs of a user than the latest limit allows', async () => {
    for (let index = 0; index < 4; index += 1) await test.add(ada, { maxRunning: 1 });
    const job = await test.start();
    assert.equal(await test.queue.claim(), undefined);
    await test.queue.finish(job, AN_END);
    await test.start();
    assert.equal(await test.queue.claim(), undefined);
    await test.queue.setLimit(ada, 2);
    await test.start();
    assert.equal(await test.queue.claim(), undefined);
    await test.queue.setLimit(ada, 0);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 2 });
  });

  for (const webhookUrl of [null, 'http://hook']) {
    const how = webhookUrl === null ? 'without' : 'with';
    it(`ends an attempt ${how} a webhook: results are stored, keys and lease are gone`, async () => {
      await test.add(ada, { webhookUrl, webhookEvents: ['failed'], partnerKey: new Uint8Array([7]) });
      const job = await test.start();
      test.now += 250;
      const end = { ...AN_END, status: 'failed', error: '{"why":1}' } as const;
      assert.deepEqual(await test.queue.finish(job, end), { waiting: 0, running: 0 });
      assert.partialDeepStrictEqual(await test.row(job.id), {
        status: 'failed',
        ended_at: test.now,
        updated_at: test.now,
        execution_ms: 250,
        lease_until: null,
        partner_key: null,
        error: '{"why":1}',
        outputs: end.outputs,
        meta: end.meta,
        events: end.events,
        outputs_count: 2,
        previewable_outputs_count: 1,
        preview_output: end.previewOutput,
        output_types: ' image ',
      });
      const told = webhookUrl === null ? [] : ['in_progress', 'failed'];
      assert.deepEqual(
        test.told.map(({ status }) => status),
        told,
      );
      assert.equal(test.told.at(-1)?.error, webhookUrl === null ? undefined : '{"why":1}');
    });
  }

  it('refuses to end an attempt of another runner, and changes nothing', async () => {
    await test.add(ada);
    const job = await test.start();
    const before = await test.row(job.id);
    assert.equal(await test.other('there').finish(job, AN_END), undefined);
    assert.equal(await test.queue.finish({ ...job, attempt: 2 }, AN_END), undefined);
    assert.equal(await test.queue.finish({ ...job, userId: bob }, AN_END), undefined);
    assert.deepEqual(await test.row(job.id), before);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 1 });
    assert.ok(await test.queue.finish(job, AN_END));
    assert.equal(await test.queue.finish(job, { ...AN_END, status: 'failed' }), undefined);
    assert.equal((await test.row(job.id)).status, 'completed');
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
  });

  it('returns a job to the front of its line without counting the attempt', async () => {
    await test.add(ada, { webhookUrl: 'http://hook' });
    await test.add(ada);
    const job = await test.start();
    await test.queue.giveBack(job);
    assert.partialDeepStrictEqual(await test.row(job.id), {
      status: 'pending',
      attempt: 0,
      runner: null,
      lease_until: null,
      started_at: null,
    });
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 2, running: 0 });
    await test.queue.giveBack(job);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 2, running: 0 });
    assert.partialDeepStrictEqual(await test.start(), { id: job.id, attempt: 1 });
    assert.deepEqual(
      test.told.map(({ status }) => status),
      ['in_progress', 'in_progress'],
    );
  });

  it('puts a job back behind the accounts that wait, without counting a lost attempt', async () => {
    await test.add(ada);
    const first = await test.start();
    test.now += 1000;
    const waits = await test.add(bob);
    test.now += 1000;
    assert.deepEqual(await test.queue.listWaiting(5), [{ userId: bob, since: test.now - 1000 }]);
    assert.equal(await test.queue.giveBack(first, { makesRoom: true }), true);
    assert.equal(await test.queue.giveBack(first, { makesRoom: true }), false);
    assert.partialDeepStrictEqual(await test.row(first.id), {
      status: 'pending',
      attempt: 1,
      put_backs: 1,
      runner: null,
      started_at: null,
    });
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 0 });
    assert.deepEqual(
      (await test.queue.listWaiting(5)).map(({ userId }) => userId),
      [bob, ada],
    );
    assert.equal((await test.start()).id, waits);
    assert.partialDeepStrictEqual(await test.start(), { id: first.id, attempt: 2, putBacks: 1 });
    for (let lost = 1; lost <= 3; lost += 1) {
      test.now += LEASE_MS;
      const { failed } = await test.other('sweeper').recover([]);
      assert.deepEqual(new Set(failed.map(({ id }) => id)), new Set(lost < 3 ? [] : [waits, first.id]));
      if (lost < 3) for (let n = 0; n < 2; n += 1) assert.ok(await test.other(`lost ${lost}`).claim());
    }
  });

  it('renews the leases of running jobs, and returns those that still belong to this server', async () => {
    await test.add(ada);
    await test.add(ada);
    await test.add(bob);
    const [first, second, elsewhere] = [
      await test.start(),
      await test.start(),
      await test.other('there').claim(),
    ];
    await test.queue.cancel(second.userId, [second.id], () => AN_END);
    test.now += 5000;
    const running = [first, second];
    assert.deepEqual(await test.queue.renew(running), new Set([first.id]));
    assert.equal((await test.row(first.id)).lease_until, test.now + LEASE_MS);
    assert.equal((await test.row(elsewhere?.id ?? '')).lease_until, test.now - 5000 + LEASE_MS);
    await test.queue.finish(first, AN_END);
    assert.deepEqual(await test.queue.renew(running), new Set());
  });

  it('ends an attempt once, and returns the same when called again', async () => {
    await test.add(ada);
    const job = await test.start();
    const counts = await test.queue.finish(job, AN_END);
    assert.deepEqual(counts, { waiting: 0, running: 0 });
    assert.deepEqual(await test.queue.finish(job, AN_END), counts);
    assert.equal(await test.queue.finish(job, { ...AN_END, status: 'failed' }), undefined);
    assert.equal(await test.other('there').finish(job, AN_END), undefined);
    assert.deepEqual(await test.queue.countsOf(ada), counts);
  });

  it('holds a job until its lease ends by the clock of this server, or longer if there is no other server', async () => {
    await test.add(ada);
    const job = await test.start();
    const isAlone = engine === 'sqlite';
    assert.equal(test.queue.holds(job), true);
    test.now += LEASE_MS;
    assert.equal(test.queue.holds(job), isAlone);
    await test.queue.renew([job]);
    assert.equal(test.queue.holds(job), true);
    assert.equal(test.queue.holds({ ...job, attempt: 2 }), false);
    await test.queue.finish(job, AN_END);
    assert.equal(test.queue.holds(job), false);
  });

  it('rolls back a change whose delivery cannot be written', async () => {
    const failing = test.other('failing');
    const id = await addTo(db(), failing, ada, { webhookUrl: 'http://hook' });
    test.told.push = () => {
      throw new Error('full');
    };
    await assert.rejects(failing.claim(), /full/);
    assert.equal((await test.row(id)).status, 'pending');
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 0 });
  });

  it('heals counts from the jobs, and returns how many lines were wrong', async () => {
    for (const user of [ada, ada, bob]) await test.add(user);
    await test.start();
    assert.equal(await test.queue.heal(), 0);
    await db().updateTable('job_queues').set({ waiting: 9, running: 9 }).where('user_id', '=', ada).execute();
    assert.equal(await test.queue.heal(), 1);
    assert.equal(await test.queue.heal(), 0);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 1, running: 1 });
    assert.deepEqual(await test.queue.countsOf(bob), { waiting: 1, running: 0 });
  });

  it('heals a line that promises a missing job when a claim meets it', async () => {
    await db()
      .insertInto('job_queues')
      .values({ user_id: ada, waiting: 3, running: 0, max_running: 1, last_started: 0 })
      .execute();
    const id = await test.add(bob);
    assert.equal((await test.start()).id, id);
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
  });

  it('has no counts for a user without a line', async () => {
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 0, running: 0 });
    await test.queue.setLimit(ada, 5);
    assert.equal(await test.queue.claim(), undefined);
    assert.equal(await test.queue.finish({ id: 'x', userId: ada, attempt: 1 }, AN_END), undefined);
    assert.equal(await test.queue.cancel(ada, ['x'], () => AN_END), undefined);
  });
});
