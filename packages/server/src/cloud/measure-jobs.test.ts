import assert from 'node:assert/strict';
import { it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { seriesIn } from '../../test/support/series-in.ts';
import type { Db } from '../platform/db/database.ts';
import { createMeters } from '../platform/metrics/create-meters.ts';
import { measureJobs } from './measure-jobs.ts';
import { LEASE_MS } from './queue/create-job-queue.ts';
import { aQueue, someUsers } from './queue/test/a-queue.ts';
import { AN_END } from './queue/test/an-end.ts';
import { plansOf } from './queue/test/plans-of.ts';
import { sumLines, sumStorage } from './use.repo.ts';

async function measured(db: Db) {
  const test = await aQueue(db);
  const [user = ''] = await someUsers(db, 1);
  const meters = createMeters({ onError: (error) => assert.fail(String(error)) });
  const queue = measureJobs({ queue: test.queue, db, clock: () => test.now, meters });
  return { test, user, queue, series: async () => seriesIn(await meters.render()) };
}

onEachDatabase('measured jobs', (db, engine) => {
  it('wait, run and end, each in its series', async () => {
    const { test, user, queue, series } = await measured(db());
    for (let job = 0; job < 3; job += 1) await test.add(user);
    test.now += 2000;
    const first = await queue.claim();
    const second = await queue.claim();
    assert.ok(first && second);
    const busy = await series();
    assert.equal(busy['atelier_jobs{state="waiting"}'], 1);
    assert.equal(busy['atelier_jobs{state="running"}'], 2);
    assert.equal(busy['atelier_job_wait_seconds_sum'], 4);
    assert.equal(busy['atelier_job_wait_seconds_count'], 2);

    test.now += 500;
    await queue.finish(first, AN_END);
    test.now += 1000;
    await queue.finish(second, { ...AN_END, status: 'failed' });
    const third = await queue.claim();
    assert.equal((await queue.cancel(user, [third?.id ?? ''], () => AN_END))?.length, 1);
    assert.ok(third);
    assert.equal(await queue.finish(third, AN_END), undefined, 'it is over already');
    const idle = await series();
    assert.equal(idle['atelier_jobs{state="waiting"}'], 0);
    assert.equal(idle['atelier_jobs{state="running"}'], 0);
    assert.equal(idle['atelier_jobs_ended_total{status="completed"}'], 1);
    assert.equal(idle['atelier_jobs_ended_total{status="failed"}'], 1);
    assert.equal(idle['atelier_jobs_ended_total{status="cancelled"}'], 1);
    assert.equal(idle['atelier_job_run_seconds_sum{status="completed"}'], 0.5);
    assert.equal(idle['atelier_job_run_seconds_sum{status="failed"}'], 1.5);
    assert.equal(idle['atelier_job_run_seconds_count{status="completed"}'], 1);
    assert.equal(idle['atelier_jobs_returned_total'], 0);
  });

  it('that cannot be cancelled are not counted', async () => {
    const { user, queue, series } = await measured(db());
    assert.equal(await queue.cancel(user, ['unknown'], () => AN_END), undefined);
    assert.equal((await series())['atelier_jobs_ended_total{status="cancelled"}'], 0);
  });

  it('of a lost server are counted when they return, and as failed after the third time', async () => {
    const { test, user, queue, series } = await measured(db());
    await test.add(user);
    for (let lost = 1; lost <= 3; lost += 1) {
      assert.ok(await test.other(`dead ${lost}`).claim());
      test.now += LEASE_MS + 1;
      await queue.recover([]);
      assert.equal((await series())['atelier_jobs_returned_total'], Math.min(lost, 2));
    }
    assert.equal((await series())['atelier_jobs_ended_total{status="failed"}'], 1);
  });

  it('of a previous server are counted at the start, where there is only one server', async () => {
    const { test, user, queue, series } = await measured(db());
    await test.add(user);
    await test.add(user);
    await test.add(user);
    const before = test.other('before');
    const twice = await before.claim();
    await db()
      .updateTable('jobs')
      .set({ attempt: 3 })
      .where('id', '=', twice?.id ?? '')
      .execute();
    await before.claim();
    await queue.recoverAll();
    const isAlone = engine === 'sqlite';
    const after = await series();
    assert.equal(after['atelier_jobs_returned_total'], isAlone ? 1 : 0);
    assert.equal(after['atelier_jobs_ended_total{status="failed"}'], isAlone ? 1 : 0);
    assert.equal(after['atelier_jobs{state="waiting"}'], isAlone ? 2 : 1);
  });

  it('that start again do not count as having waited again', async () => {
    const { test, user, queue, series } = await measured(db());
    await test.add(user);
    assert.ok(await test.other('dead').claim());
    test.now += LEASE_MS + 1;
    await queue.recover([]);
    assert.equal((await queue.claim())?.attempt, 2);
    assert.equal((await series())['atelier_job_wait_seconds_count'], 0);
  });

  it('are counted without a look at a job or a file', async () => {
    for (const sum of [sumLines, sumStorage]) {
      const plan = await plansOf(db(), sum);
      assert.match(plan, /job_queues|storage_use/);
      assert.doesNotMatch(plan, /\b(jobs|assets)\b/);
    }
  });

  it('count no bytes without files, and all bytes with many', async () => {
    await db().deleteFrom('storage_use').execute();
    await db().updateTable('job_queues').set({ result_bytes: 0 }).execute();
    assert.equal(await sumStorage(db()), 0);
    const rows = (await someUsers(db(), 2)).map((id) => ({
      user_id: id,
      files: 1,
      bytes: 3_000_000_000_000,
    }));
    await db().insertInto('storage_use').values(rows).execute();
    assert.equal(await sumStorage(db()), 6_000_000_000_000);
    await db().updateTable('job_queues').set({ result_bytes: 5 }).execute();
    const lines = await db().selectFrom('job_queues').select('user_id').execute();
    assert.ok(lines.length > 0);
    assert.equal(await sumStorage(db()), 6_000_000_000_000 + 5 * lines.length);
  });
});
