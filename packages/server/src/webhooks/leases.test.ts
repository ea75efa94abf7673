import assert from 'node:assert/strict';
import { beforeEach, it } from 'node:test';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { withTransaction } from '../platform/db/database.ts';
import { claimDue } from './claim-due.ts';
import { recordTries } from './record-tries.ts';
import { createGate, startReceiver } from './test/receiver.ts';
import { anAccount, deliveryOf, forgetAll, webhooksOn } from './test/webhooks-on.ts';

const PLACES = { inAll: 64, perHost: 16, perAccount: 32 };
const LEASE_MS = 30_000;

onEachDatabase('a lease', (db, engine) => {
  beforeEach(async () => await forgetAll(db()));

  const claimAt = async (time: { now: number }) =>
    await claimDue(db(), {
      clock: () => time.now,
      leaseMs: LEASE_MS,
      places: PLACES,
      busy: [],
      search: { pausedUntil: 0 },
    });

  it('keeps other servers from a delivery until it runs out after a crash, which the log shows', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db());
    const id = await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    assert.equal((await claimAt(webhooks.time)).length, 1);
    webhooks.time.now += LEASE_MS - 1;
    await webhooks.drain();
    assert.equal(receiver.received.length, 0);
    webhooks.time.now += 1;
    await webhooks.drain();
    assert.equal(receiver.received.length, 1);
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'delivered');
    assert.match(row.tries[0]?.error ?? '', /server died/);
    assert.equal(row.tries[1]?.status, 204);
  });

  it('of the previous process ends at the start if one server has the database', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db());
    await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await claimAt(webhooks.time);
    await webhooks.start();
    await webhooks.drain();
    assert.equal(receiver.received.length, engine === 'sqlite' ? 1 : 0);
  });

  it('that has run out discards the result of a late server', async (t) => {
    const gate = createGate(t);
    const receiver = await startReceiver(t, async (_, response) => {
      if (receiver.received.length === 1) await gate.pass();
      response.writeHead(receiver.received.length === 1 ? 204 : 500).end();
    });
    const late = webhooksOn(t, db());
    const id = await late.add({ userId: await anAccount(db()), url: receiver.url });
    const sending = late.drain();
    await gate.reached(1);
    const other = webhooksOn(t, db(), { time: { now: late.time.now + LEASE_MS } });
    await other.drain();
    assert.equal(receiver.received.length, 2);
    gate.open();
    await sending;
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'pending');
    assert.equal(row.failures, 1);
    assert.deepEqual(
      row.tries.map(({ status }) => status),
      [undefined, 500],
    );
    assert.deepEqual([...late.errors, ...other.errors], []);
  });

  it('lets several servers share the work, and each delivery is sent once and in order', async (t) => {
    const receiver = await startReceiver(t);
    // A try must not fail because the machine is busy.
    const servers = Array.from({ length: 3 }, () => webhooksOn(t, db(), { timeoutMs: 120_000 }));
    const [first] = servers;
    assert.ok(first);
    for (const server of servers) server.time.now = first.time.now;
    const userId = await anAccount(db());
    for (let count = 0; count < 150; count += 1) {
      await first.add({ userId, url: receiver.url, subject: `job:${count % 50}`, body: String(count) });
    }
    // Followers that one server has put off are brought forward by another; so nobody is done before all are.
    for (let round = 0; round < 4; round += 1) {
      await Promise.all(servers.map(async (server) => await server.drain()));
    }
    assert.equal(receiver.received.length, 150);
    for (let job = 0; job < 50; job += 1) {
      assert.deepEqual(
        receiver
          .bodies()
          .map(Number)
          .filter((count) => count % 50 === job),
        [job, job + 50, job + 100],
      );
    }
    for (const server of servers) assert.deepEqual(server.errors, []);
  });

  it('does not put off a delivery written while another server ends the one before', async (t) => {
    if (engine === 'sqlite') return;
    const webhooks = webhooksOn(t, db());
    const { time } = webhooks;
    const message = { userId: await anAccount(db()), url: 'http://127.0.0.1:9/', subject: 'job:1' };
    await webhooks.add(message);
    const [delivery] = await claimAt(time);
    assert.ok(delivery);
    let next: string | undefined;
    await withTransaction(db(), async (tx) => {
      const outcome = { kind: 'answered', status: 204 } as const;
      const decision = { status: 'delivered' } as const;
      await recordTries(tx, [{ delivery, at: time.now, ms: 1, outcome, decision }], time.now);
      next = await webhooks.add(message);
      assert.deepEqual(await claimAt(time), []);
    });
    assert.deepEqual(
      (await claimAt(time)).map(({ id }) => id),
      [next],
    );
  });

  it('is released when the server stops before the receiver answers', async (t) => {
    const gate = createGate(t);
    const receiver = await startReceiver(t, async (_, response) => {
      await gate.pass();
      response.writeHead(204).end();
    });
    const stopping = webhooksOn(t, db(), { closeMs: 20 });
    const id = await stopping.add({ userId: await anAccount(db()), url: receiver.url });
    stopping.wake();
    await gate.reached(1);
    await stopping.close();
    const row = await deliveryOf(db(), id);
    assert.equal(row.status, 'pending');
    assert.equal(row.lease, null);
    assert.equal(row.failures, 0);
    assert.match(row.tries[0]?.error ?? '', /stopped during this try/);
    gate.open();
    const next = webhooksOn(t, db(), { time: stopping.time });
    await next.drain();
    assert.equal((await deliveryOf(db(), id)).status, 'delivered');
  });

  it('ends with the answer of the receiver if the stopping server has time', async (t) => {
    const gate = createGate(t);
    const receiver = await startReceiver(t, async (_, response) => {
      await gate.pass();
      response.writeHead(204).end();
    });
    const stopping = webhooksOn(t, db());
    const userId = await anAccount(db());
    const id = await stopping.add({ userId, url: receiver.url });
    stopping.wake();
    await gate.reached(1);
    const later = await stopping.add({ userId, url: receiver.url });
    const closed = stopping.close();
    gate.open();
    await closed;
    assert.equal((await deliveryOf(db(), id)).status, 'delivered');
    assert.equal((await deliveryOf(db(), later)).status, 'pending');
    assert.equal(receiver.received.length, 1);
  });
});
