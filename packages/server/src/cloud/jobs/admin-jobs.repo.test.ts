import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { type AdminJobFilter, listJobsOfAll } from './admin-jobs.repo.ts';
import { manyJobs } from './test/a-job.ts';

onEachDatabase('jobs of all users', (db) => {
  it('are found however many others lie between, newest first', async () => {
    await db().deleteFrom('jobs').execute();
    const [rare, usual] = [(await aUser(db())).id, (await aUser(db())).id];
    const first = await manyJobs(db(), rare, 10);
    const others = await manyJobs(db(), usual, 520);
    const all = await manyJobs(db(), rare, 10);
    const newest = (rows: typeof first) => rows.map(({ seq }) => seq).toReversed();
    const seqs = async (filter: Partial<AdminJobFilter>) =>
      (await listJobsOfAll(db(), 'admin', { limit: 10_000, ...filter })).map(({ seq }) => seq);

    assert.deepEqual(await seqs({ userId: rare }), newest(all));
    assert.deepEqual(await seqs({ userId: rare, limit: 15 }), newest(all).slice(0, 15));
    assert.deepEqual(await seqs({ beforeSeq: others[0]?.seq ?? 0 }), newest(first));
    const failed = [...all, ...others].filter(({ status }) => status === 'failed');
    assert.deepEqual(
      await seqs({ statuses: ['failed'] }),
      newest(failed.toSorted((one, other) => one.seq - other.seq)),
    );
  });
});
