import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import type { Db } from '../../platform/db/database.ts';
import { anOffPeakVideo, aPicture, forgetAll, type ProxyUnderTest, proxyOn } from '../test/proxy-on.ts';
import { handOver, scriptedVendor } from '../test/scripted-adapter.ts';
import { type VendorTaskStatus, VendorTrouble } from '../vendors/vendor.ts';
import { claimTasks } from './claim-tasks.ts';

const LEASE_MS = 15_000;

async function stateOf(db: Db, id: string) {
  return await db.selectFrom('tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** As a server that dies in the middle of the step leaves it. */
async function dieWith(db: Db, proxy: ProxyUnderTest, adapter: string, change: object = {}): Promise<void> {
  const now = proxy.time.now;
  const [held] = await claimTasks(db, { adapter, now, limit: 1, leaseMs: LEASE_MS });
  assert.ok(held);
  await db
    .updateTable('tasks')
    .set({ state: 'queued', ...change })
    .where('seq', '=', held.seq)
    .execute();
  proxy.time.now += LEASE_MS;
}

onEachDatabase('a task', (db) => {
  beforeEach(async () => await forgetAll(db()));

  it('is done once, settles its credits, and reports each change in order', async (t) => {
    const vendor = scriptedVendor();
    const proxy = await proxyOn(t, db(), [vendor, scriptedVendor({ vendor: 'videovendor' })]);
    const userId = await proxy.anAccount(10);
    const { task } = await proxy.add(userId);
    assert.equal(await proxy.balanceOf(userId), 0);
    await proxy.drain();
    const { task: ended, files } = await proxy.tasks.find(userId, task.id, ['skin-faithful']);
    assert.equal(ended.state, 'done');
    assert.equal(files.filter((file) => file.is_input === 0).length, 1);
    assert.deepEqual(vendor.begun, [task.id]);
    assert.equal(await proxy.balanceOf(userId), 0);
    assert.deepEqual(
      proxy.told.map(({ type }) => type),
      ['task.in_progress', 'task.completed'],
    );
    assert.deepEqual(proxy.errors, []);
  });

  it('that fails at its vendor returns its credits once', async (t) => {
    const failed: VendorTaskStatus = { state: 'failed', code: 'AuditSubmitIllegal', message: 'No.' };
    const proxy = await proxyOn(t, db(), [scriptedVendor({ begin: async () => failed })]);
    const userId = await proxy.anAccount(10);
    const { task } = await proxy.add(userId);
    await proxy.drain();
    await proxy.drain();
    const row = await stateOf(db(), task.id);
    assert.deepEqual([row.state, row.error_code], ['failed', 'AuditSubmitIllegal']);
    assert.equal(await proxy.balanceOf(userId), 10);
    assert.deepEqual(proxy.told.at(-1)?.body['status'], 'FAILED');
  });

  it('waits at its vendor, is checked with growing delays, and ends when the vendor is done', async (t) => {
    const statuses: VendorTaskStatus[] = [
      { state: 'queued', vendorTaskId: 'v1' },
      { state: 'running', vendorTaskId: 'v1', progress: 40 },
    ];
    const vendor = scriptedVendor({
      begin: async () => ({ state: 'queued', vendorTaskId: 'v1' }),
      check: async (task) => statuses.shift() ?? (await handOver(task)),
    });
    const proxy = await proxyOn(t, db(), [vendor]);
    const { task } = await proxy.add(await proxy.anAccount());
    await proxy.drain();
    assert.equal((await stateOf(db(), task.id)).state, 'queued');
    const pauses: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const { due_at: dueAt } = await stateOf(db(), task.id);
      pauses.push((dueAt ?? 0) - proxy.time.now);
      proxy.time.now = dueAt ?? 0;
      await proxy.drain();
    }
    assert.deepEqual(vendor.checked, ['v1', 'v1', 'v1']);
    assert.deepEqual(vendor.begun, [task.id]);
    assert.ok(pauses[0]! < pauses[1]! && pauses[1]! < pauses[2]!, String(pauses));
    assert.equal((await stateOf(db(), task.id)).state, 'done');
  });

  it('whose server died after the request may have left is never begun again, and its credits return', async (t) => {
    const vendor = scriptedVendor();
    const proxy = await proxyOn(t, db(), [vendor]);
    const userId = await proxy.anAccount(10);
    const { task } = await proxy.add(userId);
    await dieWith(db(), proxy, vendor.name, { sent_at: proxy.time.now });
    await proxy.drain();
    const row = await stateOf(db(), task.id);
    assert.deepEqual([row.state, row.error_code], ['failed', 'VendorUncertain']);
    assert.deepEqual(vendor.begun, []);
    assert.equal(await proxy.balanceOf(userId), 10);
  });

  it('whose server died before anything was sent is begun by the next', async (t) => {
    const vendor = scriptedVendor();
    const proxy = await proxyOn(t, db(), [vendor]);
    const { task } = await proxy.add(await proxy.anAccount());
    await dieWith(db(), proxy, vendor.name);
    await proxy.drain();
    assert.equal((await stateOf(db(), task.id)).state, 'done');
    assert.deepEqual(vendor.begun, [task.id]);
  });

  it('is begun again with the same id where the adapter allows that', async (t) => {
    const vendor = scriptedVendor({ isRepeatable: true });
    const proxy = await proxyOn(t, db(), [vendor]);
    const { task } = await proxy.add(await proxy.anAccount());
    await dieWith(db(), proxy, vendor.name, { sent_at: proxy.time.now });
    await proxy.drain();
    assert.deepEqual(vendor.begun, [task.id]);
    assert.equal((await stateOf(db(), task.id)).state, 'done');
  });

  it('fails after it has lost its server three times', async (t) => {
    const vendor = scriptedVendor({ isRepeatable: true });
    const proxy = await proxyOn(t, db(), [vendor]);
    const userId = await proxy.anAccount(10);
    const { task } = await proxy.add(userId);
    for (let round = 0; round < 3; round += 1) await dieWith(db(), proxy, vendor.name);
    await proxy.drain();
    assert.equal((await stateOf(db(), task.id)).error_code, 'RunnerLost');
    assert.equal(await proxy.balanceOf(userId), 10);
  });

  it('whose answer was lost fails if the request may have arrived, and is retried if it surely did not', async (t) => {
    for (const mayHaveArrived of [true, false]) {
      let calls = 0;
      const vendor = scriptedVendor({
        async begin(task) {
          calls += 1;
          if (calls === 1) throw new VendorTrouble('It broke.', { mayHaveArrived, retryAfterMs: 7000 });
          return await handOver(task);
        },
      });
      const proxy = await proxyOn(t, db(), [vendor]);
      const userId = await proxy.anAccount(10);
      const { task } = await proxy.add(userId);
      await proxy.drain();
      proxy.time.now += 6999;
      await proxy.drain();
      assert.equal(calls, 1, 'not before the time that the vendor asked for');
      proxy.time.now += 1;
      await proxy.drain();
      const row = await stateOf(db(), task.id);
      assert.equal(row.state, mayHaveArrived ? 'failed' : 'done');
      assert.equal(calls, mayHaveArrived ? 1 : 2);
      assert.equal(await proxy.balanceOf(userId), mayHaveArrived ? 10 : 0);
    }
  });

  it('[PRX-63] fails past its deadline, in any state', async (t) => {
    const vendor = scriptedVendor({ begin: async () => ({ state: 'running', vendorTaskId: 'v1' }) });
    const proxy = await proxyOn(t, db(), [vendor]);
    const userId = await proxy.anAccount(10);
    const { task } = await proxy.add(userId);
    await proxy.drain();
    proxy.time.now = task.deadline_at;
    await proxy.drain();
    assert.equal((await stateOf(db(), task.id)).error_code, 'TaskTimeout');
    assert.equal(await proxy.balanceOf(userId), 10);
    assert.deepEqual(vendor.checked, []);
  });

  it('changes nothing after its lease has run out', async (t) => {
    const gate = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    t.after(() => gate.resolve());
    const late = scriptedVendor({
      isRepeatable: true,
      async begin(task) {
        begun.resolve();
        await gate.promise;
        return await handOver(task);
      },
    });
    const time = { now: Date.now() };
    const slow = await proxyOn(t, db(), [late], { time, heartbeatMs: 3_600_000 });
    const userId = await slow.anAccount(10);
    const { task } = await slow.add(userId);
    const working = slow.drain();
    await begun.promise;
    time.now += LEASE_MS;
    const other = scriptedVendor({ isRepeatable: true });
    const quick = await proxyOn(t, db(), [other], { time, folder: slow.folder });
    await quick.drain();
    assert.equal((await stateOf(db(), task.id)).state, 'done');
    gate.resolve();
    await working;
    assert.equal(slow.told.filter(({ type }) => type === 'task.completed').length, 0);
    const results = await db()
      .selectFrom('task_files')
      .selectAll()
      .where('task_seq', '=', task.seq)
      .where('is_input', '=', 0)
      .execute();
    assert.equal(results.length, 1);
  });

  it('[PRX-13] with a slow picture delays no other, and its picture is fetched at once even off peak', async (t) => {
    const slow = Promise.withResolvers<void>();
    const asked = Promise.withResolvers<void>();
    const bytes = Buffer.from(await aPicture(), 'base64');
    const host = createServer((_, response) => {
      asked.resolve();
      void slow.promise.then(() => response.end(bytes));
    }).listen(0, '127.0.0.1');
    t.after(() => host.close());
    await once(host, 'listening');
    const url = `http://127.0.0.1:${(host.address() as AddressInfo).port}/a.jpg`;
    const image = scriptedVendor({ places: 1 });
    const proxy = await proxyOn(t, db(), [image, scriptedVendor({ vendor: 'videovendor' })]);
    const userId = await proxy.anAccount();
    const waiting = await proxy.add(userId, { pictures: [{ field: 'image', value: url }], offPeak: true });
    const working = proxy.drain();
    await asked.promise;
    const quick = await proxy.add(userId);
    const other = await proxyOn(t, db(), [image], { time: proxy.time, folder: proxy.folder });
    await other.drain();
    assert.deepEqual(image.begun, [quick.task.id]);
    slow.resolve();
    await working;
    assert.deepEqual([...proxy.errors, ...other.errors], []);
    assert.deepEqual(image.begun, [quick.task.id, waiting.task.id]);
    assert.equal((await stateOf(db(), waiting.task.id)).state, 'done');
  });

  it('off peak waits until the queue is idle', async (t) => {
    const image = scriptedVendor();
    const taskStatus: VendorTaskStatus = { state: 'running', vendorTaskId: 'v' };
    const video = scriptedVendor({ vendor: 'videovendor', begin: async () => taskStatus });
    const proxy = await proxyOn(t, db(), [image, video]);
    const userId = await proxy.anAccount(1000);
    const busy = await proxy.add(userId, { ...anOffPeakVideo(), offPeak: false });
    const offPeak = await proxy.add(userId, anOffPeakVideo());
    await proxy.drain();
    assert.deepEqual(video.begun, [busy.task.id]);
    await db().updateTable('tasks').set({ due_at: null }).where('id', '=', busy.task.id).execute();
    await proxy.drain();
    assert.deepEqual(video.begun, [busy.task.id, offPeak.task.id]);
  });

  it('[PRX-64] off peak that is near its 48 hours no longer waits', async (t) => {
    const taskStatus: VendorTaskStatus = { state: 'running', vendorTaskId: 'v', askAgainMs: 1e9 };
    const video = scriptedVendor({ vendor: 'videovendor', begin: async () => taskStatus });
    const proxy = await proxyOn(t, db(), [video]);
    const userId = await proxy.anAccount(1000);
    const offPeak = await proxy.add(userId, anOffPeakVideo());
    proxy.time.now += 41 * 3_600_000;
    const busy = await proxy.add(userId, { ...anOffPeakVideo(), offPeak: false });
    await proxy.drain();
    assert.deepEqual(video.begun.toSorted(), [offPeak.task.id, busy.task.id].toSorted());
  });
});
