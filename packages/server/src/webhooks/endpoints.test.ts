import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { createEndpointsService } from './endpoints.service.ts';
import { createGate, startReceiver } from './test/receiver.ts';
import { anAccount, deliveryOf, forgetAll, type WebhooksUnderTest, webhooksOn } from './test/webhooks-on.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

onEachDatabase('an endpoint', (db) => {
  beforeEach(async () => await forgetAll(db()));

  const endpointsOf = ({ time, wake }: WebhooksUnderTest) =>
    createEndpointsService({ db: db(), clock: () => time.now, wake, findPeople: async () => [] });
  /** A failure every twelve hours, for so long. */
  const failFor = async (webhooks: WebhooksUnderTest, ms: number, userId: string, url: string) => {
    const until = webhooks.time.now + ms;
    for (; webhooks.time.now <= until; webhooks.time.now += 12 * HOUR) {
      await webhooks.add({ userId, url });
      await webhooks.drain();
    }
    webhooks.time.now -= 12 * HOUR;
  };
  const countOf = async (status: 'pending' | 'paused' | 'delivered' | 'failed') => {
    const rows = await db()
      .selectFrom('webhook_deliveries')
      .select('id')
      .where('status', '=', status)
      .execute();
    return rows.length;
  };

  it('that fails is listed with the reason until it answers again', async (t) => {
    let answer = 503;
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answer).end());
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await webhooks.add({ userId, url: `${receiver.url}?token=1` });
    await webhooks.drain();
    const [endpoint, ...others] = await endpointsOf(webhooks).list(userId);
    assert.equal(others.length, 0);
    assert.equal(endpoint?.status, 'failing');
    assert.equal(endpoint.url, receiver.url);
    assert.equal(endpoint.last_error, 'The receiver answered 503.');
    assert.deepEqual(await endpointsOf(webhooks).list(await anAccount(db())), []);
    answer = 200;
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    assert.deepEqual(await endpointsOf(webhooks).list(userId), []);
  });

  it('[WHK-8] that has only failed for five days is paused, and its deliveries wait', async (t) => {
    const receiver = await startReceiver(t, 500);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await failFor(webhooks, 5 * DAY - 12 * HOUR, userId, receiver.url);
    assert.equal(await countOf('paused'), 0);
    webhooks.time.now += 12 * HOUR;
    const last = await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    assert.equal(await countOf('pending'), 0);
    assert.equal((await deliveryOf(db(), last)).status, 'paused');
    const [endpoint] = await endpointsOf(webhooks).list(userId);
    assert.equal(endpoint?.status, 'paused');
    const tried = receiver.received.length;
    const held = await webhooks.add({ userId, url: `${receiver.url}?other=query` });
    webhooks.time.now += DAY;
    await webhooks.drain();
    assert.equal(receiver.received.length, tried);
    assert.equal((await deliveryOf(db(), held)).status, 'paused');
  });

  it('is paused only for its account and path', async (t) => {
    const receiver = await startReceiver(t, ({ path }, response) =>
      response.writeHead(path === '/hook' ? 500 : 204).end(),
    );
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await failFor(webhooks, 5 * DAY, userId, receiver.url);
    const path = await webhooks.add({ userId, url: `${receiver.url}/other` });
    const account = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await webhooks.drain();
    assert.equal((await deliveryOf(db(), path)).status, 'delivered');
    assert.equal((await deliveryOf(db(), account)).status, 'pending');
  });

  it('that fails now and then, or answers once in between, is not paused', async (t) => {
    let answer = 500;
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answer).end());
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await failFor(webhooks, 4 * DAY, userId, receiver.url);
    answer = 200;
    await webhooks.drain();
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    answer = 500;
    await failFor(webhooks, 4 * DAY, userId, receiver.url);
    assert.equal(await countOf('paused'), 0);
    await forgetAll(db());
    for (let week = 0; week < 3; week += 1) {
      await webhooks.add({ userId, url: receiver.url });
      await webhooks.drain();
      await db().deleteFrom('webhook_deliveries').execute();
      webhooks.time.now += 7 * DAY;
    }
    assert.equal((await endpointsOf(webhooks).list(userId))[0]?.status, 'failing');
  });

  it('gets waiting deliveries in order when it is resumed, from the beginning of the schedule', async (t) => {
    let answer = 500;
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answer).end());
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await failFor(webhooks, 5 * DAY, userId, receiver.url);
    const about = { userId, url: receiver.url, subject: 'job:1' };
    await webhooks.add({ ...about, body: '1' });
    await webhooks.add({ ...about, body: '2' });
    await webhooks.drain();
    const [endpoint] = await endpointsOf(webhooks).list(userId);
    assert.ok(endpoint);
    await assert.rejects(endpointsOf(webhooks).resume(await anAccount(db()), endpoint.id), {
      code: 'resource.not_found',
    });
    const before = receiver.received.length;
    await endpointsOf(webhooks).resume(userId, endpoint.id);
    await webhooks.drain();
    assert.ok(receiver.received.length > before);
    assert.equal(await countOf('paused'), 0);
    const rows = await db()
      .selectFrom('webhook_deliveries')
      .select('failures')
      .where('status', '=', 'pending')
      .where('subject', '!=', 'job:1')
      .execute();
    assert.deepEqual([...new Set(rows.map((row) => row.failures))], [1]);
    answer = 200;
    webhooks.time.now += 5000;
    await webhooks.drain();
    assert.deepEqual(
      receiver
        .bodies()
        .filter((body) => body.length === 1)
        .slice(-2),
      ['1', '2'],
    );
    assert.equal(await countOf('pending'), 0);
    await assert.rejects(endpointsOf(webhooks).resume(userId, endpoint.id), { code: 'resource.not_found' });
  });

  it('is not changed by a second resume', async (t) => {
    const receiver = await startReceiver(t, 500);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await failFor(webhooks, 5 * DAY, userId, receiver.url);
    const [endpoint] = await endpointsOf(webhooks).list(userId);
    assert.ok(endpoint);
    await endpointsOf(webhooks).resume(userId, endpoint.id);
    await endpointsOf(webhooks).resume(userId, endpoint.id);
    assert.equal((await endpointsOf(webhooks).list(userId))[0]?.status, 'failing');
  });

  it('that is paused during a try also holds that delivery if it fails', async (t) => {
    const gate = createGate(t);
    let isSlow = false;
    const receiver = await startReceiver(t, async (_, response) => {
      if (isSlow) await gate.pass();
      response.writeHead(500).end();
    });
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    await failFor(webhooks, 5 * DAY - 12 * HOUR, userId, receiver.url);
    await db().deleteFrom('webhook_deliveries').execute();
    webhooks.time.now += 12 * HOUR;
    isSlow = true;
    const slow = await webhooks.add({ userId, url: receiver.url });
    const drained = webhooks.drain();
    await gate.reached(1);
    isSlow = false;
    const other = webhooksOn(t, db(), { time: webhooks.time });
    await other.add({ userId, url: receiver.url });
    await other.drain();
    assert.equal((await deliveryOf(db(), slow)).status, 'pending');
    gate.open();
    await drained;
    assert.equal((await deliveryOf(db(), slow)).status, 'paused');
  });
});
