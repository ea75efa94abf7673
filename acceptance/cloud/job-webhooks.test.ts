import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, test } from 'node:test';
import { Webhook } from 'standardwebhooks';

import { newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { onEachEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { longWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

interface Received {
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

const received: Received[] = [];
const receiver = createServer((request, response) => {
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    received.push({
      headers: request.headers as Record<string, string>,
      text: Buffer.concat(chunks).toString(),
    });
    response.writeHead(204).end();
  });
});
let hook = '';

before(async () => {
  receiver.listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  hook = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}/hook`;
});
after(() => receiver.close());

onEachEngine(
  'webhooks of jobs',
  (server) => {
    const about = (jobId: string) => received.filter(({ text }) => text.includes(jobId));

    test('[JOB-12] the end is delivered with outputs, signed so that the public library verifies it', async () => {
      const { api } = await newSubmitter(server.current);
      const { prompt_id } = await submit(api, pictureWorkflow(), { webhook_url: hook });
      const { headers, text } = await until('the delivery', () => about(prompt_id)[0]);
      const { body } = await api.get<{ secret: string }>('/webhooks/secret');
      const told = new Webhook(body.secret).verify(text, headers) as Record<string, unknown>;
      assert.equal(told['type'], 'job.completed');
      assert.equal(told['prompt_id'], prompt_id);
      assert.equal(told['status'], 'completed');
      assert.ok(told['outputs']);
      const log = await api.get<{ deliveries: { status: string }[] }>(
        `/webhooks/deliveries?subject=job:${prompt_id}`,
      );
      assert.equal(log.body.deliveries.length, 1);
    });

    test('[JOB-12] only the states that were asked for are delivered, in order', async () => {
      const { api } = await newSubmitter(server.current);
      const webhook_events = ['in_progress', 'completed'];
      const { prompt_id } = await submit(api, textWorkflow(), { webhook_url: hook, webhook_events });
      await until('both', () => about(prompt_id).length === 2);
      assert.deepEqual(
        about(prompt_id).map(({ text }) => (JSON.parse(text) as { status: string }).status),
        webhook_events,
      );
    });

    test('[JOB-12] a cancelled job is delivered too', async () => {
      const { api } = await newSubmitter(server.current);
      const { prompt_id } = await submit(api, longWorkflow({ pictures: 100 }), { webhook_url: hook });
      await untilStatus(api, prompt_id, ['in_progress']);
      await api.post(`/api/jobs/${prompt_id}/cancel`);
      const { text } = await until('the delivery', () => about(prompt_id)[0]);
      assert.equal((JSON.parse(text) as { type: string }).type, 'job.cancelled');
    });

    test('[JOB-12] an address that is not a public one gets 400 and queues nothing', async () => {
      const { api } = await newSubmitter(server.current);
      for (const webhook_url of [
        'http://169.254.169.254/latest',
        'http://10.0.0.1/',
        'http://[::1]:9/',
        'ftp://example.com/',
        'http://user:pass@example.com/',
      ]) {
        const { status, body } = await api.post('/api/prompt', { prompt: textWorkflow(), webhook_url });
        assert.equal(status, 400, webhook_url);
        assertShape(body, 'prompt');
      }
      assert.deepEqual((await api.get<{ jobs: unknown[] }>('/api/jobs')).body.jobs, []);
    });
  },
  { environment: { ATELIER_OUTBOUND_ALLOW: '127.0.0.1' } },
);
