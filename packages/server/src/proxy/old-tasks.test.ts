import assert from 'node:assert/strict';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { readStorageUse } from '../cloud/files/assets.repo.ts';
import { forgetAll, type ProxyUnderTest, proxyOn } from './test/proxy-on.ts';
import { scriptedVendor } from './test/scripted-adapter.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const KINDS = ['skin-faithful'] as const;

async function filesOf({ folder }: ProxyUnderTest): Promise<number> {
  const entries = await readdir(join(folder, 'files'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).length;
}

onEachDatabase('old tasks', (db) => {
  beforeEach(async () => await forgetAll(db()));

  it('[PRX-75] are kept for their days, and are then deleted with their files', async (t) => {
    const proxy = await proxyOn(t, db(), [scriptedVendor()], { keptMs: 30 * DAY_MS });
    const userId = await proxy.anAccount(100);
    const { task } = await proxy.add(userId);
    await proxy.drain();
    const find = async () => await proxy.tasks.find(userId, task.id, KINDS);
    proxy.time.now += 30 * DAY_MS - HOUR_MS;
    await proxy.tidy();
    assert.equal((await find()).files.filter((file) => file.is_input === 0).length, 1);
    assert.ok((await filesOf(proxy)) > 0);
    proxy.time.now += 2 * HOUR_MS;
    await proxy.tidy();
    await assert.rejects(find, { code: 'resource.not_found' });
    assert.equal(await filesOf(proxy), 0);
  });

  it('[PRX-76] count towards the storage of their account as long as their files exist', async (t) => {
    const proxy = await proxyOn(t, db(), [scriptedVendor()], { keptMs: 30 * DAY_MS });
    const userId = await proxy.anAccount(100);
    const stored = async () => {
      const rows = await db()
        .selectFrom('task_files')
        .innerJoin('tasks', 'tasks.seq', 'task_files.task_seq')
        .select(['task_files.size', 'is_input'])
        .where('user_id', '=', userId)
        .where('hash', 'is not', null)
        .execute();
      const { files, bytes } = await readStorageUse(db(), userId);
      assert.deepEqual(
        { files, bytes },
        { files: rows.length, bytes: rows.reduce((n, { size }) => n + (size ?? 0), 0) },
      );
      return rows.map((row) => row.is_input).toSorted();
    };
    await proxy.add(userId);
    assert.deepEqual(await stored(), [1]);
    await proxy.drain();
    assert.deepEqual(await stored(), [0, 1]);
    proxy.time.now += 2 * DAY_MS;
    await proxy.tidy();
    assert.deepEqual(await stored(), [0], 'pictures go after a day');
    proxy.time.now += 30 * DAY_MS;
    await proxy.tidy();
    assert.deepEqual(await stored(), []);
  });

  it('[PRX-75] stay until they have ended, and forever if the setting is 0', async (t) => {
    const waiting = scriptedVendor({ begin: async () => ({ state: 'running', vendorTaskId: 'v' }) });
    const proxy = await proxyOn(t, db(), [waiting], { keptMs: DAY_MS, taskMs: 9 * DAY_MS });
    const userId = await proxy.anAccount(100);
    const { task: open } = await proxy.add(userId);
    await proxy.drain();
    const forEver = await proxyOn(t, db(), [scriptedVendor()], { keptMs: 0 });
    proxy.time.now += 5 * DAY_MS;
    await proxy.tidy();
    assert.equal((await proxy.tasks.find(userId, open.id, KINDS)).task.state, 'running');
    const { task: ended } = await forEver.add(userId);
    await forEver.drain();
    forEver.time.now += 4000 * DAY_MS;
    await forEver.tidy();
    assert.equal((await forEver.tasks.find(userId, ended.id, KINDS)).task.state, 'done');
  });

  it('[PRX-7] free their keys after a day', async (t) => {
    const proxy = await proxyOn(t, db(), [scriptedVendor()]);
    const userId = await proxy.anAccount(100);
    const { task: first } = await proxy.add(userId, {}, 'key');
    await proxy.drain();
    proxy.time.now += DAY_MS - HOUR_MS;
    await proxy.tidy();
    assert.equal((await proxy.add(userId, {}, 'key')).task.id, first.id);
    proxy.time.now += 2 * HOUR_MS;
    await proxy.tidy();
    assert.notEqual((await proxy.add(userId, {}, 'key')).task.id, first.id);
  });
});
