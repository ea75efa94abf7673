import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { DELETE_BATCH_SIZE, deleteOld } from './delete-old.ts';

onEachDatabase('old rows', (db) => {
  it('are deleted in batches, and newer ones stay', async () => {
    const user_id = (await aUser(db())).id;
    const count = 2 * DELETE_BATCH_SIZE + 20;
    const rows = Array.from({ length: count }, (_each, n) => {
      return {
        user_id,
        key: `key ${n}`,
        job_id: 'j',
        body_hash: 'h',
        node_errors: '{}',
        created_at: 1000 + n,
      };
    });
    for (let at = 0; at < count; at += 100) {
      await db()
        .insertInto('job_keys')
        .values(rows.slice(at, at + 100))
        .execute();
    }
    await deleteOld(db(), 'job_keys', 1000 + count - 5);
    const left = await db().selectFrom('job_keys').select('created_at').orderBy('created_at').execute();
    assert.deepEqual(
      left.map((row) => row.created_at - 1000),
      [count - 5, count - 4, count - 3, count - 2, count - 1],
    );
  });
});
