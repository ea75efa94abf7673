import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';

import { newSubmitter, setTier, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { assertInvalidWorkflow, assertShape } from '../support/error-shapes.ts';
import { HOLDING } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { onEachEngine } from '../support/servers.ts';
import { pictureWorkflow, textWorkflow } from '../support/workflows.ts';

interface Refusal {
  readonly error: { readonly type: string; readonly message: string; readonly details: string };
  readonly node_errors: Readonly<Record<string, { readonly errors: readonly { readonly type: string }[] }>>;
}

interface Description {
  readonly paths: {
    readonly '/api/prompt': {
      readonly post: {
        readonly requestBody: {
          readonly content: { readonly 'application/json': { readonly schema: object } };
        };
      };
    };
  };
}

onEachEngine(
  'submitting a workflow',
  (server) => {
    for (const path of ['/api/prompt', '/prompt']) {
      test(`[JOB-1] ${path} answers with the id, the number and no errors, and the job runs`, async () => {
        const { api } = await newSubmitter(server.current);
        const first = await api.post<{ prompt_id: string; number: number }>(path, { prompt: textWorkflow() });
        const second = await api.post<{ prompt_id: string; number: number }>(path, {
          prompt: textWorkflow(),
        });
        assert.equal(first.status, 200);
        assert.deepEqual(Object.keys(first.body), ['prompt_id', 'number', 'node_errors']);
        assert.ok(second.body.number > first.body.number);
        assert.equal(await untilStatus(api, first.body.prompt_id), 'completed');
      });

      for (const [what, body, type] of [
        ['nothing', undefined, 'invalid_json'],
        ['a list', [], 'invalid_body'],
        ['what is not JSON', '{"prompt":', 'invalid_json'],
        ['no prompt', {}, 'no_prompt'],
        ['a prompt that is a text', { prompt: 'hello' }, 'invalid_prompt'],
        ['an empty graph', { prompt: {} }, 'prompt_no_outputs'],
        [
          'an unknown node type',
          { prompt: { '1': { class_type: 'Nope', inputs: {} } } },
          'missing_node_type',
        ],
        [
          'no output node',
          { prompt: { '1': { class_type: 'PrimitiveInt', inputs: { value: 1 } } } },
          'prompt_no_outputs',
        ],
        ['a cycle', { prompt: cycle() }, 'prompt_outputs_failed_validation'],
        ['an id that is not a UUID', { prompt: textWorkflow(), prompt_id: 'mine' }, 'invalid_prompt_id'],
      ] as const) {
        test(`[JOB-2] [JOB-3] ${path} refuses ${what} with 400 and says why`, async () => {
          const { api } = await newSubmitter(server.current);
          const answer = await api.request<Refusal>('POST', path, {
            body,
            headers: { 'content-type': 'application/json' },
          });
          assert.equal(answer.status, 400);
          assertInvalidWorkflow(answer.body);
          assert.equal(answer.body.error.type, type);
        });
      }
    }

    test('[JOB-45] the description shows what is accepted and what is not', async () => {
      const { api } = await newSubmitter(server.current);
      const { body: description } = await api.get<Description>('/api/openapi.json');
      const { schema } = description.paths['/api/prompt'].post.requestBody.content['application/json'];
      const isShown = new Ajv2020({ strict: false }).compile(schema);
      const none = { prompt_id: null, client_id: null, extra_data: null, webhook_url: null };
      for (const fields of [
        {},
        none,
        { number: 1.5, front: true, unknown: [] },
        { prompt_id: 'mine' },
        { client_id: 5 },
        { extra_data: [] },
        { partial_execution_targets: [5] },
        { webhook_url: 'https://example.com', webhook_events: [] },
      ]) {
        const body = { prompt: textWorkflow(), ...fields };
        const { status } = await api.post('/api/prompt', body);
        assert.equal(status, isShown(body) ? 200 : 400, JSON.stringify(fields));
      }
    });

    test('[JOB-2] sound outputs run although others are not', async () => {
      const { api } = await newSubmitter(server.current);
      const prompt = {
        ...textWorkflow(),
        bad: { class_type: 'SaveImage', inputs: { filename_prefix: 'x' } },
      };
      const { prompt_id, node_errors } = await submit(api, prompt);
      assert.deepEqual(Object.keys(node_errors), ['bad']);
      assert.equal(await untilStatus(api, prompt_id), 'completed');
    });

    test('[JOB-3] the content type of a submission makes no difference', async () => {
      const { key } = await newSubmitter(server.current);
      const types = ['application/x-www-form-urlencoded', 'text/plain', 'application/octet-stream', 'json'];
      for (const path of ['/prompt', '/api/prompt']) {
        for (const type of types) {
          const answer = await fetch(server.current.url + path, {
            method: 'POST',
            headers: { 'x-api-key': key, 'content-type': type },
            body: JSON.stringify({ prompt: textWorkflow() }),
          });
          assert.equal(answer.status, 200, type);
        }
      }
    });

    test('[JOB-3] a body of brackets or of countless nodes gets 400 before anybody reads it', async () => {
      const { key } = await newSubmitter(server.current);
      const node = JSON.stringify({ class_type: 'PreviewAny', inputs: { source: ['0', 0] } });
      const many = Array.from({ length: 60_000 }, (_, id) => `"${id}":${node}`);
      for (const body of ['['.repeat(9_000_000), `{"prompt":{${many.join(',')}}}`]) {
        const answer = await fetch(`${server.current.url}/api/prompt`, {
          method: 'POST',
          headers: { 'x-api-key': key, 'content-type': 'application/json' },
          body,
        });
        const said = (await answer.json()) as { error: { message: string } };
        assert.equal(answer.status, 400);
        assertShape(said, 'prompt');
        assert.match(said.error.message, /beside its texts/);
      }
    });

    test('[JOB-3] a body of 11 MB gets 413, and so does one of 50 MB', async () => {
      const { api } = await newSubmitter(server.current);
      for (const megabytes of [11, 50]) {
        const { status, body } = await api.post('/api/prompt', {
          prompt: textWorkflow('x'.repeat(megabytes * 2 ** 20)),
        });
        assert.equal(status, 413);
        assertShape(body, 'prompt');
      }
    });

    test('[JOB-3] without a credential it is 401 in the same shape', async () => {
      const { status, body } = await client(server.current.url).post('/api/prompt', {
        prompt: textWorkflow(),
      });
      assert.equal(status, 401);
      assertShape(body, 'prompt');
    });

    test('[JOB-4] an id of one’s own is taken once in the whole service', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const prompt_id = randomUUID();
      assert.equal((await submit(ada.api, textWorkflow(), { prompt_id })).prompt_id, prompt_id);
      for (const { api } of [ada, bob]) {
        const { status, body } = await api.post('/api/prompt', { prompt: textWorkflow(), prompt_id });
        assert.equal(status, 409);
        assertShape(body, 'prompt');
      }
      assert.equal(await untilStatus(ada.api, prompt_id), 'completed');
    });

    test('[JOB-4] of twenty submissions with one id at once exactly one is taken', async () => {
      const { api } = await newSubmitter(server.current);
      const prompt_id = randomUUID();
      const answers = await Promise.all(
        Array.from(
          { length: 20 },
          async () => await api.post('/api/prompt', { prompt: textWorkflow(), prompt_id }),
        ),
      );
      const statuses = answers.map(({ status }) => status).toSorted();
      assert.deepEqual(statuses, [200, ...Array.from({ length: 19 }, () => 409)]);
    });

    test('[JOB-5] without an active subscription it is 402', async () => {
      const { id, api } = await newSubmitter(server.current);
      for (const [tier, status] of [
        ['pro', 'inactive'],
        ['free', 'active'],
      ] as const) {
        await setTier(server.current, id, tier, status);
        const answer = await api.post<Refusal>('/api/prompt', { prompt: textWorkflow() });
        assert.equal(answer.status, 402);
        assert.equal(answer.body.error.type, 'CLOUD_SUBSCRIPTION_REQUIRED');
      }
    });

    test('[JOB-6] the 101st waiting job gets 429, also when all come at once', async () => {
      const { api } = await newSubmitter(server.current);
      // No worker has the label, so they all wait, however slow the machine is.
      const body = { prompt: textWorkflow(), extra_data: { worker_labels: ['nowhere'] } };
      const answers = await Promise.all(
        Array.from({ length: 110 }, async () => {
          const headers = { 'idempotency-key': randomUUID() };
          for (;;) {
            const answer = await api.request<Refusal>('POST', '/api/prompt', { body, headers });
            // A connection to the database did not become free in time. That is not the answer yet.
            if (answer.status !== 503) return answer;
          }
        }),
      );
      const others = answers.filter(({ status }) => status !== 200);
      assert.deepEqual(
        others.map((answer) => [answer.status, answer.body.error.type]),
        Array.from({ length: 10 }, () => [429, 'QUEUE_LIMIT']),
      );
      assert.ok(Number(others[0]?.headers.get('retry-after')) > 0);
      const { status } = await api.post('/api/queue', { clear: true });
      assert.equal(status, 200);
    });

    test('[JOB-7] the same key and body give the same job, another body 409', async () => {
      const { api } = await newSubmitter(server.current);
      const headers = { 'idempotency-key': randomUUID() };
      const body = { prompt: textWorkflow() };
      const answers = await Promise.all(
        Array.from(
          { length: 10 },
          async () => await api.request<{ prompt_id: string }>('POST', '/api/prompt', { body, headers }),
        ),
      );
      assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200]));
      assert.equal(new Set(answers.map((answer) => answer.body.prompt_id)).size, 1);
      const other = await api.request('POST', '/api/prompt', { body: { prompt: textWorkflow() }, headers });
      assert.equal(other.status, 409);
      assertShape(other.body, 'prompt');
    });

    test('[JOB-7] a repeated request gets its job although it could not be made any more', async () => {
      const { id, api } = await newSubmitter(server.current);
      const headers = { 'idempotency-key': 'once' };
      const body = { prompt: { ...textWorkflow(), bad: { class_type: 'SaveImage', inputs: {} } } };
      const first = await api.request('POST', '/api/prompt', { body, headers });
      assert.equal(first.status, 200);
      await setTier(server.current, id, 'free');
      const again = await api.request('POST', '/api/prompt', { body, headers });
      assert.deepEqual([again.status, again.body], [200, first.body]);
    });

    test('[JOB-7] the same key of somebody else is another one, and a refusal does not use it up', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const headers = { 'idempotency-key': 'order-1' };
      const refused = await ada.api.request('POST', '/api/prompt', { body: { prompt: {} }, headers });
      assert.equal(refused.status, 400);
      const ids = [];
      for (const { api } of [ada, bob]) {
        const body = { prompt: textWorkflow() };
        const answer = await api.request<{ prompt_id: string }>('POST', '/api/prompt', { body, headers });
        assert.equal(answer.status, 200);
        ids.push(answer.body.prompt_id);
      }
      assert.notEqual(ids[0], ids[1]);
    });

    test('[JOB-8] with wait the answer has the outputs', async () => {
      const { api } = await newSubmitter(server.current);
      const { status, body } = await api.post<{
        status: string;
        outputs: Record<string, { text: string[] }>;
      }>('/api/prompt?wait=60', { prompt: textWorkflow('hello') });
      assert.equal(status, 200);
      assert.equal(body.status, 'completed');
      assert.deepEqual(body.outputs['2']?.text, ['hello']);
    });

    test('[JOB-8] a wait that is too short answers with where the job stands', async () => {
      const { api } = await newSubmitter(server.current);
      const until = join(server.current.dataFolder, 'never');
      const { body } = await api.post<{ prompt_id: string; status: string }>('/api/prompt?wait=1', {
        prompt: { '1': { class_type: 'TestHold', inputs: { until } } },
      });
      assert.match(body.status, /^(?:pending|in_progress)$/);
      await api.post(`/api/jobs/${body.prompt_id}/cancel`);
      for (const wait of ['-1', '301', 'x', '1.5']) {
        const { status } = await api.post(`/api/prompt?wait=${wait}`, { prompt: textWorkflow() });
        assert.equal(status, 400);
      }
    });

    test('[JOB-10] no credential in extra_data is ever shown again', async () => {
      const { api, key } = await newSubmitter(server.current);
      const { prompt_id } = await submit(api, pictureWorkflow(), {
        extra_data: { api_key_platform_org: key, auth_token_comfy_org: 'secret-token', mine: 1 },
      });
      await untilStatus(api, prompt_id);
      for (const path of [
        `/api/jobs/${prompt_id}`,
        `/history/${prompt_id}`,
        `/api/history_v2/${prompt_id}`,
      ]) {
        const text = JSON.stringify((await api.get(path)).body);
        assert.ok(!text.includes(key) && !text.includes('secret-token'), path);
        assert.match(text, /"mine":1/);
      }
      assert.ok(!server.current.output().includes(key));
    });

    test('[JOB-1] jobs of one person are unknown to another', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const { prompt_id } = await submit(ada.api, textWorkflow());
      for (const path of [`/api/job/${prompt_id}/status`, `/api/jobs/${prompt_id}`]) {
        assert.equal((await bob.api.get(path)).status, 404);
      }
      assert.equal(await statusOf(ada.api, prompt_id).then(Boolean), true);
    });
  },
  { environment: HOLDING },
);

function cycle() {
  return {
    '1': { class_type: 'StringTrim', inputs: { string: ['2', 0], mode: 'Both' } },
    '2': { class_type: 'StringTrim', inputs: { string: ['1', 0], mode: 'Both' } },
    '3': { class_type: 'PreviewAny', inputs: { source: ['1', 0] } },
  };
}
