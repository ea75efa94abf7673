import assert from 'node:assert/strict';
import { before, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { newId } from '../../platform/ids.ts';
import { startNextNow } from './jobs.repo.ts';
import { leaseEnded, listUsersWithLost } from './leases.repo.ts';
import { mayAnyStart, nextUserNow } from './lines.repo.ts';
import { claimNext } from './postgres-attempts.repo.ts';
import { aQueue, manyUsers } from './test/a-queue.ts';
import { gatherStatistics, plansOf, plansOfNow } from './test/plans-of.ts';

const aJob = (user: string, status: 'completed' | 'pending') => ({
  id: newId(),
  user_id: user,
  status,
  created_at: 1,
  updated_at: 1,
  attempt: 0,
  outputs_count: 0,
  previewable_outputs_count: 0,
  output_types: '',
  hidden: 0,
});

onEachDatabase('the queue', (db, engine) => {
  let users: string[] = [];

  before(async () => {
    await aQueue(db());
    users = await manyUsers(db(), 3000);
    for (let from = 0; from < users.length; from += 500) {
      const some = users.slice(from, from + 500);
      await db()
        .insertInto('jobs')
        .values(some.flatMap((user) => [aJob(user, 'completed'), aJob(user, 'pending')]))
        .execute();
      await db()
        .insertInto('job_queues')
        .values(
          // Most have as much running as they may.
          some.map((user, index) => ({
            user_id: user,
            waiting: 1,
            running: index % 50 === 0 ? 0 : 1,
            max_running: 1,
            last_started: from + index,
          })),
        )
        .execute();
    }
    await gatherStatistics(db());
  });

  const reads = (plan: string, index: string): void => {
    assert.ok(plan.includes(index), `without the index ${index}:\n${plan}`);
    const whole =
      engine === 'sqlite'
        ? /SCAN (jobs|job_queues|waiting)(?! USING)|TEMP B-TREE/
        : /Seq Scan on (jobs|job_queues)\b|Sort/;
    assert.doesNotMatch(plan, whole);
  };

  if (engine === 'sqlite') {
    it('finds the next turn in the index of lines that can start', async () => {
      for (const unable of [undefined, '["a GPU"]']) {
        reads(await plansOfNow(db(), (on) => nextUserNow(on, unable)), 'job_queues_next');
      }
    });

    it("finds the user's oldest waiting job in an index", async () => {
      const start = { userId: users[50] ?? '', runner: 'r', now: 1, leaseUntil: 2 };
      for (const unable of [undefined, '["a GPU"]']) {
        reads(await plansOfNow(db(), (on) => startNextNow(on, 'plain', start, unable)), 'jobs_by_user');
      }
    });
  }

  it('finds lost jobs in the index of leases', async () => {
    reads(await plansOf(db(), async (on) => await listUsersWithLost(on, leaseEnded(1), 10)), 'jobs_by_lease');
  });

  if (engine === 'postgres') {
    it('claims through indexes', async () => {
      const start = { runner: 'r', now: 1, leaseUntil: 2 };
      for (const unable of [undefined, '["a GPU"]']) {
        const plan = await plansOf(db(), async (on) => await claimNext(on, 'any', start, unable));
        reads(plan, 'job_queues_next');
        reads(plan, 'jobs_by_user');
      }
      reads(await plansOf(db(), mayAnyStart), 'job_queues_next');
    });
  }
});
