import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { seriesIn } from '../../test/support/series-in.ts';
import { gatherStatistics, plansOf } from '../cloud/queue/test/plans-of.ts';
import { newId } from '../platform/ids.ts';
import { countDue, countHeldEndpoints } from './deliveries.repo.ts';
import { RETRY_DELAYS_MS } from './retry-policy.ts';
import { startReceiver } from './test/receiver.ts';
import { anAccount, deliveryOf, forgetAll, type WebhooksUnderTest, webhooksOn } from './test/webhooks-on.ts';

const HOUR = 3_600_000;
const DUE = 'atelier_webhook_deliveries_due';
const PAUSED = 'atelier_webhook_endpoints_paused';

onEachDatabase('measured deliveries', (db, engine) => {
  beforeEach(async () => await forgetAll(db()));

  const tries = async ({ measure }: WebhooksUnderTest) => {
    const all = seriesIn(await measure());
    return ['delivered', 'failed', 'given_up'].map(
      (outcome) => all[`atelier_webhook_tries_total{outcome="${outcome}"}`],
    );
  };
  const gauge = async ({ measure }: WebhooksUnderTest, name: string) => seriesIn(await measure())[name];

  it('are due until they are sent, and every try is counted by its outcome', async (t) => {
    let answer = 503;
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answer).end());
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await webhooks.add({ userId, url: receiver.url });
    assert.equal(await gauge(webhooks, DUE), 1);
    await webhooks.drain();
    assert.equal(await gauge(webhooks, DUE), 0);
    assert.deepEqual(await tries(webhooks), [0, 1, 0]);
    webhooks.time.now += 2 * RETRY_DELAYS_MS[0];
    assert.equal(await gauge(webhooks, DUE), 1);
    answer = 204;
    await webhooks.drain();
    assert.deepEqual(await tries(webhooks), [1, 1, 0]);
    answer = 410;
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    assert.deepEqual(await tries(webhooks), [1, 1, 1]);
    assert.equal(await gauge(webhooks, PAUSED), 0);
  });

  it('that are held count their endpoint as paused once', async (t) => {
    const receiver = await startReceiver(t, 500);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    for (let half = 0; half <= 10; half += 1) {
      await webhooks.add({ userId, url: receiver.url });
      await webhooks.drain();
      webhooks.time.now += 12 * HOUR;
    }
    const last = await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    assert.equal((await deliveryOf(db(), last)).status, 'paused');
    assert.equal(await gauge(webhooks, PAUSED), 1);
    assert.equal(await gauge(webhooks, DUE), 0);
  });

  it('are counted in indexes that have no ended delivery', async (t) => {
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: 'https://hooks.test/one' });
    const model = await db()
      .selectFrom('webhook_deliveries')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const { seq: _seq, ...ended } = { ...model, status: 'delivered' as const };
    for (let some = 0; some < 10; some += 1) {
      const rows = Array.from({ length: 300 }, () => ({ ...ended, id: newId() }));
      await db().insertInto('webhook_deliveries').values(rows).execute();
    }
    await gatherStatistics(db());
    const due = await plansOf(db(), async (on) => await countDue(on, 1));
    const held = await plansOf(db(), countHeldEndpoints);
    assert.match(
      due,
      engine === 'sqlite' ? /COVERING INDEX webhook_deliveries_due/ : /webhook_deliveries_due/,
    );
    assert.match(
      held,
      engine === 'sqlite'
        ? /COVERING INDEX webhook_deliveries_by_endpoint/
        : /webhook_deliveries_by_endpoint/,
    );
    assert.doesNotMatch(due + held, /Seq Scan|TEMP B-TREE/);
  });
});
