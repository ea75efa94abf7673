import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';
import { PATIENCE_MS } from '@atelier/testing';

import { finish, newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { HOLDING, runHeld, submitHeld } from '../support/held-jobs.ts';
import { type Client, client } from '../support/http-client.ts';
import { onEachEngine } from '../support/servers.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly priority: number;
  readonly execution_start_time?: number;
  readonly execution_end_time?: number;
}

interface Page {
  readonly jobs: readonly Job[];
  readonly pagination: {
    readonly offset: number;
    readonly limit: number;
    readonly total: number;
    readonly has_more: boolean;
    readonly next_cursor?: string;
  };
}

interface Detail extends Job {
  readonly outputs?: Readonly<Record<string, unknown>>;
  readonly execution_error?: Readonly<Record<string, unknown>>;
  readonly execution_status?: {
    readonly status_str: string;
    readonly completed: boolean;
    readonly messages: readonly (readonly [string, unknown])[];
  };
  readonly queue_position?: number;
  readonly estimated_start_in_ms?: number;
  readonly estimate_based_on?: Readonly<Record<string, number>>;
  readonly workflow: { readonly prompt: unknown; readonly extra_data: unknown };
}

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;

async function page(api: Client, query = ''): Promise<Page> {
  const { status, body } = await api.get<Page>(`/api/jobs?${query}`);
  assert.equal(status, 200, query);
  return body;
}

async function listed(api: Client, query = ''): Promise<string[]> {
  return (await page(api, query)).jobs.map(({ id }) => id);
}

async function detail(api: Client, id: string): Promise<Detail> {
  const { status, body } = await api.get<Detail>(`/api/jobs/${id}`);
  assert.equal(status, 200);
  return body;
}

onEachEngine(
  'the jobs of a user',
  (server) => {
    test('[CLD-1] [CLD-2] a state has times, the server that has it, and what went wrong', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const state = async (id: string) =>
        (await api.get<Record<string, string>>(`/api/job/${id}/status`)).body;
      const held = await runHeld(server.current, api);
      const waiting = await submit(api, textWorkflow());
      const pending = await state(waiting.prompt_id);
      assert.deepEqual(Object.keys(pending), [
        'id',
        'status',
        'created_at',
        'updated_at',
        'last_state_update',
      ]);
      assert.deepEqual([pending['id'], pending['status']], [waiting.prompt_id, 'pending']);
      const running = await state(held.prompt_id);
      assert.equal(running['status'], 'in_progress');
      assert.ok(running['assigned_inference']);
      await held.letGo();
      assert.equal(await untilStatus(api, held.prompt_id), 'completed');
      const ended = await state(held.prompt_id);
      assert.ok(!('assigned_inference' in ended));
      for (const name of ['created_at', 'updated_at', 'last_state_update']) {
        assert.match(ended[name] ?? '', ISO);
      }
      assert.ok((ended['updated_at'] ?? '') >= (ended['created_at'] ?? ''));
      const failed = await finish(api, failingWorkflow());
      assert.equal(failed.status, 'failed');
      const { error_message: message = '' } = await state(failed.prompt_id);
      assert.deepEqual(JSON.parse(message), (await detail(api, failed.prompt_id)).execution_error);
    });

    test('[CLD-1] [CLD-2] [CLD-7] [CLD-10] somebody else’s job is not there, as one that never was', async () => {
      const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
      const { prompt_id: id } = await finish(ada.api, textWorkflow());
      const running = await runHeld(server.current, ada.api);
      for (const path of [`/api/job/${id}/status`, `/api/jobs/${id}`, `/api/jobs/${id}/assets`]) {
        assert.equal((await ada.api.get(path)).status, 200);
        const foreign = await bob.api.get(path);
        const missing = await bob.api.get(path.replace(id, randomUUID()));
        assert.deepEqual([foreign.status, missing.status], [404, 404]);
        assert.equal(foreign.body['code'], missing.body['code']);
        assertShape(foreign.body, 'code');
        for (const odd of ['no-uuid', id.toUpperCase(), '..%2f']) {
          assert.equal((await ada.api.get(path.replace(id, odd))).status, 404, odd);
        }
        const nobody = await client(server.current.url).get(path);
        assert.equal(nobody.status, 401);
        assertShape(nobody.body, 'code');
      }
      assert.deepEqual((await page(bob.api)).jobs, []);
      assert.equal((await page(bob.api)).pagination.total, 0);
      assert.deepEqual((await bob.api.get('/history')).body, {});
      assert.deepEqual((await bob.api.get('/api/history_v2')).body, { history: [] });
      assert.deepEqual((await bob.api.get('/queue')).body, { queue_running: [], queue_pending: [] });
      assert.equal((await bob.api.post(`/api/jobs/${running.prompt_id}/cancel`)).status, 404);
      assert.equal(await statusOf(ada.api, running.prompt_id), 'in_progress');
      await running.letGo();
    });

    test('[CLD-3] a list has the newest first, with what is known and nothing else', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const before = Date.now();
      const first = await finish(api, pictureWorkflow(), { workflow_id: 'mine' });
      const held = await runHeld(server.current, api);
      const waiting = await submit(api, textWorkflow());
      const { jobs } = await page(api);
      assert.deepEqual(
        jobs.map(({ id, status, priority }) => [id, status, priority]),
        [
          [waiting.prompt_id, 'pending', waiting.number],
          [held.prompt_id, 'in_progress', held.number],
          [first.prompt_id, 'completed', first.number],
        ],
      );
      const common = ['id', 'status', 'priority', 'create_time'];
      const counts = ['outputs_count', 'previewable_outputs_count'];
      assert.deepEqual(Object.keys(jobs[0] ?? {}), [...common, ...counts]);
      assert.deepEqual(Object.keys(jobs[1] ?? {}), [...common, 'execution_start_time', ...counts]);
      assert.deepEqual(Object.keys(jobs[2] ?? {}), [
        ...common,
        'execution_start_time',
        'execution_end_time',
        ...counts,
        'preview_output',
        'workflow_id',
      ]);
      const times = jobs[2] as Job & { readonly create_time: number };
      const { create_time: made, execution_start_time: began = 0, execution_end_time: ended = 0 } = times;
      const order = [before, made, began, ended, Date.now()];
      // The clock of a machine may be set back a little at any time.
      for (const [index, time] of order.entries())
        assert.ok(time >= (order[index - 1] ?? 0) - 1000, String(order));
      await held.letGo();
    });

    test('[CLD-4] lists are filtered by state, workflow and kind of output, and sorted', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const picture = await finish(api, pictureWorkflow(), {
        extra_data: { extra_pnginfo: { workflow: { id: 'saved' } } },
      });
      const failed = await finish(api, failingWorkflow(), { workflow_id: 'saved as well' });
      const text = await finish(api, textWorkflow());
      const held = await runHeld(server.current, api);
      const waiting = await submit(api, textWorkflow());
      const cancelled = await submit(api, textWorkflow());
      await api.post(`/api/jobs/${cancelled.prompt_id}/cancel`);
      const ids = [cancelled, waiting, held, text, failed, picture].map(({ prompt_id: id }) => id);
      const [cancelledId = '', waitingId = '', heldId = '', textId = '', failedId = '', pictureId = ''] = ids;
      for (const [query, expected] of [
        ['', ids],
        ['status=', ids],
        ['status=completed', [textId, pictureId]],
        ['status=pending', [waitingId]],
        ['status=in_progress', [heldId]],
        ['status=cancelled,%20failed', [cancelledId, failedId]],
        ['output_type=image', [pictureId]],
        ['output_type=video', []],
        ['output_type=image&status=failed', []],
        ['workflow_id=saved', [pictureId]],
        ['workflow_id=save', []],
        ['sort_by=created_at&sort_order=asc', ids.toReversed()],
        ['sort_by=create_time&sort_order=desc', ids],
        ['limit=2&offset=1', ids.slice(1, 3)],
        ['unknown=x', ids],
      ] as const) {
        assert.deepEqual(await listed(api, query), expected, query);
      }
      const durations = async (query: string) =>
        (await page(api, `status=completed,failed,cancelled&${query}`)).jobs.map(
          ({ execution_start_time: began, execution_end_time: ended = 0 }) =>
            began === undefined ? 0 : ended - began,
        );
      const rising = await durations('sort_by=execution_duration&sort_order=asc');
      assert.deepEqual(
        rising,
        rising.toSorted((left, right) => left - right),
      );
      assert.deepEqual(await durations('sort_by=execution_time'), rising.toReversed());
      await api.post('/api/jobs/cancel', { job_ids: [waitingId, heldId] });
    });

    for (const query of [
      'status=done',
      'status=completed,',
      'status=pending&status=failed',
      'output_type=text',
      'sort_by=name',
      'sort_order=up',
      'limit=0',
      'limit=1001',
      'limit=1e2',
      'limit=',
      'offset=-1',
      'offset=x',
      'after=',
      'after=nonsense',
      'after=%00',
      `after=${'a'.repeat(9000)}`,
    ]) {
      test(`[CLD-4] [CLD-5] ${query.slice(0, 40)} gets 400 and a sentence`, async () => {
        const caller = client(server.current.url, { apiKey: server.current.admin.api_key });
        const { status, body } = await caller.get(`/api/jobs?${query}`);
        assert.equal(status, 400);
        assertShape(body, 'code');
      });
    }

    test('[CLD-5] pages that follow a cursor have each job once, whatever arrives meanwhile', async () => {
      const { api } = await newSubmitter(server.current);
      const ids: string[] = [];
      for (let n = 0; n < 5; n += 1) ids.unshift((await submit(api, textWorkflow())).prompt_id);
      const seen: string[] = [];
      const cursors: string[] = [];
      for (;;) {
        const after = cursors.at(-1);
        const query = `limit=2&offset=1000&after=${after}`;
        const { jobs, pagination } = await page(api, after === undefined ? 'limit=2' : query);
        seen.push(...jobs.map(({ id }) => id));
        assert.equal(pagination.offset, 0);
        assert.equal(pagination.has_more, pagination.next_cursor !== undefined);
        if (pagination.next_cursor === undefined) break;
        cursors.push(pagination.next_cursor);
        await submit(api, textWorkflow());
      }
      assert.deepEqual(seen, ids);
      const [cursor = ''] = cursors;
      for (const query of [
        `sort_order=asc&after=${cursor}`,
        `after=${cursor.slice(2)}`,
        `after=x${cursor}`,
      ]) {
        assert.equal((await api.get(`/api/jobs?${query}`)).status, 400, query);
      }
      const byDuration = await page(api, `sort_by=execution_time&limit=1&after=${cursor}`);
      assert.deepEqual(
        [byDuration.pagination.has_more, byDuration.pagination.next_cursor],
        [true, undefined],
      );
    });

    test('[CLD-6] the total has at once what was submitted and what was hidden', async () => {
      const { api } = await newSubmitter(server.current);
      const total = async (query = '') => (await page(api, query)).pagination.total;
      assert.equal(await total(), 0);
      const { prompt_id: id } = await finish(api, textWorkflow());
      assert.deepEqual([await total(), await total('status=completed')], [1, 1]);
      await finish(api, textWorkflow());
      assert.equal(await total('status=completed&limit=1'), 2);
      await api.post('/history', { delete: [id] });
      assert.deepEqual([await total(), await total('status=completed')], [1, 1]);
    });

    test('[CLD-6] [CLD-30] the total has every job once, also one that is just ending', async () => {
      const { api } = await newSubmitter(server.current);
      for (let count = 1; count <= 20; count += 1) {
        await submit(api, textWorkflow(`job ${count}`));
        for (let read = 0; read < 3; read += 1)
          assert.equal((await page(api, 'limit=1')).pagination.total, count);
      }
    });

    test('[CLD-7] one job has its workflow and, once it has ended, all that came of it', async () => {
      const { api } = await newSubmitter(server.current);
      const prompt = pictureWorkflow();
      const good = await finish(api, prompt, { extra_data: { note: 'mine' } });
      const job = await detail(api, good.prompt_id);
      assert.deepEqual(job.workflow.prompt, prompt);
      assert.partialDeepStrictEqual(job.workflow.extra_data, { note: 'mine' });
      assert.deepEqual(job.outputs, good.outputs);
      assert.partialDeepStrictEqual(job.execution_status, { status_str: 'success', completed: true });
      assert.deepEqual(
        job.execution_status?.messages.map(([type]) => type),
        ['execution_start', 'execution_cached', 'execution_success'],
      );
      assert.partialDeepStrictEqual(job, { execution_meta: { 2: { node_id: '2' } }, priority: good.number });
      const [inList] = (await page(api)).jobs;
      assert.partialDeepStrictEqual(job, inList ?? {});
      const bad = await finish(api, failingWorkflow());
      const failed = await detail(api, bad.prompt_id);
      assert.partialDeepStrictEqual(failed.execution_status, { status_str: 'error', completed: false });
      assert.partialDeepStrictEqual(failed.execution_error, { node_id: '2', node_type: 'ImageToMask' });
    });

    test('[CLD-7] [CLD-8] a job that runs shows what it has put out so far', async () => {
      const { api } = await newSubmitter(server.current);
      const held = await runHeld(server.current, api);
      const deadline = AbortSignal.timeout(PATIENCE_MS);
      let job = await detail(api, held.prompt_id);
      while (job.outputs?.['2'] === undefined) {
        assert.ok(!deadline.aborted, JSON.stringify(job));
        job = await detail(api, held.prompt_id);
      }
      assert.deepEqual(Object.keys(job.outputs), ['2']);
      assert.equal(job.status, 'in_progress');
      assert.equal(job.execution_status, undefined);
      await held.letGo();
      await untilStatus(api, held.prompt_id);
      assert.deepEqual(Object.keys((await detail(api, held.prompt_id)).outputs ?? {}), ['2', '3']);
    });

    test('[CLD-9] a job that waits knows its place, and when it begins if anything is known', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const held = await runHeld(server.current, api);
      const [first, second] = [await submit(api, textWorkflow()), await submit(api, textWorkflow())];
      const places = async () => [await detail(api, first.prompt_id), await detail(api, second.prompt_id)];
      const unknown = await places();
      assert.deepEqual(
        unknown.map(({ queue_position: place }) => place),
        [1, 2],
      );
      assert.ok(unknown.every((job) => job.estimated_start_in_ms === undefined));
      assert.equal((await detail(api, held.prompt_id)).queue_position, undefined);
      const next = await submitHeld(server.current, api);
      await held.letGo();
      await untilStatus(api, second.prompt_id);
      await untilStatus(api, next.prompt_id, ['in_progress']);
      const third = await submit(api, textWorkflow());
      const known = await detail(api, third.prompt_id);
      assert.equal(known.queue_position, 1);
      assert.partialDeepStrictEqual(known.estimate_based_on, { recent_jobs: 3, running: 1 });
      // The longer the one before it runs, the later: it is not a usual one any more.
      assert.ok((known.estimated_start_in_ms ?? -1) > 0);
      await new Promise((resolve) => setTimeout(resolve, (known.estimate_based_on?.median_ms ?? 0) + 50));
      assert.ok(((await detail(api, third.prompt_id)).estimated_start_in_ms ?? -1) > 0);
      await api.post('/api/jobs/cancel', { job_ids: [next.prompt_id, third.prompt_id] });
    });

    test('[CLD-13] a job is cancelled once, waiting or running, and cancelling may be repeated', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const held = await runHeld(server.current, api);
      const waiting = await submit(api, textWorkflow());
      for (const id of [waiting.prompt_id, held.prompt_id]) {
        // What comfy-cli sends: an empty body under the type that its library announces by default.
        const headers = { 'content-type': 'application/x-www-form-urlencoded' };
        const cancel = async () =>
          (await api.request('POST', `/api/jobs/${id}/cancel`, { headers, body: '' })).body;
        assert.deepEqual([await cancel(), await cancel()], [{ cancelled: true }, { cancelled: false }]);
        assert.equal(await statusOf(api, id), 'cancelled');
        const { execution_status: status, outputs } = await detail(api, id);
        assert.partialDeepStrictEqual(status, { status_str: 'error', completed: false });
        assert.ok(outputs);
      }
      for (const odd of ['x', `urn:uuid:${held.prompt_id}`]) {
        const { status, body } = await api.post(`/api/jobs/${odd}/cancel`);
        assert.equal(status, 400);
        assertShape(body, 'code');
      }
    });

    test('[CLD-14] several are cancelled together, and none when one is not the caller’s', async () => {
      const [ada, bob] = [await newSubmitter(server.current, 'standard'), await newSubmitter(server.current)];
      const ended = await finish(ada.api, textWorkflow());
      const held = await runHeld(server.current, ada.api);
      const waiting = await submit(ada.api, textWorkflow());
      const foreign = await finish(bob.api, textWorkflow());
      const own = [held.prompt_id, waiting.prompt_id];
      for (const stranger of [foreign.prompt_id, randomUUID()]) {
        const refused = await ada.api.post('/api/jobs/cancel', { job_ids: [...own, stranger] });
        assert.equal(refused.status, 404);
        assertShape(refused.body, 'code');
        assert.ok(String(refused.body['message']).includes(stranger));
      }
      assert.deepEqual(
        [await statusOf(ada.api, held.prompt_id), await statusOf(ada.api, waiting.prompt_id)],
        ['in_progress', 'pending'],
      );
      for (const wrong of [{}, [], { job_ids: [] }, { job_ids: 'x' }, { job_ids: ['x'] }, { job_ids: [1] }]) {
        assert.equal((await ada.api.post('/api/jobs/cancel', wrong)).status, 400, JSON.stringify(wrong));
      }
      const done = await ada.api.post<{ cancelled: string[] }>('/api/jobs/cancel', {
        job_ids: [...own, ended.prompt_id, held.prompt_id],
      });
      assert.deepEqual(done.body.cancelled.toSorted(), own.toSorted());
    });
  },
  { environment: HOLDING },
);
