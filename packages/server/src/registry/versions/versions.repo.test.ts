import assert from 'node:assert/strict';
import { it } from 'node:test';

import { aPack, aPublisher, aVersion } from '../../../test/support/a-pack.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { withTransaction } from '../../platform/db/database.ts';
import { findPack } from '../packs/packs.repo.ts';
import { updatePublisher } from '../publishers/publishers.repo.ts';
import * as repo from './versions.repo.ts';

const ANY: repo.VersionStatus[] = ['pending', 'active', 'flagged', 'banned', 'deleted'];
const CHANGES = { status_reason: null, updated_at: 5 };

onEachDatabase('versions', (db) => {
  it('are ordered like semantic versions, and the latest is the newest active one', async () => {
    const packId = await aPack(db());
    for (const number of ['1.9.0', '1.10.0', '1.9.0-rc.1', '0.99.0']) await aVersion(db(), packId, number);
    await aVersion(db(), packId, '2.0.0', 'flagged');
    const numbers = (await repo.listVersions(db(), packId, ANY)).map(({ version }) => version);
    assert.deepEqual(numbers, ['2.0.0', '1.10.0', '1.9.0', '1.9.0-rc.1', '0.99.0']);
    const latest = await repo.newestActive(db(), packId);
    assert.equal(latest?.version, '1.10.0');
    assert.equal((await findPack(db(), packId))?.latest_version_id, latest?.id);
  });

  it('keep their number after they are deleted', async () => {
    const packId = await aPack(db());
    const id = await aVersion(db(), packId, '1.0.0');
    const row = await repo.findVersionById(db(), id);
    assert.ok(row);
    await repo.moveVersion(db(), id, 'deleted', CHANGES);
    assert.equal(await repo.insertVersion(db(), { ...row, id: 'another' }), false);
  });

  it('never leave the deleted state, and change once when two decide at once', async () => {
    const packId = await aPack(db());
    const gone = await aVersion(db(), packId, '1.0.0', 'deleted');
    for (const to of ['active', 'flagged', 'banned', 'deleted'] as const)
      assert.equal(await repo.moveVersion(db(), gone, to, CHANGES), undefined);
    const id = await aVersion(db(), packId, '1.0.1', 'pending');
    const moves = await Promise.all(
      Array.from({ length: 5 }, async () => await repo.moveVersion(db(), id, 'active', CHANGES)),
    );
    assert.equal(moves.filter((row) => row !== undefined).length, 1);
  });

  it('accept an archive only while they wait for one', async () => {
    const packId = await aPack(db());
    const archive = { file_hash: 'abc', file_size: 3, updated_at: 9 };
    const id = await aVersion(db(), packId, '1.0.0', 'pending');
    assert.equal(await repo.attachArchive(db(), id, archive), true);
    assert.equal(
      await repo.attachArchive(db(), await aVersion(db(), packId, '1.0.1', 'active'), archive),
      false,
    );
    const waiting = await repo.listPendingWithArchive(db());
    assert.deepEqual(
      waiting.map((one) => one.id),
      [id],
    );
  });

  it('[REG-63] keep the archive that is being decided on, also during another upload', async () => {
    const id = await aVersion(db(), await aPack(db()), '1.0.0', 'pending');
    const [first, second] = ['first', 'second'].map((hash) => ({
      file_hash: hash,
      file_size: 1,
      updated_at: 9,
    }));
    assert.ok(first && second);
    assert.equal(await repo.lockPending(db(), id, null), true);
    await repo.attachArchive(db(), id, first);
    assert.equal(await repo.lockPending(db(), id, null), false);
    assert.equal(await repo.lockPending(db(), id, 'second'), false);
    let replaced: Promise<boolean> | undefined;
    await withTransaction(db(), async (tx) => {
      assert.equal(await repo.lockPending(tx, id, 'first'), true);
      replaced = repo.attachArchive(db(), id, second);
      await repo.moveVersion(tx, id, 'active', CHANGES);
    });
    assert.equal(await replaced, false);
    assert.equal((await repo.findVersionById(db(), id))?.file_hash, 'first');
    assert.equal(await repo.lockPending(db(), id, 'first'), false);
  });

  it('without an archive are found by age', async () => {
    const packId = await aPack(db());
    const old = await aVersion(db(), packId, '1.0.0', 'pending', 100);
    await aVersion(db(), packId, '1.0.1', 'pending', 200);
    const ids = (await repo.listNeverUploaded(db(), 200)).map(({ id }) => id);
    assert.deepEqual(ids, [old]);
  });

  it('are paged over all packs by state and reason, with wildcards taken literally', async () => {
    const packId = await aPack(db());
    const id = await aVersion(db(), packId, '1.0.0', 'flagged', 100);
    await repo.updateVersion(db(), id, { status_reason: 'Found EVAL at 100%' });
    const page = async (reasonContains: string) =>
      (await repo.pageOfVersions(db(), { packId, statuses: ANY, reasonContains }, { offset: 0, limit: 10 }))
        .total;
    assert.deepEqual(
      [await page('eval'), await page('100%'), await page('1%0'), await page('_')],
      [1, 1, 0, 0],
    );
  });

  it('that wait for the checks name the account that created their publisher', async () => {
    const [known, unknown] = [await aPublisher(db()), await aPublisher(db())];
    await updatePublisher(db(), known, { created_by: 'somebody' });
    const archive = { file_hash: 'abc', file_size: 3, updated_at: 1 };
    const waiting = [];
    for (const publisher of [known, unknown]) {
      const id = await aVersion(db(), await aPack(db(), { publisher_id: publisher }), '1.0.0', 'pending');
      assert.equal(await repo.attachArchive(db(), id, archive), true);
      waiting.push({ id, publisher, account: publisher === known ? 'somebody' : null });
    }
    const ids = new Set(waiting.map(({ id }) => id));
    const found = (await repo.listPendingWithArchive(db())).filter(({ id }) => ids.has(id));
    const byId = (left: { id: string }, right: { id: string }) => (left.id < right.id ? -1 : 1);
    assert.deepEqual(found.toSorted(byId), waiting.toSorted(byId));
  });
});
