import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { Webhook } from 'standardwebhooks';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { withTransaction } from '../platform/db/database.ts';
import { RETRY_DELAYS_MS } from './retry-policy.ts';
import { createSecretsService } from './secrets.service.ts';
import { createGate, type Received, startReceiver } from './test/receiver.ts';
import {
  anAccount,
  deliveryOf,
  forgetAll,
  NO_ADMINISTRATION,
  SERVER_KEY,
  webhooksOn,
} from './test/webhooks-on.ts';

const DAY = 24 * 3_600_000;

onEachDatabase('a delivery', (db) => {
  beforeEach(async () => await forgetAll(db()));

  const secretsAt = (time: { now: number }) =>
    createSecretsService({
      ...NO_ADMINISTRATION,
      db: db(),
      clock: () => time.now,
      serverKey: SERVER_KEY,
      onError: () => {},
    });
  const verify = (secret: string, { body, headers }: Received): unknown =>
    new Webhook(secret).verify(body, headers as Record<string, string>);

  it('is a POST of the body that a public library for Standard Webhooks verifies', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    const body = JSON.stringify({ type: 'job.completed', name: 'näïve ☂', big: 1e21 });
    const id = await webhooks.add({ userId, url: `${receiver.url}?key=1`, body });
    await webhooks.drain();
    const [message] = receiver.received;
    assert.ok(message);
    assert.equal(receiver.received.length, 1);
    assert.equal(message.path, '/hook?key=1');
    assert.equal(message.body, body);
    assert.equal(message.headers['content-type'], 'application/json');
    assert.equal(message.headers['user-agent'], 'Atelier-Webhooks');
    assert.equal(message.headers['webhook-id'], id);
    const secret = await secretsAt(webhooks.time).current(userId);
    assert.deepEqual(verify(secret, message), JSON.parse(body));
    const stranger = await secretsAt(webhooks.time).current(await anAccount(db()));
    assert.throws(() => verify(stranger, message));
    assert.throws(() => verify(secret, { ...message, body: `${body} ` }));
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'delivered');
    assert.equal(row.delivered_at, webhooks.time.now);
    assert.deepEqual(
      row.tries.map(({ at, status, error }) => ({ at, status, error })),
      [{ at: webhooks.time.now, status: 204, error: undefined }],
    );
  });

  it('is verified with the old secret and the new one for a day after a rotation, then with the new one', async (t) => {
    const receiver = await startReceiver(t);
    // A day back, so that the library, which knows only the real time, takes the last one.
    const webhooks = webhooksOn(t, db(), { time: { now: Date.now() - DAY } });
    const userId = await anAccount(db());
    const secrets = secretsAt(webhooks.time);
    const old = await secrets.current(userId);
    const fresh = await secrets.rotate(userId);
    for (const later of [0, DAY]) {
      webhooks.time.now += later;
      await webhooks.add({ userId, url: receiver.url });
      await webhooks.drain();
    }
    const [during, after] = receiver.received;
    assert.ok(during && after);
    const { 'webhook-id': id = '', 'webhook-timestamp': at } = during.headers as Record<string, string>;
    const signatures = String(during.headers['webhook-signature']).split(' ');
    const sentAt = new Date(Number(at) * 1000);
    assert.deepEqual(
      signatures,
      [fresh, old].map((secret) => new Webhook(secret).sign(id, sentAt, during.body)),
    );
    verify(fresh, after);
    assert.throws(() => verify(old, after));
  });

  it('is verified with either secret right after a rotation', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    const secrets = secretsAt(webhooks.time);
    const both = [await secrets.current(userId), await secrets.rotate(userId)];
    await webhooks.add({ userId, url: receiver.url });
    await webhooks.drain();
    const [message] = receiver.received;
    assert.ok(message);
    for (const secret of both) verify(secret, message);
  });

  it('is not sent if its transaction is rolled back', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    const undone = withTransaction(db(), async (tx) => {
      const delivery = { userId, url: receiver.url, subject: 's', type: 't', body: '{}' };
      await webhooks.enqueue(tx, delivery);
      throw new Error('undone');
    });
    await assert.rejects(undone, /undone/);
    await webhooks.drain();
    assert.equal(receiver.received.length, 0);
  });

  it('is retried on the schedule with the same id and the time of the try, and given up after the ninth try', async (t) => {
    const receiver = await startReceiver(t, 500);
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await webhooks.drain();
    for (const [index, delay] of RETRY_DELAYS_MS.entries()) {
      webhooks.time.now += delay - 1;
      await webhooks.drain();
      assert.equal(receiver.received.length, index + 1, 'not before its time');
      webhooks.time.now += 1;
      await webhooks.drain();
      assert.equal(receiver.received.length, index + 2);
      assert.equal(
        receiver.received.at(-1)?.headers['webhook-timestamp'],
        String(Math.floor(webhooks.time.now / 1000)),
      );
    }
    webhooks.time.now += DAY;
    await webhooks.drain();
    assert.equal(receiver.received.length, 9);
    assert.deepEqual([...new Set(receiver.received.map(({ headers }) => headers['webhook-id']))], [id]);
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'failed');
    assert.deepEqual(
      row.tries.map(({ status }) => status),
      Array.from({ length: 9 }, () => 500),
    );
  });

  it('arrives when the receiver is back', async (t) => {
    const answers = [503, 500, 200];
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answers.shift() ?? 0).end());
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    for (const wait of [0, 5000, 30_000]) {
      webhooks.time.now += wait;
      await webhooks.drain();
    }
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'delivered');
    assert.deepEqual(
      row.tries.map(({ status }) => status),
      [503, 500, 200],
    );
    assert.deepEqual(await db().selectFrom('webhook_endpoints').selectAll().execute(), []);
  });

  it('waits as long as Retry-After asks for', async (t) => {
    const receiver = await startReceiver(t, (_, response) =>
      response.writeHead(429, { 'retry-after': '3600' }).end(),
    );
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await webhooks.drain();
    const row = await deliveryOf(db(), id);
    assert.equal(row.due_at, webhooks.time.now + 3_600_000);
  });

  it('ends with 410', async (t) => {
    const receiver = await startReceiver(t, 410);
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await webhooks.drain();
    webhooks.time.now += DAY;
    await webhooks.drain();
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'failed');
    assert.equal(receiver.received.length, 1);
  });

  it('does not follow a redirect, which is a failure', async (t) => {
    const elsewhere = await startReceiver(t);
    const receiver = await startReceiver(t, (_, response) =>
      response.writeHead(307, { location: elsewhere.url }).end(),
    );
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await webhooks.drain();
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'pending');
    assert.equal(row.tries[0]?.status, 307);
    assert.match(row.tries[0]?.error ?? '', /not followed/);
    assert.equal(elsewhere.received.length, 0);
  });

  it('[WHK-3] fails with a reason when there is no answer in time', async (t) => {
    const gate = createGate(t);
    const silent = await startReceiver(t, gate.pass);
    const webhooks = webhooksOn(t, db(), { timeoutMs: 100 });
    const id = await webhooks.add({ userId: await anAccount(db()), url: silent.url });
    await webhooks.drain();
    const row = await deliveryOf(db(), id);
    assert.match(row.tries[0]?.error ?? '', /no complete answer within 100 ms/);
    assert.equal(row.status, 'pending');
  });

  it('fails with a reason when there is no server, or a special address, to which nothing is sent', async (t) => {
    const special = await startReceiver(t, 204, { address: '127.0.0.2' });
    const webhooks = webhooksOn(t, db(), { allow: ['127.0.0.1'] });
    const userId = await anAccount(db());
    const errors: string[] = [];
    for (const url of ['http://127.0.0.1:1/', special.url, 'http://169.254.169.254/latest']) {
      const id = await webhooks.add({ userId, url });
      await webhooks.drain();
      errors.push((await deliveryOf(db(), id)).tries[0]?.error ?? '');
    }
    assert.match(errors[0] ?? '', /ECONNREFUSED/);
    assert.match(errors[1] ?? '', /not at a public address/);
    assert.match(errors[2] ?? '', /not at a public address/);
    assert.equal(special.received.length, 0);
  });

  it('is delivered by the status of an answer of any length, of which nothing is kept', async (t) => {
    const long = 'private '.repeat(50_000);
    const receiver = await startReceiver(t, (_, response) =>
      response.writeHead(200, { 'content-length': long.length }).end(long),
    );
    const failing = await startReceiver(t, (_, response) => response.writeHead(500).end('private words'));
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    const id = await webhooks.add({ userId, url: receiver.url });
    await webhooks.add({ userId, url: failing.url });
    await webhooks.drain();
    assert.equal((await deliveryOf(db(), id)).status, 'delivered');
    const all = [
      await db().selectFrom('webhook_deliveries').selectAll().execute(),
      await db().selectFrom('webhook_endpoints').selectAll().execute(),
    ];
    assert.doesNotMatch(JSON.stringify(all), /private/);
  });

  it('comes before the next one of its subject, even if it is retried', async (t) => {
    let answer = 500;
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answer).end());
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    const about = { userId, url: receiver.url, subject: 'job:1' };
    await webhooks.add({ ...about, body: '1' });
    await webhooks.drain();
    await webhooks.add({ ...about, body: '2' });
    await webhooks.add({ ...about, body: '3' });
    await webhooks.add({ userId, url: receiver.url, body: 'other' });
    await webhooks.drain();
    assert.deepEqual(receiver.bodies(), ['1', 'other']);
    webhooks.time.now += 4999;
    await webhooks.drain();
    assert.deepEqual(receiver.bodies(), ['1', 'other']);
    answer = 200;
    webhooks.time.now += 1;
    await webhooks.drain();
    assert.deepEqual(
      receiver.bodies().filter((body) => body !== 'other'),
      ['1', '1', '2', '3'],
    );
  });

  it('is followed by the next one of its subject when it is given up', async (t) => {
    const receiver = await startReceiver(t, ({ body }, response) =>
      response.writeHead(body === '1' ? 410 : 200).end(),
    );
    const webhooks = webhooksOn(t, db());
    const about = { userId: await anAccount(db()), url: receiver.url, subject: 'job:1' };
    await webhooks.add({ ...about, body: '1' });
    await webhooks.add({ ...about, body: '2' });
    await webhooks.drain();
    assert.deepEqual(receiver.bodies(), ['1', '2']);
  });

  it('keeps its order among many that are sent at once, never two of a subject together', async (t) => {
    const underWay = new Set<string>();
    let met = 0;
    const receiver = await startReceiver(t, async ({ body }, response) => {
      const [job = ''] = body.split('/');
      if (underWay.has(job)) met += 1;
      underWay.add(job);
      // So that there is something to meet.
      await setTimeout(5);
      underWay.delete(job);
      response.writeHead(204).end();
    });
    const webhooks = webhooksOn(t, db());
    const userId = await anAccount(db());
    for (let job = 0; job < 30; job += 1) {
      for (let step = 0; step < 4; step += 1) {
        await webhooks.add({ userId, url: receiver.url, subject: `job:${job}`, body: `${job}/${step}` });
      }
    }
    await webhooks.drain();
    assert.equal(met, 0);
    assert.equal(receiver.received.length, 120);
    for (let job = 0; job < 30; job += 1) {
      assert.deepEqual(
        receiver.bodies().filter((body) => body.startsWith(`${job}/`)),
        [0, 1, 2, 3].map((step) => `${job}/${step}`),
      );
    }
  });

  it('leaves room for other hosts and accounts while one is slow', async (t) => {
    const gate = createGate(t);
    const slow = await startReceiver(t, async (_, response) => {
      await gate.pass();
      response.writeHead(204).end();
    });
    const quick = await startReceiver(t, 204, { address: '127.0.0.2' });
    const places = { inAll: 8, perHost: 3, perAccount: 5 };
    const webhooks = webhooksOn(t, db(), { places });
    const [one, other] = [await anAccount(db()), await anAccount(db())];
    for (let count = 0; count < 20; count += 1) await webhooks.add({ userId: one, url: slow.url });
    const id = await webhooks.add({ userId: other, url: quick.url });
    const drained = webhooks.drain();
    await gate.reached(3);
    while ((await deliveryOf(db(), id)).status === 'pending') await new Promise(setImmediate);
    assert.equal(gate.waiting(), 3);
    gate.open();
    await drained;
    assert.equal(slow.received.length, 20);
  });

  it('leaves room at a host for other accounts while the addresses of one hang there', async (t) => {
    const gate = createGate(t);
    const receiver = await startReceiver(t, async ({ path }, response) => {
      if (path.endsWith('/hangs')) await gate.pass();
      response.writeHead(204).end();
    });
    const webhooks = webhooksOn(t, db(), { places: { inAll: 8, perHost: 4, perAccount: 8 } });
    const [one, other] = [await anAccount(db()), await anAccount(db())];
    for (let count = 0; count < 20; count += 1) {
      await webhooks.add({ userId: one, url: new URL('/hangs', receiver.url).href });
    }
    const id = await webhooks.add({ userId: other, url: receiver.url });
    const drained = webhooks.drain();
    await gate.reached(3);
    while ((await deliveryOf(db(), id)).status === 'pending') await new Promise(setImmediate);
    assert.equal(gate.waiting(), 3);
    gate.open();
    await drained;
  });

  it('uses no more than the places of its account, for any hosts', async (t) => {
    const gate = createGate(t);
    const slow = async () => {
      return await startReceiver(t, async (_, response) => {
        await gate.pass();
        response.writeHead(204).end();
      });
    };
    const receivers = [await slow(), await slow(), await slow(), await slow()];
    const webhooks = webhooksOn(t, db(), { places: { inAll: 8, perHost: 3, perAccount: 5 } });
    const [one, other] = [await anAccount(db()), await anAccount(db())];
    for (const { url } of receivers) {
      for (let count = 0; count < 3; count += 1) await webhooks.add({ userId: one, url });
    }
    const last = receivers.at(-1);
    assert.ok(last);
    for (let count = 0; count < 3; count += 1) await webhooks.add({ userId: other, url: last.url });
    const drained = webhooks.drain();
    await gate.reached(8);
    assert.equal(last.received.length, 3);
    assert.equal(gate.waiting(), 8);
    gate.open();
    await drained;
    assert.equal(
      receivers.reduce((sum, { received }) => sum + received.length, 0),
      15,
    );
  });
});
