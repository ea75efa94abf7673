import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { plansOf } from '../queue/test/plans-of.ts';
import { countByStatus, listByArrival, listByDuration, listSeqs } from './job-list.repo.ts';
import { ENDED, OPEN } from './job-states.ts';
import * as repo from './jobs.repo.ts';

const PAGE = { order: 'desc', limit: 100, offset: 0 } as const;
const LISTED = /USING COVERING INDEX jobs_by_user/;
/** Neither all jobs nor all of a user, and nothing sorted that is not short. */
const TOO_MUCH = /SCAN jobs\b|jobs USING (?:COVERING )?INDEX \S+ \(user_id=\?\)/;

onEachDatabase('reads of jobs', (db, engine) => {
  // PostgreSQL decides by what it has counted, so that its plans of an empty table say nothing.
  if (engine === 'postgres') return;

  it('find the jobs of a list without their rows', async () => {
    const userId = (await aUser(db())).id;
    for (const statuses of [ENDED, OPEN, [...OPEN, ...ENDED]]) {
      const filter = { userId, statuses, workflowId: 'w', outputType: 'image' };
      for (const read of [
        async (on: ReturnType<typeof db>) => await listSeqs(on, filter, PAGE),
        async (on: ReturnType<typeof db>) => await listByArrival(on, filter, { ...PAGE, after: 5 }),
        async (on: ReturnType<typeof db>) => await listByDuration(on, filter, PAGE),
        async (on: ReturnType<typeof db>) => await countByStatus(on, filter, { above: 5 }),
      ]) {
        const plan = await plansOf(db(), read);
        assert.match(plan, LISTED);
        assert.doesNotMatch(plan, TOO_MUCH);
      }
    }
  });

  it('find named jobs by their names', async () => {
    const userId = (await aUser(db())).id;
    const names = Array.from({ length: 50 }, (_each, index) => `id ${index}`);
    const seqs = names.map((_each, index) => index);
    for (const read of [
      async (on: ReturnType<typeof db>) => await repo.readWholeJobs(on, userId, seqs),
      async (on: ReturnType<typeof db>) => await repo.pickIds(on, userId, names, OPEN),
      async (on: ReturnType<typeof db>) => await repo.hideJobs(on, userId, { seqs }),
      async (on: ReturnType<typeof db>) => await repo.hideJobs(on, userId, { ids: names }),
    ]) {
      const plan = await plansOf(db(), read);
      assert.match(
        plan,
        /jobs USING (?:INTEGER PRIMARY KEY \(rowid=\?\)|INDEX sqlite_autoindex_jobs_1 \(id=\?\))/,
      );
      assert.doesNotMatch(plan, TOO_MUCH);
    }
  });
});
