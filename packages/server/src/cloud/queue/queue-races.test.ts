import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { sql } from 'kysely';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { AppError } from '../../platform/errors/app-error.ts';
import { newId } from '../../platform/ids.ts';
import { addTo, aQueue, someUsers, type TestQueue } from './test/a-queue.ts';
import { AN_END } from './test/an-end.ts';

const codeOf = (result: PromiseSettledResult<unknown>): string => {
  if (result.status === 'fulfilled') return 'ok';
  return result.reason instanceof AppError ? result.reason.code : String(result.reason);
};

/** How many results there are of each kind. */
const tally = (results: readonly PromiseSettledResult<unknown>[]): Record<string, number> => {
  const counts: Record<string, number> = {};
  for (const result of results) counts[codeOf(result)] = (counts[codeOf(result)] ?? 0) + 1;
  return counts;
};

onEachDatabase('a queue in a hurry', (db) => {
  let test: TestQueue;
  beforeEach(async () => {
    test = await aQueue(db());
  });

  it('accepts exactly 100 of 130 simultaneous jobs', async () => {
    const [ada = ''] = await someUsers(db(), 1);
    const queues = ['a', 'b', 'c'].map((runner) => test.other(runner));
    const adds = Array.from({ length: 130 }, async (_, index) => {
      return await addTo(db(), queues[index % 3] ?? test.queue, ada);
    });
    assert.deepEqual(tally(await Promise.allSettled(adds)), { ok: 100, 'cloud.queue_limit': 30 });
    assert.deepEqual(await test.queue.countsOf(ada), { waiting: 100, running: 0 });
    assert.equal(await test.queue.heal(), 0);
  });

  it('gives an id to exactly one of many simultaneous jobs', async () => {
    const users = await someUsers(db(), 8);
    const id = newId();
    const adds = users.map(async (user) => await test.add(user, { id }));
    assert.deepEqual(tally(await Promise.allSettled(adds)), { ok: 1, 'cloud.job_exists': 7 });
    assert.equal(await test.queue.heal(), 0);
    const counts = await Promise.all(users.map(async (user) => (await test.queue.countsOf(user)).waiting));
    assert.equal(
      counts.reduce((sum, waiting) => sum + waiting, 0),
      1,
    );
  });

  it('never lets more run than allowed, however many servers claim, and loses nothing', async () => {
    const users = await someUsers(db(), 10);
    for (const [index, user] of users.entries()) {
      for (let job = 0; job < 20; job += 1) {
        await test.add(user, {
          maxRunning: 1 + (index % 3),
          webhookUrl: job % 5 === 0 ? 'http://hook' : null,
        });
      }
    }
    const finished: string[] = [];
    const returned = new Set<string>();
    const serve = async (runner: string): Promise<void> => {
      const queue = test.other(runner);
      while (finished.length < 200) {
        const job = await queue.claim();
        assert.deepEqual(await beyondTheirLimit(), []);
        if (!job) continue;
        if (job.seq % 7 === 0 && !returned.has(job.id)) {
          returned.add(job.id);
          await queue.giveBack(job);
          continue;
        }
        assert.ok(await queue.finish(job, AN_END));
        finished.push(job.id);
      }
    };
    await Promise.all(['a', 'b', 'c', 'd', 'e', 'f'].map(serve));
    assert.equal(new Set(finished).size, 200);
    assert.equal(await test.queue.heal(), 0);
    for (const user of users) assert.deepEqual(await test.queue.countsOf(user), { waiting: 0, running: 0 });
  });

  /** Counted from the jobs, not from what the line says of them. */
  async function beyondTheirLimit(): Promise<string[]> {
    const rows = await db()
      .selectFrom('job_queues')
      .select('user_id')
      .where(
        sql<boolean>`max_running < (select count(*) from jobs
          where jobs.user_id = job_queues.user_id and jobs.status = 'in_progress')`,
      )
      .execute();
    return rows.map((row) => row.user_id);
  }
});
