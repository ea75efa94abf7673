import assert from 'node:assert/strict';
import { it } from 'node:test';
import { sql } from 'kysely';

import { onEachDatabase } from '../../../../test/support/on-each-database.ts';
import { readStorageUse } from '../../../cloud/files/assets.repo.ts';
import { proxyOn } from '../../../proxy/test/proxy-on.ts';
import { scriptedVendor } from '../../../proxy/test/scripted-adapter.ts';
import { migrate } from '../migrate.ts';
import { MIGRATIONS } from './index.ts';

onEachDatabase('an installation of before', (db) => {
  it('counts the files of its tasks, besides those already counted', async (t) => {
    const proxy = await proxyOn(t, db(), [scriptedVendor()]);
    const [artist, other] = [await proxy.anAccount(), await proxy.anAccount()];
    for (const userId of [artist, other]) await proxy.add(userId);
    await proxy.drain();
    const counted = await readStorageUse(db(), artist);
    assert.equal(counted.files, 2);

    await sql`update storage_use set files = 1, bytes = 5 where user_id = ${artist}`.execute(db());
    await sql`delete from storage_use where user_id = ${other}`.execute(db());
    await sql`drop table sign_in_addresses`.execute(db());
    await sql`delete from migrations where name >= '0011'`.execute(db());
    const upToThis = Object.entries(MIGRATIONS).filter(([name]) => name <= '0011-sign-in-addresses');
    await migrate(db(), Object.fromEntries(upToThis));
    assert.deepEqual(await readStorageUse(db(), artist), { files: 3, bytes: counted.bytes + 5 });
    assert.deepEqual(await readStorageUse(db(), other), counted);
  });
});
