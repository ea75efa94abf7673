import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { seriesIn } from '../../test/support/series-in.ts';
import { gatherStatistics, plansOf } from '../cloud/queue/test/plans-of.ts';
import { newId } from '../platform/ids.ts';
import { countAllOpen } from './tasks.repo.ts';
import { anOffPeakVideo, forgetAll, type ProxyUnderTest, proxyOn } from './test/proxy-on.ts';
import { handOver, scriptedVendor } from './test/scripted-adapter.ts';
import { type VendorTaskStatus, VendorTrouble } from './vendors/vendor.ts';

const IMAGE = 'scripted-imagevendor';
const VIDEO = 'scripted-videovendor';

onEachDatabase('measured tasks', (db, engine) => {
  beforeEach(async () => await forgetAll(db()));

  const series = async ({ measure }: ProxyUnderTest) => seriesIn(await measure());
  const open = async (proxy: ProxyUnderTest, adapter = IMAGE) => {
    const all = await series(proxy);
    return ['waiting', 'running', 'put_off'].map(
      (state) => all[`atelier_tasks{adapter="${adapter}",state="${state}"}`],
    );
  };
  const calls = async (proxy: ProxyUnderTest, call: string, outcome: string) =>
    (await series(proxy))[
      `atelier_vendor_calls_total{adapter="${IMAGE}",call="${call}",outcome="${outcome}"}`
    ];

  it('are counted as waiting, as running at their vendor, and as ended', async (t) => {
    const begun: VendorTaskStatus = { state: 'running', vendorTaskId: 'v1', askAgainMs: 5000 };
    const vendor = scriptedVendor({ begin: async () => begun, check: handOver });
    const proxy = await proxyOn(t, db(), [vendor, scriptedVendor({ vendor: 'videovendor' })]);
    const userId = await proxy.anAccount();
    await proxy.add(userId);
    assert.deepEqual(await open(proxy), [1, 0, 0]);
    await proxy.drain();
    assert.deepEqual(await open(proxy), [0, 1, 0]);
    proxy.time.now += 60_000;
    assert.deepEqual(await open(proxy), [1, 0, 0]);
    await proxy.drain();
    assert.deepEqual(await open(proxy), [0, 0, 0]);
    const all = await series(proxy);
    assert.equal(all['atelier_tasks_ended_total{kind="skin-faithful",outcome="done"}'], 1);
    assert.equal(all['atelier_tasks_ended_total{kind="skin-faithful",outcome="failed"}'], 0);
    assert.equal(all['atelier_tasks_ended_total{kind="video",outcome="done"}'], 0);
    assert.equal(all['atelier_task_seconds_sum{kind="skin-faithful",outcome="done"}'], 60);
    assert.equal(await calls(proxy, 'begin', 'answered'), 1);
    assert.equal(await calls(proxy, 'check', 'answered'), 1);
  });

  it('that fail are counted apart from vendors in trouble', async (t) => {
    const outcomes = [
      async (): Promise<VendorTaskStatus> => {
        throw new VendorTrouble('busy', { mayHaveArrived: false });
      },
      async (): Promise<VendorTaskStatus> => {
        throw new Error('a mistake of ours');
      },
      async (): Promise<VendorTaskStatus> => ({ state: 'failed', code: 'Refused', message: 'No.' }),
    ];
    const begin = async () => await (outcomes.shift() ?? assert.fail)();
    const proxy = await proxyOn(t, db(), [scriptedVendor({ begin, isRepeatable: true })]);
    await proxy.add(await proxy.anAccount());
    while (outcomes.length > 0) {
      await proxy.drain();
      proxy.time.now += 10 * 60_000;
    }
    for (const outcome of ['trouble', 'error', 'failed']) {
      assert.equal(await calls(proxy, 'begin', outcome), 1, outcome);
    }
    assert.equal(await calls(proxy, 'begin', 'answered'), 0);
    const all = await series(proxy);
    assert.equal(all['atelier_tasks_ended_total{kind="skin-faithful",outcome="failed"}'], 1);
    assert.equal(all['atelier_tasks_ended_total{kind="skin-faithful",outcome="done"}'], 0);
  });

  it('that are put off have a state of their own, and keep the name of an adapter that is gone', async (t) => {
    const busy = scriptedVendor({ vendor: 'videovendor', places: 0 });
    const proxy = await proxyOn(t, db(), [scriptedVendor(), busy]);
    const userId = await proxy.anAccount(1000);
    await proxy.add(userId, anOffPeakVideo());
    assert.deepEqual(await open(proxy, VIDEO), [0, 0, 1]);
    const without = await proxyOn(t, db(), [scriptedVendor()], { folder: proxy.folder, time: proxy.time });
    assert.deepEqual(await open(without, VIDEO), [0, 0, 1]);
  });

  it('are counted in an index that has no ended task', async (t) => {
    const proxy = await proxyOn(t, db(), [scriptedVendor()]);
    const { task } = await proxy.add(await proxy.anAccount());
    const { seq: _seq, ...model } = task;
    const ended = { ...model, state: 'done' as const, due_at: null, ended_at: 1, lease: null };
    for (let some = 0; some < 10; some += 1) {
      const rows = Array.from({ length: 300 }, () => ({ ...ended, id: newId() }));
      await db().insertInto('tasks').values(rows).execute();
    }
    await gatherStatistics(db());
    const plan = await plansOf(db(), async (on) => await countAllOpen(on, 1));
    if (engine === 'sqlite') assert.match(plan, /COVERING INDEX tasks_due/);
    assert.match(plan, /tasks_due|tasks_open_by_user/);
    assert.doesNotMatch(plan, /Seq Scan|TEMP B-TREE/);
  });
});
