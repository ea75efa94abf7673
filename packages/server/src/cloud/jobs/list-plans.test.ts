import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import type { Db } from '../../platform/db/database.ts';
import { plansOf } from '../queue/test/plans-of.ts';
import { countJobs, listSeqs } from './job-list.repo.ts';
import { ENDED, OPEN } from './job-states.ts';
import * as repo from './jobs.repo.ts';
import { manyJobs } from './test/a-job.ts';

const PAGE = { order: 'desc', limit: 100, offset: 0 } as const;
/** Neither all jobs nor all of a user, and nothing sorted that is not short. */
const TOO_MUCH = /SCAN jobs\b|jobs USING (?:COVERING )?INDEX \S+ \(user_id=\?\)/;

onEachDatabase('reads of jobs', (db, engine) => {
  if (engine === 'postgres') {
    it('find the jobs of a list in an index alone, whatever the filter', async () => {
      const [userId, other] = [(await aUser(db())).id, (await aUser(db())).id];
      for (const owner of [userId, other]) await manyJobs(db(), owner, 3000);
      await sql`vacuum analyze jobs`.execute(db());
      const names = { workflowId: 'usual', workflowName: 'Day', outputType: 'image', from: 5 };
      for (const narrowed of [
        {},
        names,
        { tags: ['night'] },
        { tags: ['unknown'] },
        { tags: ['night', 'day'], metadata: ['"a":"b"'], ...names },
        { metadata: ['"a":"c"'] },
      ]) {
        const filter = { userId, statuses: ENDED, ...narrowed };
        for (const [index, read] of [
          ['jobs_ended', async (on: Db) => await listSeqs(on, filter, { ...PAGE, offset: 2500 })],
          ['jobs_ended', async (on: Db) => await countJobs(on, filter)],
          [
            'jobs_by_duration',
            async (on: Db) => await listSeqs(on, filter, { ...PAGE, sortBy: 'duration', offset: 2500 }),
          ],
        ] as const) {
          const plan = await plansOf(db(), read);
          assert.match(plan, new RegExp(`Index Only Scan (?:Backward )?using ${index} `), plan);
          assert.doesNotMatch(plan, /Seq Scan|Bitmap|Sort/);
        }
      }
    });
    // PostgreSQL decides by what it has counted, so that its plans of an empty table say nothing.
    return;
  }

  it('find the jobs of a list without their rows', async () => {
    const userId = (await aUser(db())).id;
    await manyJobs(db(), userId, 20);
    for (const statuses of [ENDED, [ENDED[0]], OPEN, [...OPEN, ...ENDED]]) {
      const names = { workflowId: 'usual', workflowName: 'Day', tags: ['night'], outputType: 'image' };
      const filter = { userId, statuses, ...names, from: 5 };
      for (const [index, read] of [
        ['jobs_ended', async (on: Db) => await listSeqs(on, filter, PAGE)],
        ['jobs_ended', async (on: Db) => await listSeqs(on, filter, { ...PAGE, after: 5, offset: 5 })],
        [
          'jobs_by_duration',
          async (on: Db) => await listSeqs(on, filter, { ...PAGE, sortBy: 'duration', offset: 9000 }),
        ],
        ['jobs_ended', async (on: Db) => await countJobs(on, filter)],
      ] as const) {
        const plan = await plansOf(db(), read);
        const used = new RegExp(
          `^SEARCH jobs USING (?:COVERING )?INDEX (?:${index} \\(user_id=\\?|jobs_by_user \\(user_id=\\? AND status=)`,
        );
        assert.doesNotMatch(plan, /SCAN (?!CONSTANT ROW)|TEMP B-TREE/);
        const steps = plan.split('\n').filter((step) => step.startsWith('SEARCH'));
        assert.ok(steps.length > 0);
        for (const step of steps) assert.match(step, used, plan);
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
