import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';

import { newSubmitter, submit } from '../support/cloud.ts';
import { untilDeliveries } from '../support/deliveries.ts';
import { assertShape } from '../support/error-shapes.ts';
import { client } from '../support/http-client.ts';
import { type Receiver, startReceiver } from '../support/receiver.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { textWorkflow } from '../support/workflows.ts';

let receiver: Receiver;
before(async () => {
  receiver = await startReceiver();
});
after(() => receiver.close());

const DAY_SECONDS = 86_400;

onEachEngine(
  'webhooks on their way',
  (server) => {
    /** A path that no other test uses. */
    const newPath = () => `/${randomUUID()}`;

    test('[WHK-1] [WHK-2] a message is verified by a public library, with one secret an account', async () => {
      const { api } = await newSubmitter(server.current);
      const secret = async () => {
        const { status, headers, body } = await api.get<{ secret: string }>('/webhooks/secret');
        assert.equal(status, 200);
        assert.equal(headers.get('cache-control'), 'no-store');
        return body.secret;
      };
      const own = await secret();
      assert.match(own, /^whsec_/);
      assert.equal(Buffer.from(own.slice('whsec_'.length), 'base64').length, 32);
      assert.equal(await secret(), own);
      const path = newPath();
      const { prompt_id: id } = await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
      const { headers, text } = await until('the message', () => receiver.at(path)[0]);
      assert.match(headers['content-type'] ?? '', /^application\/json/);
      const told = new Webhook(own).verify(text, headers) as Record<string, unknown>;
      assert.partialDeepStrictEqual(told, { type: 'job.completed', prompt_id: id });
      assert.throws(() => new Webhook(own).verify(text.replace('completed', 'failed'), headers));
      const other = await newSubmitter(server.current);
      const { body } = await other.api.get<{ secret: string }>('/webhooks/secret');
      assert.notEqual(body.secret, own);
      assert.throws(() => new Webhook(body.secret).verify(text, headers));
    });

    test('[WHK-2] after a rotation both secrets verify, and the new one is shown', async () => {
      const { api } = await newSubmitter(server.current);
      const { body: old } = await api.get<{ secret: string }>('/webhooks/secret');
      const rotated = await api.post<{ secret: string }>('/webhooks/secret/rotate');
      assert.equal(rotated.status, 200);
      assert.equal(rotated.headers.get('cache-control'), 'no-store');
      assert.notEqual(rotated.body.secret, old.secret);
      const path = newPath();
      await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
      const { headers, text } = await until('the message', () => receiver.at(path)[0]);
      assert.equal(headers['webhook-signature']?.split(' ').length, 2);
      for (const { secret } of [old, rotated.body]) assert.ok(new Webhook(secret).verify(text, headers));
      const { body: shown } = await api.get<{ secret: string }>('/webhooks/secret');
      assert.equal(shown.secret, rotated.body.secret);
    });

    test('[WHK-3] a redirect is a failure and is not followed, 410 is the end', async () => {
      const { api } = await newSubmitter(server.current);
      const [elsewhere, target, gone] = [newPath(), newPath(), newPath()];
      receiver.answer(elsewhere, { status: 302, headers: { location: receiver.url(target) } });
      receiver.answer(gone, { status: 410 });
      const first = await submit(api, textWorkflow(), { webhook_url: receiver.url(elsewhere) });
      const second = await submit(api, textWorkflow(), { webhook_url: receiver.url(gone) });
      const [redirected] = await untilDeliveries(api, first.prompt_id, ([one]) => one?.tries.length === 1);
      assert.equal(redirected?.status, 'pending');
      assert.equal(redirected.tries[0]?.status, 302);
      const [ended] = await untilDeliveries(api, second.prompt_id, ([one]) => one?.status === 'failed');
      assert.deepEqual(
        ended?.tries.map(({ status }) => status),
        [410],
      );
      assert.ok(!('next_try_at' in ended));
      assert.equal(receiver.at(target).length, 0);
    });

    test('[WHK-4] the next try is told: after about 5 s, or as Retry-After asks', async () => {
      const { api } = await newSubmitter(server.current);
      for (const [headers, least, most] of [
        [{}, 4.5, 5.5],
        [{ 'retry-after': '1' }, 4.5, 5.5],
        [{ 'retry-after': '3600' }, 3600, 3600],
        [{ 'retry-after': String(9 * DAY_SECONDS) }, DAY_SECONDS, DAY_SECONDS],
      ] as const) {
        const path = newPath();
        receiver.answer(path, { status: 503, headers });
        const { prompt_id: id } = await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
        const [delivery] = await untilDeliveries(
          api,
          id,
          ([one]) => one?.tries.length === 1 && one.next_try_at !== undefined,
        );
        const next = Date.parse(delivery?.next_try_at ?? '');
        const began = Date.parse(delivery?.tries[0]?.at ?? '');
        assert.ok(next >= began + least * 1000 && next <= Date.now() + most * 1000, JSON.stringify(headers));
      }
    });

    test('[WHK-5] the next message about a job waits for the one before', async () => {
      const { api } = await newSubmitter(server.current);
      const path = newPath();
      receiver.answer(path, { status: 500 });
      const webhook_events = ['in_progress', 'completed'];
      const { prompt_id: id } = await submit(api, textWorkflow(), {
        webhook_url: receiver.url(path),
        webhook_events,
      });
      const [first] = await untilDeliveries(
        api,
        id,
        (found) => found.length === 2 && found[0]?.tries.length === 1 && found[0].next_try_at !== undefined,
      );
      receiver.answer(path, { status: 200 });
      assert.equal((await api.post(`/webhooks/deliveries/${first?.id}/redeliver`)).status, 202);
      await untilDeliveries(api, id, (found) => found.every(({ status }) => status === 'delivered'));
      const told = receiver.at(path).map(({ text }) => (JSON.parse(text) as { status: string }).status);
      assert.deepEqual(told, ['in_progress', 'in_progress', 'completed']);
    });

    test('[WHK-4] [WHK-6] what a server could not deliver, the next one does, with the same id', async () => {
      const { api, key } = await newSubmitter(server.current);
      const path = newPath();
      receiver.answer(path, { status: 500 });
      const { prompt_id: id } = await submit(api, textWorkflow(), { webhook_url: receiver.url(path) });
      await untilDeliveries(api, id, ([one]) => one?.tries.length === 1 && one.next_try_at !== undefined);
      await server.current.stop('SIGKILL');
      receiver.answer(path, { status: 204 });
      await server.restart();
      const again = client(server.current.url, { apiKey: key });
      const [delivery] = await untilDeliveries(again, id, ([one]) => one?.status === 'delivered');
      assert.deepEqual(
        receiver.at(path).map(({ headers }) => headers['webhook-id']),
        [delivery?.id, delivery?.id],
      );
      assert.deepEqual(
        delivery?.tries.map(({ status }) => status),
        [500, 204],
      );
    });

    test('[WHK-7] special addresses are refused under every name and spelling, and nothing is queued', async () => {
      const { api } = await newSubmitter(server.current);
      const { port } = receiver;
      for (const webhook_url of [
        'http://127.0.0.1:9/',
        'http://127.1/',
        'http://2130706433/',
        'http://0x7f.1/',
        'http://0177.0.0.1/',
        `http://127.0.0.2:${port}/`,
        'http://localhost/',
        'http://localhost./',
        'http://0.0.0.0/',
        'http://10.0.0.1/',
        'http://172.16.3.4/',
        'http://192.168.1.1/',
        'http://100.64.0.1/',
        'http://169.254.169.254/latest/meta-data',
        'http://255.255.255.255/',
        'http://224.0.0.1/',
        'http://[::1]/',
        'http://[::]/',
        'http://[fe80::1]/',
        'http://[fc00::1]/',
        'http://[::ffff:10.0.0.1]/',
        'http://[64:ff9b::10.0.0.1]/',
        'ftp://example.com/',
        'file:///etc/passwd',
        'http://user:password@example.com/',
        'http://',
        'no url',
        '',
        5,
      ]) {
        const { status, body } = await api.post('/api/prompt', { prompt: textWorkflow(), webhook_url });
        assert.equal(status, 400, String(webhook_url));
        assertShape(body, 'prompt');
        assert.match(JSON.stringify(body), /webhook_url/);
      }
      assert.deepEqual((await api.get<{ jobs: unknown[] }>('/api/jobs')).body.jobs, []);
    });
  },
  { environment: async () => ({ ATELIER_OUTBOUND_ALLOW: `127.0.0.1:${receiver.port}` }) },
);
