import assert from 'node:assert/strict';
import { beforeEach, it, type TestContext } from 'node:test';
import type { Delivery, DeliveryPage, DeliveryWithBody } from '@atelier/contracts';
import type { TypeBoxTypeProvider } from '@fastify/type-provider-typebox';
import Fastify from 'fastify';

import { onEachDatabase } from '../../test/support/on-each-database.ts';
import { handleError } from '../platform/http/error-handler.ts';
import type { App } from '../platform/http/route-config.ts';
import { createValidatorCompiler } from '../platform/http/validation.ts';
import { newId } from '../platform/ids.ts';
import { startReceiver } from './test/receiver.ts';
import { anAccount, deliveryOf, forgetAll, type WebhooksUnderTest, webhooksOn } from './test/webhooks-on.ts';

const DAY = 24 * 3_600_000;

type Answer = Awaited<ReturnType<App['inject']>>;
const secretIn = (answer: Answer) => answer.json<{ secret: string }>().secret;
const errorIn = (answer: Answer) => answer.json<{ error: string }>().error;

onEachDatabase('the routes of webhooks', (db) => {
  beforeEach(async () => await forgetAll(db()));

  /** Asks as one account or another. */
  const serve = async (t: TestContext, webhooks: WebhooksUnderTest) => {
    const app: App = Fastify().withTypeProvider<TypeBoxTypeProvider>();
    t.after(async () => await app.close());
    app.setValidatorCompiler(createValidatorCompiler());
    app.setErrorHandler(handleError);
    app.decorateRequest('actor', undefined);
    app.addHook('onRequest', async (request) => {
      request.actor = { userId: String(request.headers['x-user']), email: '', name: '', role: 'user' };
    });
    await webhooks.routes(app);
    return async (method: 'GET' | 'POST', url: string, userId: string) =>
      await app.inject({ method, url, headers: { 'x-user': userId } });
  };

  it('show the secret and rotate it', async (t) => {
    const ask = await serve(t, webhooksOn(t, db()));
    const userId = await anAccount(db());
    const shown = await ask('GET', '/webhooks/secret', userId);
    assert.equal(shown.statusCode, 200);
    assert.equal(shown.headers['cache-control'], 'no-store');
    const rotated = await ask('POST', '/webhooks/secret/rotate', userId);
    assert.equal(rotated.statusCode, 200);
    assert.notEqual(secretIn(rotated), secretIn(shown));
    assert.equal(secretIn(await ask('GET', '/webhooks/secret', userId)), secretIn(rotated));
  });

  it('list deliveries newest first, page by page, by subject and by status', async (t) => {
    const receiver = await startReceiver(t, ({ body }, response) =>
      response.writeHead(body === '{"n":3}' ? 410 : 200).end(),
    );
    const webhooks = webhooksOn(t, db());
    const ask = await serve(t, webhooks);
    const userId = await anAccount(db());
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const subject = `job:${n % 2}`;
      ids.unshift(await webhooks.add({ userId, url: receiver.url, subject, body: `{"n":${n}}` }));
    }
    await webhooks.add({ userId: await anAccount(db()), url: receiver.url });
    await webhooks.drain();
    const listed = async (query: string) => {
      const answer = await ask('GET', `/webhooks/deliveries${query}`, userId);
      assert.equal(answer.statusCode, 200);
      const body = answer.json<DeliveryPage>();
      return { ids: body.deliveries.map(({ id }) => id), next: body.next_cursor };
    };
    assert.deepEqual(await listed(''), { ids, next: undefined });
    const first = await listed('?limit=3');
    assert.deepEqual(first.ids, ids.slice(0, 3));
    assert.deepEqual(await listed(`?limit=3&after=${first.next}`), { ids: ids.slice(3), next: undefined });
    assert.deepEqual((await listed('?subject=job:1')).ids, [ids[1], ids[3]]);
    assert.deepEqual((await listed('?status=failed')).ids, [ids[1]]);
    assert.deepEqual((await listed('?status=paused')).ids, []);
    for (const query of ['?limit=0', '?limit=101', '?status=new', `?after=${newId()}`, '?after=1']) {
      const refused = await ask('GET', `/webhooks/deliveries${query}`, userId);
      assert.equal(refused.statusCode, 400, query);
      assert.equal(errorIn(refused), 'request.invalid');
    }
  });

  it('show a delivery with its body and tries only to its owner', async (t) => {
    const receiver = await startReceiver(t, 500);
    const webhooks = webhooksOn(t, db());
    const ask = await serve(t, webhooks);
    const userId = await anAccount(db());
    const id = await webhooks.add({ userId, url: receiver.url, subject: 'job:7', type: 'job.failed' });
    await webhooks.drain();
    const shown = await ask('GET', `/webhooks/deliveries/${id}`, userId);
    assert.equal(shown.statusCode, 200);
    const body = shown.json<DeliveryWithBody>();
    const at = new Date(webhooks.time.now).toISOString();
    assert.deepEqual(body, {
      id,
      subject: 'job:7',
      type: 'job.failed',
      url: receiver.url,
      endpoint_id: body.endpoint_id,
      status: 'pending',
      created_at: at,
      next_try_at: new Date(webhooks.time.now + 5000).toISOString(),
      tries: [{ at, status: 500, ms: body.tries[0]?.ms }],
      body: '{"n":1}',
    });
    const stranger = await anAccount(db());
    for (const [method, path] of [
      ['GET', ''],
      ['POST', '/redeliver'],
    ] as const) {
      const hidden = await ask(method, `/webhooks/deliveries/${id}${path}`, stranger);
      const missing = await ask(method, `/webhooks/deliveries/nothing${path}`, stranger);
      assert.equal(hidden.statusCode, 404);
      assert.equal(missing.statusCode, 404);
    }
    assert.equal((await ask('POST', '/webhooks/endpoints/nothing/resume', userId)).statusCode, 404);
    const resumed = await ask('POST', `/webhooks/endpoints/${body.endpoint_id}/resume`, userId);
    assert.equal(resumed.statusCode, 204);
    const foreign = await ask('POST', `/webhooks/endpoints/${body.endpoint_id}/resume`, stranger);
    assert.equal(foreign.statusCode, 404);
    const listed = await ask('GET', '/webhooks/endpoints', userId);
    assert.deepEqual(
      listed.json<{ endpoints: { id: string }[] }>().endpoints.map((endpoint) => endpoint.id),
      [body.endpoint_id],
    );
  });

  it('redeliver in any state with the same id, regardless of later ones of the subject', async (t) => {
    let answer = 200;
    const receiver = await startReceiver(t, (_, response) => response.writeHead(answer).end());
    const webhooks = webhooksOn(t, db());
    const ask = await serve(t, webhooks);
    const about = { userId: await anAccount(db()), url: receiver.url, subject: 'job:1' };
    const redeliver = async (id: string) => {
      const accepted = await ask('POST', `/webhooks/deliveries/${id}/redeliver`, about.userId);
      assert.equal(accepted.statusCode, 202);
      assert.equal(accepted.json<Delivery>().id, id);
      await webhooks.drain();
    };
    const arrived = await webhooks.add(about);
    await webhooks.drain();
    await redeliver(arrived);
    answer = 410;
    const givenUp = await webhooks.add(about);
    await webhooks.drain();
    answer = 500;
    await redeliver(givenUp);
    // The redelivered one waits for its second try, and holds nobody up.
    const waiting = await webhooks.add(about);
    await webhooks.drain();
    assert.equal((await deliveryOf(db(), waiting)).failures, 1);
    answer = 200;
    await redeliver(waiting);
    assert.equal((await deliveryOf(db(), waiting)).status, 'delivered');
    assert.deepEqual(
      receiver.received.map(({ headers }) => headers['webhook-id']),
      [arrived, arrived, givenUp, givenUp, waiting, waiting],
    );
    const row = await deliveryOf(db(), givenUp);
    assert.deepEqual(
      row.tries.map(({ status }) => status),
      [410, 500],
    );
  });

  it('resume a paused endpoint when one of its deliveries is redelivered', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db());
    const ask = await serve(t, webhooks);
    const userId = await anAccount(db());
    const [first, second] = [
      await webhooks.add({ userId, url: receiver.url }),
      await webhooks.add({ userId, url: receiver.url }),
    ];
    const { endpoint_id: id } = await deliveryOf(db(), first);
    const now = webhooks.time.now;
    await db()
      .insertInto('webhook_endpoints')
      .values({
        id,
        user_id: userId,
        url: receiver.url,
        failing_since: now - 6 * DAY,
        last_failed_at: now,
        last_error: 'no',
        paused_at: now,
      })
      .execute();
    await webhooks.drain();
    assert.equal((await deliveryOf(db(), second)).status, 'paused');
    assert.equal((await ask('POST', `/webhooks/deliveries/${first}/redeliver`, userId)).statusCode, 202);
    await webhooks.drain();
    assert.equal((await deliveryOf(db(), first)).status, 'delivered');
    assert.equal((await deliveryOf(db(), second)).status, 'delivered');
  });

  it('refuse more redeliveries in a minute than the limit, for one account', async (t) => {
    const receiver = await startReceiver(t);
    const webhooks = webhooksOn(t, db(), { redeliveriesPerMinute: 2 });
    const ask = await serve(t, webhooks);
    const statusOf = async (userId: string, id: string) =>
      await ask('POST', `/webhooks/deliveries/${id}/redeliver`, userId);
    const [one, other] = [await anAccount(db()), await anAccount(db())];
    const id = await webhooks.add({ userId: one, url: receiver.url });
    const foreign = await webhooks.add({ userId: other, url: receiver.url });
    assert.equal((await statusOf(one, id)).statusCode, 202);
    assert.equal((await statusOf(one, id)).statusCode, 202);
    const refused = await statusOf(one, id);
    assert.equal(refused.statusCode, 429);
    assert.equal(errorIn(refused), 'webhooks.limit');
    assert.equal(refused.headers['retry-after'], '60');
    assert.equal((await statusOf(other, foreign)).statusCode, 202);
    webhooks.time.now += 60_000;
    assert.equal((await statusOf(one, id)).statusCode, 202);
    await webhooks.drain();
  });
});
