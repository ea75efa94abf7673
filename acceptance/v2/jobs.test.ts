import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { finish, newSubmitter, setTier, submit } from '../support/cloud.ts';
import { HOLDING, runHeld, submitHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { onEachEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { createJob, newV2Submitter, readJob, refusal, toJob, untilJob } from '../support/v2.ts';
import { EDITOR_WORKFLOW, failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

const UNKNOWN = '0198c0de-0000-7000-8000-000000000000';

onEachEngine('jobs of the Comfy API v2', (server) => {
  test('[API-4] [API-10] a job is queued, runs and succeeds, and every answer has all fields', async () => {
    const person = await newV2Submitter(server.current);
    const { api } = person;
    const made = await createJob(person, {
      ...pictureWorkflow(),
      big: { class_type: 'PrimitiveInt', inputs: { value: 2 ** 60 } },
    });
    assert.ok(['queued', 'running'].includes(made.status));
    const job = await untilJob(person, made.id);
    assert.equal(job.status, 'succeeded');
    assert.deepEqual([job.queue_position, job.progress, job.error], [null, null, null]);
    for (const url of [job.urls.self, `${job.urls.self}/workflow`])
      assert.equal((await api.get(url)).status, 200);
    assert.equal((await api.get(job.urls.logs)).status, 204);
    assert.equal((await api.post(job.urls.cancel)).status, 200);
  });

  test('[API-4] urls hold the path that a proxy has taken away', async () => {
    const person = await newV2Submitter(server.current);
    const { id } = await createJob(person, textWorkflow());
    const selfWith = async (prefix: string) =>
      toJob((await person.api.get(`/api/v2/jobs/${id}`, { 'x-forwarded-prefix': prefix })).body).urls.self;
    assert.equal(await selfWith('/atelier/v1'), `/atelier/v1/api/v2/jobs/${id}`);
    for (const odd of ['atelier', '//evil.example', '/a?b', '/', 'http://a'])
      assert.equal(await selfWith(odd), `/api/v2/jobs/${id}`);
  });

  test('[API-6] credentials in extra_data are not shown again', async () => {
    const person = await newV2Submitter(server.current);
    const secret = `secret-${randomUUID()}`;
    const extra_data = { api_key_comfy_org: secret, auth_token_comfy_org: secret };
    const { id } = await createJob(person, textWorkflow(), { extra_data });
    await untilJob(person, id);
    for (const path of [
      `/api/v2/jobs/${id}`,
      `/api/v2/jobs/${id}/workflow`,
      `/api/jobs/${id}`,
      `/api/history/${id}`,
    ]) {
      const { status, body } = await person.api.get(path);
      assert.equal(status, 200);
      assert.ok(!JSON.stringify(body).includes(secret), path);
    }
  });

  test('[API-4] numbers beyond 2^53 stay exact', async () => {
    const { api, key } = await newV2Submitter(server.current);
    const seed = '9007199254740993';
    const body = `{"workflow":{"1":{"class_type":"PrimitiveInt","inputs":{"value":${seed}}},"2":{"class_type":"PreviewAny","inputs":{"source":["1",0]}}}}`;
    const { id } = toJob((await api.request('POST', '/api/v2/jobs', { body })).body);
    const answer = await fetch(`${server.current.url}/api/v2/jobs/${id}/workflow`, {
      headers: { authorization: `Bearer ${key}` },
    });
    assert.match(await answer.text(), new RegExp(`"value":${seed}[^0-9]`));
  });

  test('[API-1] a job of either front is one job', async () => {
    const person = await newV2Submitter(server.current);
    const { api } = person;
    using watcher = await watch(server.current.url, person.key);
    const here = await createJob(person, textWorkflow(), { metadata: { client: 'acme' } });
    await watcher.end(here.id);
    const detail = await api.get<{ status: string; metadata: unknown }>(`/api/jobs/${here.id}`);
    assert.deepEqual([detail.body.status, detail.body.metadata], ['completed', { client: 'acme' }]);
    assert.equal((await api.get(`/api/history/${here.id}`)).status, 200);
    const there = await finish(api, textWorkflow());
    assert.equal((await readJob(person, there.prompt_id)).status, 'succeeded');
    const { body } = await api.get<{ jobs: { id: string }[] }>('/api/v2/jobs');
    assert.deepEqual(
      body.jobs.map(({ id }) => id),
      [there.prompt_id, here.id],
    );
  });

  test('[API-11] outputs are assets with links, and texts are outputs too', async () => {
    const person = await newV2Submitter(server.current);
    const { api, key } = person;
    const { id } = await createJob(person, {
      ...pictureWorkflow(),
      t: { class_type: 'PrimitiveString', inputs: { value: 'héllo' } },
      show: { class_type: 'PreviewAny', inputs: { source: ['t', 0] } },
    });
    const { outputs } = await untilJob(person, id);
    const picture = outputs.find(({ type }) => type === 'image');
    const text = outputs.find(({ type }) => type === 'text');
    assert.ok(picture && text && outputs.length === 2);
    assert.deepEqual([picture.node_id, picture.content_type, picture.job_id], ['2', 'image/png', id]);
    const linked = await fetch(picture.url);
    assert.equal((await linked.arrayBuffer()).byteLength, picture.size_bytes);
    const asset = await api.get(`/api/v2/assets/${picture.id}`);
    assert.deepEqual([asset.body['job_id'], asset.body['hash']], [id, picture.hash]);
    assert.deepEqual([text.node_id, text.hash, text.size_bytes], ['show', null, 6]);
    assert.equal((await api.get(`/api/v2/assets/${text.id}`)).status, 200);
    const read = await fetch(text.url, { headers: { authorization: `Bearer ${key}` } });
    assert.equal(await read.text(), 'héllo');
    const stranger = await newV2Submitter(server.current);
    assert.equal(refusal(await stranger.api.get(`/api/v2/assets/${text.id}/content`)).status, 404);
    assert.equal(refusal(await api.delete(`/api/v2/assets/${text.id}`)).status, 404);
  });

  test('[API-12] [API-13] a job that fails says where, and its logs say it too', async () => {
    const person = await newV2Submitter(server.current);
    const { id } = await createJob(person, failingWorkflow());
    const { status, error } = await untilJob(person, id);
    assert.equal(status, 'failed');
    assert.deepEqual(
      [error?.['code'], error?.['node_id'], error?.['class_type']],
      ['node_execution_error', '2', 'ImageToMask'],
    );
    assert.ok((error?.['message'] ?? '').length > 5);
    const logs = await person.api.get<{ text: string; complete: boolean }>(`/api/v2/jobs/${id}/logs`);
    assert.equal(logs.status, 200);
    assert.match(logs.body.text, /^\[2\] /m);
    assert.equal(logs.body.complete, true);
  });

  test('[API-5] [API-6] what cannot run or be read is refused by its code', async () => {
    const { api } = await newV2Submitter(server.current);
    const workflow = textWorkflow();
    const refused = async (body: unknown) => {
      const { status, code } = refusal(await api.request('POST', '/api/v2/jobs', { body }));
      return `${status} ${code}`;
    };
    assert.equal(
      await refused({ workflow: { '1': { class_type: 'Nope', inputs: {} } } }),
      '422 invalid_workflow',
    );
    assert.equal(await refused({ workflow: EDITOR_WORKFLOW }), '422 workflow_format_ui');
    for (const body of [
      { workflow, webhook_url: 'https://a.example' },
      { workflow, inputs: {} },
      {},
      { workflow: [] },
    ])
      assert.equal(await refused(body), '422 invalid_workflow');
    for (const body of [
      '',
      '{',
      '[]',
      { workflow, extra_data: { other: '' } },
      { workflow, extra_data: { api_key_comfy_org: 1 } },
    ])
      assert.equal(await refused(body), '400 invalid_request');
    const missing = await api.post('/api/v2/jobs', {
      workflow: { '7': { class_type: 'SaveImage', inputs: {} } },
    });
    const { node_errors } = refusal(missing).details as {
      node_errors: Record<string, { errors: unknown[] }>;
    };
    assert.ok((node_errors['7']?.errors.length ?? 0) > 0);
    assert.equal((await api.get<{ jobs: unknown[] }>('/api/v2/jobs')).body.jobs.length, 0);
    const accepted = await api.post('/api/v2/jobs', {
      workflow,
      webhook_url: null,
      extra_data: null,
      later: 1,
    });
    assert.equal(accepted.status, 201);
  });

  test('[API-7] a key makes one job, and a refused request does not use it up', async () => {
    const person = await newV2Submitter(server.current);
    const { api } = person;
    const headers = { 'idempotency-key': randomUUID() };
    const send = async (workflow: unknown) =>
      await api.request('POST', '/api/v2/jobs', { headers, body: { workflow } });
    assert.equal(refusal(await send({})).code, 'invalid_workflow');
    await setTier(server.current, person.id, 'pro', 'inactive');
    assert.deepEqual(
      [refusal(await send(textWorkflow())).status, refusal(await send(textWorkflow())).code],
      [402, 'insufficient_credits'],
    );
    await setTier(server.current, person.id, 'pro');
    const workflow = textWorkflow();
    const answers = await Promise.all([send(workflow), send(workflow), send(workflow)]);
    assert.deepEqual(answers.map(({ status }) => status).toSorted(), [201, 422, 422]);
    assert.equal(refusal(await send(workflow)).code, 'idempotency_key_reuse');
    const long = await api.request('POST', '/api/v2/jobs', {
      headers: { 'idempotency-key': 'k'.repeat(256) },
      body: { workflow },
    });
    assert.equal(refusal(long).status, 400);
  });

  test('[API-8] [API-9] jobs are found by their metadata, page by page', async () => {
    const person = await newV2Submitter(server.current);
    const { api } = person;
    const odd = 'say "hi", \\ünicode';
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) {
      const metadata = { run: String(n % 2), 'a.b-c_d': odd };
      ids.unshift((await createJob(person, textWorkflow(), { metadata })).id);
    }
    const list = async (query: Record<string, string>) => {
      const { status, body } = await api.get<{
        jobs: { id: string; metadata: unknown }[];
        next_cursor: string | null;
      }>(`/api/v2/jobs?${new URLSearchParams(query)}`);
      assert.equal(status, 200, JSON.stringify(body));
      return { ids: body.jobs.map(({ id }) => id), next: body.next_cursor };
    };
    assert.deepEqual((await list({})).ids, ids);
    assert.deepEqual((await list({ 'metadata[run]': '1', 'metadata[a.b-c_d]': odd })).ids, [ids[1], ids[3]]);
    for (const other of [{ 'metadata[run]': '' }, { 'metadata[un]': '1' }, { 'metadata[a.b-c_d]': 'hi' }])
      assert.deepEqual((await list(other)).ids, []);
    const first = await list({ limit: '3' });
    const second = await list({ limit: '3', cursor: first.next ?? '' });
    assert.deepEqual([first.ids, second.ids, second.next], [ids.slice(0, 3), ids.slice(3), null]);
    const code = async (path: string) => refusal(await api.get(path)).code;
    assert.equal(await code('/api/v2/jobs?cursor=abc'), 'invalid_cursor');
    assert.equal(await code('/api/v2/jobs?metadata=x'), 'invalid_metadata_filter');
    assert.equal(
      await code(`/api/v2/jobs?${['a', 'b', 'c', 'd'].map((k) => `metadata[${k}]=1`).join('&')}`),
      'invalid_metadata_filter',
    );
    assert.equal(await code('/api/v2/jobs?limit=101'), 'invalid_request');
    for (const metadata of [
      'x',
      [],
      { 'a b': 'x' },
      { a: 1 },
      { a: 'x\u0007' },
      { a: '\u202e' },
      { a: 'é'.repeat(129) },
      { ['k'.repeat(41)]: '' },
      Object.fromEntries(Array.from({ length: 17 }, (_, n) => [`k${n}`, ''])),
    ])
      assert.deepEqual(
        refusal(await api.post('/api/v2/jobs', { workflow: textWorkflow(), metadata })).code,
        'metadata_invalid',
      );
  });

  test('[API-2] [API-3] failures have the envelope, and unknown ids look alike', async () => {
    const { api } = await newV2Submitter(server.current);
    const other = await newV2Submitter(server.current);
    const foreign = (await createJob(other, textWorkflow())).id;
    const codes = new Set<string>();
    for (const id of [UNKNOWN, foreign, 'x', `${UNKNOWN}x`, '%F0%9F%92%A5']) {
      for (const path of [
        `jobs/${id}`,
        `jobs/${id}/workflow`,
        `jobs/${id}/logs`,
        `jobs/${id}/events`,
        `assets/${id}`,
        `assets/${id}/content`,
      ]) {
        const { status, code } = refusal(await api.get(`/api/v2/${path}`));
        codes.add(`${status} ${code}`);
      }
      const { status, code } = refusal(await api.post(`/api/v2/jobs/${id}/cancel`));
      codes.add(`${status} ${code}`);
    }
    assert.deepEqual([...codes], ['404 not_found']);
    const nowhere = await fetch(`${server.current.url}/api/v2/nowhere`);
    assert.equal(((await nowhere.json()) as { error: { code: string } }).error.code, 'not_found');
    assert.ok(nowhere.headers.get('x-comfy-request-id'));
    const wrong = client(server.current.url, { bearer: 'wrong' });
    for (const path of ['jobs', `jobs/${UNKNOWN}`, `jobs/${UNKNOWN}/events`, `assets/${UNKNOWN}`])
      assert.deepEqual(refusal(await wrong.get(`/api/v2/${path}`)).code, 'unauthorized');
    assert.equal(refusal(await wrong.post('/api/v2/jobs', {})).status, 401);
  });
});

onEachEngine(
  'jobs of the Comfy API v2 that wait and run, with other settings',
  (server) => {
    test('[API-10] [API-14] a job has a place while it waits, progress while it runs, and can be canceled', async () => {
      const person = await newV2Submitter(server.current, 'standard');
      const { api } = person;
      const running = await runHeld(server.current, api);
      const first = await submitHeld(server.current, api);
      const second = await submitHeld(server.current, api);
      assert.equal((await readJob(person, first.prompt_id)).queue_position, 1);
      assert.equal((await readJob(person, second.prompt_id)).queue_position, 2);
      // The row says that it runs before its first node has begun.
      const progress = await until('two nodes are done', async () => {
        const { progress: now } = await readJob(person, running.prompt_id);
        return now?.nodes_done === 2 ? now : undefined;
      });
      assert.ok(progress.value > 0.6 && progress.value < 1, JSON.stringify(progress));
      assert.equal(progress.nodes_total, 3);
      const cancel = async (id: string) => toJob((await api.post(`/api/v2/jobs/${id}/cancel`)).body).status;
      assert.equal(await cancel(second.prompt_id), 'canceled');
      assert.equal(await cancel(running.prompt_id), 'canceled');
      assert.equal(await cancel(running.prompt_id), 'canceled');
      await first.letGo();
      assert.equal((await untilJob(person, first.prompt_id)).status, 'succeeded');
      assert.equal(await cancel(first.prompt_id), 'succeeded');
    });

    test('[API-2] [API-7] a full queue answers 429 with Retry-After, and the key stays free', async () => {
      const person = await newV2Submitter(server.current, 'standard');
      const { api } = person;
      const held = await runHeld(server.current, api);
      const ids = await Promise.all(
        Array.from({ length: 100 }, async () => (await submit(api, textWorkflow())).prompt_id),
      );
      const headers = { 'idempotency-key': randomUUID() };
      const send = async () =>
        await api.request('POST', '/api/v2/jobs', { headers, body: { workflow: textWorkflow() } });
      const full = await send();
      assert.equal(refusal(full).code, 'queue_full');
      assert.match(full.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      await api.post(`/api/v2/jobs/${ids[0]}/cancel`);
      assert.equal((await send()).status, 201);
      assert.equal((await api.post('/api/jobs/cancel', { job_ids: ids })).status, 200);
      await held.letGo();
    });

    test('[API-5] with the setting on, what the editor saves is converted', async () => {
      const person = await newV2Submitter(server.current);
      const { id } = await createJob(person, EDITOR_WORKFLOW);
      assert.equal((await untilJob(person, id)).outputs.length, 1);
    });

    test('[API-15] a job tells when it may be removed', async () => {
      const person = await newV2Submitter(server.current);
      const { id } = await createJob(person, textWorkflow());
      const { completed_at, expires_at } = await untilJob(person, id);
      assert.equal(Date.parse(expires_at) - Date.parse(completed_at ?? ''), 30 * 86_400_000);
      const other = await newSubmitter(server.current);
      assert.equal((await other.api.get(`/api/v2/jobs/${id}`)).status, 404);
    });
  },
  { environment: { ...HOLDING, ATELIER_OUTPUT_DAYS: '30', ATELIER_V2_EDITOR_WORKFLOWS: 'on' } },
);
