import assert from 'node:assert/strict';
import { glob } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { AppError } from '../platform/errors/app-error.ts';
import { anOffPeakVideo, forgetAll, proxyOn } from './test/proxy-on.ts';
import { scriptedVendor } from './test/scripted-adapter.ts';

function isCode(code: string) {
  return (error: unknown) => error instanceof AppError && error.code === code;
}

const vendors = () => [scriptedVendor({ places: 0 }), scriptedVendor({ vendor: 'videovendor', places: 0 })];

onEachDatabase('creating tasks', (db) => {
  beforeEach(async () => await forgetAll(db()));

  it('makes exactly ten of fifty at once with credits for ten', async (t) => {
    const proxy = await proxyOn(t, db(), vendors(), { maxInFlight: 100 });
    const userId = await proxy.anAccount(100);
    const results = await Promise.allSettled(Array.from({ length: 50 }, async () => await proxy.add(userId)));
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 40);
    assert.ok(refused.every(({ reason }) => isCode('credits.insufficient')(reason)));
    assert.equal(await proxy.balanceOf(userId), 0);
  });

  it('limits the tasks of an account under way, however many requests come at once, without waiting off-peak tasks', async (t) => {
    const proxy = await proxyOn(t, db(), vendors());
    const userId = await proxy.anAccount(10_000);
    await proxy.add(userId, anOffPeakVideo());
    const results = await Promise.allSettled(Array.from({ length: 12 }, async () => await proxy.add(userId)));
    const refused = results.filter((result) => result.status === 'rejected');
    assert.equal(refused.length, 7);
    assert.ok(refused.every(({ reason }) => isCode('proxy.too_many_tasks')(reason)));
    await proxy.add(await proxy.anAccount());
  });

  it('with one key makes one task, however many requests come at once, and refuses the key for another request', async (t) => {
    const proxy = await proxyOn(t, db(), vendors());
    const userId = await proxy.anAccount(100);
    const made = await Promise.all(
      Array.from({ length: 8 }, async () => await proxy.add(userId, {}, 'again')),
    );
    assert.equal(new Set(made.map(({ task }) => task.id)).size, 1);
    assert.equal(await proxy.balanceOf(userId), 90);
    const other = { settings: { sharpen: 7 } };
    await assert.rejects(async () => await proxy.add(userId, other, 'again'), isCode('proxy.key_reused'));
    await proxy.add(await proxy.anAccount(), other, 'again');
  });

  it('keeps no bytes of a request that was refused', async (t) => {
    const proxy = await proxyOn(t, db(), vendors());
    const kept = async (): Promise<string[]> =>
      await Array.fromAsync(glob(join(proxy.folder, 'files/*/*/*')));
    await assert.rejects(
      async () => await proxy.add(await proxy.anAccount(0)),
      isCode('credits.insufficient'),
    );
    assert.deepEqual(await kept(), []);
    await proxy.add(await proxy.anAccount());
    assert.equal((await kept()).length, 1);
  });

  it('hides tasks from other users', async (t) => {
    const proxy = await proxyOn(t, db(), vendors());
    const { task } = await proxy.add(await proxy.anAccount());
    const stranger = await proxy.anAccount();
    await assert.rejects(
      async () => await proxy.tasks.find(stranger, task.id, ['skin-faithful']),
      isCode('resource.not_found'),
    );
    assert.deepEqual((await proxy.tasks.list(stranger, { limit: 10 })).tasks, []);
  });
});
