import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../test/support/a-user.ts';
import { onEachDatabase } from '../../test/support/on-each-database.ts';
import type { Db } from '../platform/db/database.ts';
import { manyJobs } from './jobs/test/a-job.ts';
import { forgetOldJobs, JOB_BATCH_SIZE } from './old-jobs.ts';
import { deleteJobsOf } from './user-data.repo.ts';

const NOW = 10_000_000;
const KEPT_MS = 1_000_000;

onEachDatabase('old jobs', (db) => {
  async function someJobs(count: number): Promise<string> {
    const { id } = await aUser(db());
    await db()
      .insertInto('job_queues')
      .values({ user_id: id, waiting: 0, running: 0, max_running: 1, last_started: 0, result_bytes: 1000 })
      .execute();
    await manyJobs(db(), id, count);
    await db().updateTable('jobs').set({ result_bytes: 1 }).where('user_id', '=', id).execute();
    return id;
  }
  const jobsOf = async (userId: string) =>
    await db().selectFrom('jobs').select(['id', 'ended_at']).where('user_id', '=', userId).execute();

  it('[CLD-33] are deleted in slices with turns for other work, and kept or open ones stay', async () => {
    const [ada, ben] = [await someJobs(5 * JOB_BATCH_SIZE), await someJobs(20)];
    const open = (await jobsOf(ada)).filter(({ ended_at }) => ended_at === null).length;
    const recent = (await jobsOf(ben)).find(({ ended_at }) => ended_at !== null);
    await db()
      .updateTable('jobs')
      .set({ ended_at: NOW - KEPT_MS })
      .where('id', '=', recent?.id ?? '')
      .execute();
    const deletes: number[] = [];
    const turns = countTurns();
    await forgetOldJobs({ db: recordingDeletes(db(), deletes), now: NOW, keptMs: KEPT_MS });
    assert.ok(turns.stop() >= 4);
    assert.ok(deletes.length >= 5 && Math.max(...deletes) <= JOB_BATCH_SIZE, String(deletes));
    const left = await jobsOf(ada);
    assert.equal(left.length, open);
    assert.ok(left.every(({ ended_at }) => ended_at === null));
    assert.ok((await jobsOf(ben)).some(({ id }) => id === recent?.id));
  });

  it('free the storage that their results took', async () => {
    const user = await someJobs(2 * JOB_BATCH_SIZE + 10);
    const ended = (await jobsOf(user)).filter(({ ended_at }) => ended_at !== null).length;
    await forgetOldJobs({ db: db(), now: NOW, keptMs: KEPT_MS });
    const line = await db()
      .selectFrom('job_queues')
      .select('result_bytes')
      .where('user_id', '=', user)
      .executeTakeFirst();
    assert.equal(line?.result_bytes, 1000 - ended);
  });

  it('[CLD-33] are deleted in slices with their account', async () => {
    const [user, other] = [await someJobs(5 * JOB_BATCH_SIZE), await someJobs(5)];
    const turns = countTurns();
    await deleteJobsOf(db(), user);
    assert.ok(turns.stop() >= 4);
    assert.deepEqual(await jobsOf(user), []);
    assert.equal((await jobsOf(other)).length, 5);
  });

  it('[CLD-33] are left for the next run when the server stops', async () => {
    const user = await someJobs(2 * JOB_BATCH_SIZE);
    await forgetOldJobs({ db: db(), now: NOW, keptMs: KEPT_MS, signal: AbortSignal.abort() });
    assert.ok((await jobsOf(user)).length >= JOB_BATCH_SIZE);
  });

  it('stay forever when they are kept forever', async () => {
    const user = await someJobs(5);
    await forgetOldJobs({ db: db(), now: NOW, keptMs: 0 });
    assert.equal((await jobsOf(user)).length, 5);
  });
});

function countTurns(): { stop(): number } {
  let turns = 0;
  let timer = setImmediate(function count(): void {
    turns += 1;
    timer = setImmediate(count);
  });
  return {
    stop() {
      clearImmediate(timer);
      return turns;
    },
  };
}

/** Notes how many values each deletion of jobs names. */
function recordingDeletes(db: Db, deletes: number[]): Db {
  return db.withPlugin({
    transformQuery({ node, queryId }) {
      if (node.kind === 'DeleteQueryNode') {
        const { sql, parameters } = db.getExecutor().compileQuery(node, queryId);
        if (/from "jobs"/.test(sql)) deletes.push(parameters.length);
      }
      return node;
    },
    transformResult: async ({ result }) => result,
  });
}
