import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';

import { newSubmitter, submit } from '../support/cloud.ts';
import { type Delivery, deliveries, untilDeliveries } from '../support/deliveries.ts';
import { assertShape } from '../support/error-shapes.ts';
import { type Client, client } from '../support/http-client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

interface Endpoint {
  readonly id: string;
  readonly url: string;
  readonly status: string;
  readonly last_error: string;
}

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());

/** A delivery that has been tried once, and what it is about. */
async function tried(
  api: Client,
  path: string,
): Promise<{ readonly delivery: Delivery; readonly job: string }> {
  const { prompt_id: job } = await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
  const isTried = (one?: Delivery) =>
    one?.tries.length === 1 && (one.status !== 'pending' || one.next_try_at !== undefined);
  const [delivery] = await untilDeliveries(api, job, ([one]) => isTried(one));
  assert.ok(delivery);
  return { delivery, job };
}

async function endpoints(api: Client): Promise<readonly Endpoint[]> {
  const { status, body } = await api.get<{ endpoints: Endpoint[] }>('/webhooks/endpoints');
  assert.equal(status, 200);
  return body.endpoints;
}

onEachEngine(
  'the log of deliveries',
  (server) => {
    const newPath = () => `/${randomUUID()}`;

    test('[WHK-9] deliveries are listed newest first, page by page, by subject and status', async () => {
      const { api } = await newSubmitter(server.current);
      const [good, gone] = [newPath(), newPath()];
      receiver.answer(gone, { status: 410 });
      const jobs = [];
      for (const path of [good, gone, good]) jobs.push(await tried(api, path));
      const ids = jobs.map(({ delivery }) => delivery.id).toReversed();
      const listed = async (query: string) => (await deliveries(api, query)).deliveries.map(({ id }) => id);
      assert.deepEqual(await listed(''), ids);
      const first = await deliveries(api, 'limit=2');
      assert.deepEqual(
        first.deliveries.map(({ id }) => id),
        ids.slice(0, 2),
      );
      const rest = await deliveries(api, `limit=2&after=${first.next_cursor}`);
      assert.deepEqual([rest.deliveries[0]?.id, rest.next_cursor], [ids[2], undefined]);
      assert.deepEqual(await listed('status=failed'), [ids[1]]);
      assert.deepEqual(await listed('status=delivered'), [ids[0], ids[2]]);
      assert.deepEqual(await listed(`subject=job:${jobs[0]?.job}`), [ids[2]]);
      assert.deepEqual(await listed('subject=job:none'), []);
      const [newest] = first.deliveries;
      assert.partialDeepStrictEqual(newest, {
        subject: `job:${jobs[2]?.job}`,
        type: 'job.completed',
        url: receiver.url(good),
        status: 'delivered',
      });
      assert.ok(newest?.delivered_at !== undefined && newest.next_try_at === undefined);
      for (const query of [
        'limit=0',
        'limit=101',
        'limit=x',
        'status=new',
        `after=${randomUUID()}`,
        'after=1',
      ]) {
        const { status, body } = await api.get(`/webhooks/deliveries?${query}`);
        assert.equal(status, 400, query);
        assertShape(body, 'error');
      }
    });

    test('[WHK-10] one delivery has its body and tries, and nothing of what the receiver said', async () => {
      const { api } = await newSubmitter(server.current);
      const path = newPath();
      receiver.answer(path, { status: 500, body: 'stack-trace-of-the-receiver' });
      const { delivery, job } = await tried(api, path);
      const { status, body } = await api.get<Delivery>(`/webhooks/deliveries/${delivery.id}`);
      assert.equal(status, 200);
      const { body: sent, ...listed } = body;
      assert.deepEqual(listed, delivery);
      assert.equal(sent, receiver.at(path)[0]?.text);
      assert.ok(sent?.includes(job));
      assert.deepEqual(Object.keys(body.tries[0] ?? {}).toSorted(), ['at', 'ms', 'status']);
      assert.ok(!JSON.stringify(body).includes('stack-trace'));
    });

    test('[WHK-11] a delivery is sent again with its id, whatever became of it, 60 times a minute', async () => {
      const { api } = await newSubmitter(server.current);
      const other = await newSubmitter(server.current);
      const path = newPath();
      const { delivery } = await tried(api, path);
      const redeliver = async () =>
        await api.post<Delivery & { error?: string }>(`/webhooks/deliveries/${delivery.id}/redeliver`);
      const accepted = await redeliver();
      assert.deepEqual([accepted.status, accepted.body.id], [202, delivery.id]);
      // A delivery that is being sent is not sent once more.
      const isNoted = async (tries: number) => {
        const { body } = await api.get<Delivery>(`/webhooks/deliveries/${delivery.id}`);
        return body.tries.length === tries;
      };
      await until('the second try', async () => await isNoted(2));
      receiver.answer(path, { status: 410 });
      await redeliver();
      await until('the third try', async () => await isNoted(3));
      receiver.answer(path, { status: 204 });
      await redeliver();
      await until('the fourth try', async () => await isNoted(4));
      assert.equal(receiver.at(path).length, 4);
      assert.equal(new Set(receiver.at(path).map(({ headers }) => headers['webhook-id'])).size, 1);
      // A minute may end in between.
      let refused = await redeliver();
      for (let asked = 0; asked < 120 && refused.status === 202; asked += 1) refused = await redeliver();
      assert.equal(refused.status, 429);
      assertShape(refused.body, 'error');
      assert.equal(refused.body.error, 'webhooks.limit');
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      const { delivery: foreign } = await tried(other.api, newPath());
      assert.equal((await other.api.post(`/webhooks/deliveries/${foreign.id}/redeliver`)).status, 202);
    });

    test('[WHK-12] an endpoint is listed while it fails, without its query, and may be resumed', async () => {
      const { api } = await newSubmitter(server.current);
      const path = newPath();
      const query = `${path}?token=1`;
      receiver.answer(query, { status: 500 });
      const { delivery } = await tried(api, query);
      const [endpoint, ...others] = await endpoints(api);
      assert.deepEqual(others, []);
      assert.partialDeepStrictEqual(endpoint, {
        id: delivery.endpoint_id,
        url: receiver.url(path),
        status: 'failing',
      });
      assert.match(endpoint?.last_error ?? '', /500/);
      const resumed = await api.post(`/webhooks/endpoints/${delivery.endpoint_id}/resume`);
      assert.deepEqual([resumed.status, resumed.body], [204, '']);
      receiver.answer(query, { status: 200 });
      await api.post(`/webhooks/deliveries/${delivery.id}/redeliver`);
      await untilDeliveries(
        api,
        delivery.subject.slice('job:'.length),
        ([one]) => one?.status === 'delivered',
      );
      assert.deepEqual(await endpoints(api), []);
    });

    test('[WHK-13] secrets, deliveries and endpoints are the account’s own', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const path = newPath();
      receiver.answer(path, { status: 500 });
      const { delivery } = await tried(ada.api, path);
      assert.deepEqual((await deliveries(bob.api)).deliveries, []);
      assert.deepEqual(await endpoints(bob.api), []);
      for (const [method, place, own] of [
        ['GET', '/webhooks/deliveries/{id}', delivery.id],
        ['POST', '/webhooks/deliveries/{id}/redeliver', delivery.id],
        ['POST', '/webhooks/endpoints/{id}/resume', delivery.endpoint_id],
      ] as const) {
        for (const id of [own, randomUUID(), 'nothing']) {
          const { status, body } = await bob.api.request(method, place.replace('{id}', id));
          assert.equal(status, 404, place);
          assertShape(body, 'error');
        }
      }
      assert.equal((await bob.api.get(`/webhooks/deliveries?after=${delivery.id}`)).status, 400);
      const nobody = client(server.current.url);
      for (const [method, place] of [
        ['GET', '/webhooks/secret'],
        ['POST', '/webhooks/secret/rotate'],
        ['GET', '/webhooks/deliveries'],
        ['GET', `/webhooks/deliveries/${delivery.id}`],
        ['POST', `/webhooks/deliveries/${delivery.id}/redeliver`],
        ['GET', '/webhooks/endpoints'],
        ['POST', `/webhooks/endpoints/${delivery.endpoint_id}/resume`],
      ] as const) {
        const { status, body } = await nobody.request(method, place);
        assert.equal(status, 401, place);
        assertShape(body, 'error');
      }
    });
  },
  { environment: async () => ({ ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` }) },
);
