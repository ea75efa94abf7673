import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';

import { aUser } from '../../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { filterHashes } from '../../../cloud/filter-hashes.ts';
import { manyJobs } from '../../../cloud/jobs/test/a-job.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

const UNUSUAL = [
  {
    tags: ',Straße,50%,a_b\\,\u{1F98A} c,',
    metadata: '{"a.b-c_d":"\\"é\\" \\\\ \u{1F98A}","2":"","__proto__":"x"}',
  },
  { tags: '', metadata: '{"only":"metadata"}' },
  { tags: ',"only":"metadata",', metadata: '' },
];

onEachDatabase('jobs that were added before lists filtered by hashes', (db) => {
  it('get the same hashes as new ones, however many they are', async () => {
    const userId = (await aUser(db())).id;
    const made = await manyJobs(db(), userId, 2600);
    for (const [index, columns] of UNUSUAL.entries()) {
      await db()
        .updateTable('jobs')
        .set(columns)
        .where('seq', '=', made[index]?.seq ?? 0)
        .execute();
    }
    for (const name of ['jobs_ended', 'jobs_by_duration']) await db().schema.dropIndex(name).execute();
    await db().schema.alterTable('jobs').dropColumn('filter_hashes').execute();
    await sql`create index jobs_ended on jobs (seq)`.execute(db());
    await sql`create index jobs_by_duration on jobs (seq)`.execute(db());

    await sql`delete from migrations where name >= '0025'`.execute(db());
    const upToThis = Object.entries(MIGRATIONS).filter(([name]) => name <= '0025-filter-hashes');
    await migrate(db(), Object.fromEntries(upToThis));

    const jobs = await db().selectFrom('jobs').select(['tags', 'metadata', 'filter_hashes']).execute();
    assert.equal(jobs.length, 2600);
    for (const { tags, metadata, filter_hashes } of jobs) {
      const expected = filterHashes(tags === '' ? [] : tags.slice(1, -1).split(','), metadata);
      assert.deepEqual(filter_hashes && Buffer.from(filter_hashes), expected, `${tags} ${metadata}`);
    }
    assert.ok(jobs.some((job) => job.filter_hashes === null));
  });
});
