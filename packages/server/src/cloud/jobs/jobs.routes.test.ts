import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { JobAssetPage, JobDetail, JobPage, JobState } from '@atelier/contracts';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { encodeCursor } from '../../platform/http/cursor.ts';
import { aJob } from './test/a-job.ts';
import { type JobsServer, startJobsServer } from './test/jobs-server.ts';

const BIG = '18446744073709551615';

onEachDatabase('jobs over HTTP', (db) => {
  let server: JobsServer;
  before(async () => {
    server = await startJobsServer(db());
  });
  after(async () => {
    await server.app.close();
  });
  const newUser = async () => (await aUser(db())).id;
  const statusOf = async (user: string, url: string) => (await server.ask(user, url)).status;
  const idsOf = ({ jobs }: JobPage) => jobs.map(({ id }) => id);

  it('[CLD-2] show their state, and what went wrong', async () => {
    const user = await newUser();
    const plain = await aJob(db(), { user_id: user, status: 'pending', updated_at: 1500 });
    assert.deepEqual(await server.read<JobState>(user, `/api/job/${plain.id}/status`), {
      id: plain.id,
      status: 'pending',
      created_at: '1970-01-01T00:00:01.000Z',
      updated_at: '1970-01-01T00:00:01.500Z',
      last_state_update: '1970-01-01T00:00:01.500Z',
    });
    const error = '{"exception_type":"OOMError"}';
    const failed = await aJob(db(), { user_id: user, status: 'failed', error, runner: 'a' });
    const ended = await server.read<JobState>(user, `/api/job/${failed.id}/status`);
    assert.deepEqual([ended.error_message, ended.assigned_inference], [error, undefined]);
    const running = await aJob(db(), { user_id: user, status: 'in_progress', runner: 'a' });
    const now = await server.read<JobState>(user, `/api/job/${running.id}/status`);
    assert.deepEqual([now.error_message, now.assigned_inference], [undefined, 'a']);
  });

  it('[CLD-1] [CLD-2] [CLD-7] [CLD-10] are not there for others, and neither are unknown ones', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { id } = await aJob(db(), { user_id: user });
    for (const path of [`/api/job/${id}/status`, `/api/jobs/${id}`, `/api/jobs/${id}/assets`]) {
      assert.equal(await statusOf(user, path), 200);
      const foreign = await server.ask(other, path);
      assert.equal(foreign.status, 404);
      const unknown = await server.ask(user, path.replace(id, randomUUID()));
      assert.deepEqual(Object.keys(JSON.parse(unknown.body) as object), ['code', 'message']);
      assert.equal(await statusOf(user, path.replace(id, 'no-uuid')), 404);
      assert.equal(await statusOf(user, path.replace(id, id.toUpperCase())), 404);
    }
  });

  it('[CLD-3] [CLD-11] are listed without nulls, with their numbers exact', async () => {
    const user = await newUser();
    const preview = `{"filename":"a.png","nodeId":"9","seed":${BIG}}`;
    const { id, seq } = await aJob(db(), {
      user_id: user,
      preview_output: preview,
      outputs_count: 2,
      previewable_outputs_count: 1,
      workflow_id: '"quoted"\n',
    });
    const { body } = await server.ask(user, '/api/jobs');
    assert.ok(body.includes(`"preview_output":${preview}`), body);
    const [job] = (JSON.parse(body) as JobPage).jobs;
    assert.deepEqual(
      { ...job, preview_output: undefined },
      {
        id,
        status: 'completed',
        priority: seq,
        create_time: 1000,
        execution_start_time: 2000,
        execution_end_time: 3000,
        outputs_count: 2,
        previewable_outputs_count: 1,
        preview_output: undefined,
        workflow_id: '"quoted"\n',
      },
    );
    const waiting = await newUser();
    await aJob(db(), { user_id: waiting, status: 'pending' });
    const [pending = {}] = (await server.read<JobPage>(waiting, '/api/jobs')).jobs;
    assert.deepEqual(Object.keys(pending), [
      'id',
      'status',
      'priority',
      'create_time',
      'outputs_count',
      'previewable_outputs_count',
    ]);
  });

  it('[CLD-4] are listed by state, workflow, kind of output and duration', async () => {
    const user = await newUser();
    const video = await aJob(db(), {
      user_id: user,
      output_types: ' video ',
      execution_ms: 5,
      workflow_id: 'w',
    });
    const failed = await aJob(db(), { user_id: user, status: 'failed', output_types: ' video ' });
    const waiting = await aJob(db(), { user_id: user, status: 'pending' });
    const list = async (query: string) => idsOf(await server.read<JobPage>(user, `/api/jobs?${query}`));
    assert.deepEqual(await list('status='), [waiting.id, failed.id, video.id]);
    assert.deepEqual(await list('status=completed,%20failed'), [failed.id, video.id]);
    assert.deepEqual(await list('output_type=video'), [video.id]);
    assert.deepEqual(await list('output_type=video&status=failed'), []);
    assert.deepEqual(await list('workflow_id=w'), [video.id]);
    for (const word of ['execution_duration', 'execution_time']) {
      assert.deepEqual(await list(`sort_by=${word}`), [failed.id, video.id, waiting.id]);
    }
    for (const word of ['created_at', 'create_time']) {
      assert.deepEqual(await list(`sort_by=${word}&sort_order=asc`), [video.id, failed.id, waiting.id]);
    }
  });

  it('[CLD-4] [CLD-5] refuse invalid queries', async () => {
    const user = await newUser();
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
      'after=',
      'after=nonsense',
      `after=${encodeCursor({ sort: 'create_time', order: 'asc', value: '5', id: 'x' })}`,
      `after=${encodeCursor({ sort: 'create_time', order: 'desc', value: 'x', id: 'x' })}`,
      `after=${'a'.repeat(9000)}`,
    ]) {
      const { status, body } = await server.ask(user, `/api/jobs?${query}`);
      assert.equal(status, 400, `${query.slice(0, 60)}: ${body}`);
      assert.equal((JSON.parse(body) as { code: string }).code, 'request.invalid');
    }
  });

  it('[CLD-5] are paged, each exactly once, whatever arrives meanwhile', async () => {
    const user = await newUser();
    const ids: string[] = [];
    for (let count = 0; count < 5; count += 1) ids.unshift((await aJob(db(), { user_id: user })).id);
    const seen: string[] = [];
    let cursor = '';
    do {
      const { jobs, pagination } = await server.read<JobPage>(user, `/api/jobs?limit=2&offset=0${cursor}`);
      seen.push(...jobs.map(({ id }) => id));
      assert.equal(pagination.has_more, pagination.next_cursor !== undefined);
      cursor = pagination.next_cursor === undefined ? '' : `&after=${pagination.next_cursor}`;
      await aJob(db(), { user_id: user });
    } while (cursor !== '');
    assert.deepEqual(seen, ids);
    const { pagination } = await server.read<JobPage>(user, '/api/jobs?limit=3&offset=2');
    assert.partialDeepStrictEqual(pagination, { offset: 2, limit: 3, total: 8, has_more: true });
    const byTime = await server.read<JobPage>(
      user,
      '/api/jobs?sort_by=execution_time&limit=1&after=nonsense',
    );
    assert.deepEqual(byTime.pagination, { offset: 0, limit: 1, total: 8, has_more: true });
  });

  it('[CLD-7] [CLD-11] are shown in full once they have ended', async () => {
    const user = await newUser();
    const events = [
      { id: '1-1', type: 'execution_start', data: { prompt_id: 'p', timestamp: 1 } },
      { id: '1-2', type: 'executed', data: { node: '9' } },
      { id: '1-3', type: 'execution_error', data: { current_inputs: { seed: ['BIG'] } } },
    ];
    const graph = `{"3":{"class_type":"K","inputs":{"seed":${BIG},"cfg":1e-7}}}`;
    const { id } = await aJob(
      db(),
      { user_id: user, status: 'failed', error: '{"exception_type":"X"}', updated_at: 4000 },
      {
        graph,
        outputs: '{"9":{"images":[]}}',
        meta: '{"9":{"node_id":"9"}}',
        events: JSON.stringify(events).replace('"BIG"', BIG),
      },
    );
    const { body } = await server.ask(user, `/api/jobs/${id}`);
    assert.ok(body.includes(`"workflow":{"prompt":${graph},"extra_data":{"create_time":1000}}`), body);
    assert.ok(body.includes(`["execution_error",{"current_inputs":{"seed":[${BIG}]}}]`), body);
    const job = JSON.parse(body) as JobDetail;
    assert.partialDeepStrictEqual(job, {
      status: 'failed',
      update_time: 4000,
      outputs: { 9: { images: [] } },
      execution_meta: { 9: { node_id: '9' } },
      execution_error: { exception_type: 'X' },
      execution_status: { status_str: 'error', completed: false },
    });
    const told = job.execution_status?.messages.map(([type]) => type);
    assert.deepEqual(told, ['execution_start', 'execution_error']);
  });

  it('[CLD-7] that were cancelled before they started have ended without outputs', async () => {
    const user = await newUser();
    const { id, seq } = await aJob(db(), { user_id: user, status: 'cancelled', started_at: null });
    await db().deleteFrom('job_results').where('job_seq', '=', seq).execute();
    const job = await server.read<JobDetail>(user, `/api/jobs/${id}`);
    assert.deepEqual(job.outputs, {});
    assert.deepEqual(job.execution_status, { status_str: 'error', completed: false, messages: [] });
  });

  it('[CLD-8] show their outputs so far while they run', async () => {
    const user = await newUser();
    const { id } = await aJob(db(), { user_id: user, status: 'in_progress' });
    assert.equal((await server.read<JobDetail>(user, `/api/jobs/${id}`)).outputs, undefined);
    server.live.set(id, { 9: { text: ['so far'], seed: [2n ** 64n] } });
    const { body } = await server.ask(user, `/api/jobs/${id}`);
    assert.match(body, /"outputs":\{"9":\{"text":\["so far"\],"seed":\[18446744073709551616\]\}\}/);
    assert.equal((JSON.parse(body) as JobDetail).execution_status, undefined);
  });

  it('[CLD-9] show their queue position, and an estimated start once there is a basis for it', async () => {
    const user = await newUser();
    const first = await aJob(db(), { user_id: user, status: 'pending' });
    const second = await aJob(db(), { user_id: user, status: 'pending' });
    await aJob(db(), { user_id: await newUser(), status: 'pending' });
    const detail = async (id: string) => await server.read<JobDetail>(user, `/api/jobs/${id}`);
    assert.equal((await detail(first.id)).queue_position, 1);
    assert.equal((await detail(second.id)).queue_position, 2);
    assert.equal((await detail(second.id)).estimated_start_in_ms, undefined);
    await aJob(db(), { user_id: user, execution_ms: 5000 });
    await aJob(db(), { user_id: user, status: 'in_progress', started_at: server.time.now - 1000 });
    assert.partialDeepStrictEqual(await detail(second.id), {
      queue_position: 2,
      estimated_start_in_ms: 9000,
      estimate_based_on: { recent_jobs: 1, median_ms: 5000, running: 1 },
    });
  });

  it('[CLD-10] list their existing files while they run', async () => {
    const user = await newUser();
    const { id } = await aJob(db(), { user_id: user, status: 'in_progress' });
    const asset = {
      user_id: user,
      folder: 'output',
      subfolder: '',
      name: 'a.png',
      content_hash: 'c'.repeat(64),
      blake3: 'b'.repeat(64),
      size: 5,
      media_type: 'image/png',
      user_metadata: '{}',
      metadata: '{}',
      preview_id: null,
      job_id: id,
      node_id: '9',
      output_key: 'images',
      output_index: 0,
      updated_at: 0,
      last_access_at: 0,
    } as const;
    const { now } = server.time;
    const rows = [
      { ...asset, id: randomUUID(), file_name: 'b.png', created_at: 2, expires_at: now + 1 },
      { ...asset, id: randomUUID(), file_name: 'a.png', created_at: 1, expires_at: null },
      { ...asset, id: randomUUID(), file_name: 'gone.png', created_at: 3, expires_at: now },
      {
        ...asset,
        id: randomUUID(),
        file_name: 'other.png',
        created_at: 3,
        expires_at: null,
        job_id: 'other',
      },
    ];
    await db().insertInto('assets').values(rows).execute();
    const { job_id, assets, pagination } = await server.read<JobAssetPage>(
      user,
      `/api/jobs/${id}/assets?limit=1`,
    );
    assert.deepEqual([job_id, pagination], [id, { limit: 1, offset: 0, total: 2, has_more: true }]);
    assert.deepEqual(assets, [
      {
        id: rows[1]?.id,
        name: 'a.png',
        hash: `blake3:${'b'.repeat(64)}`,
        mime_type: 'image/png',
        size: 5,
        preview_url: `https://files.example/${'c'.repeat(64)}`,
        created_at: '1970-01-01T00:00:00.001Z',
        node_id: '9',
        output_key: 'images',
        output_index: 0,
      },
    ]);
    const rest = await server.read<JobAssetPage>(user, `/api/jobs/${id}/assets?offset=1`);
    assert.deepEqual([rest.assets.length, rest.pagination.has_more], [1, false]);
    for (const query of ['limit=0', 'limit=501', 'offset=-1', 'limit=x']) {
      assert.equal(await statusOf(user, `/api/jobs/${id}/assets?${query}`), 400, query);
    }
  });

  it('[CLD-13] are cancelled once', async () => {
    const [user, other] = [await newUser(), await newUser()];
    const { id } = await aJob(db(), { user_id: user, status: 'in_progress' });
    const cancel = async (who: string, job: string) =>
      await server.ask(who, `/api/jobs/${job}/cancel`, { method: 'POST' });
    assert.equal((await cancel(other, id)).status, 404);
    assert.equal((await cancel(user, randomUUID())).status, 404);
    for (const odd of ['x', `urn:uuid:${id}`, `${id}x`]) assert.equal((await cancel(user, odd)).status, 400);
    assert.deepEqual(await cancel(user, id), { status: 200, body: '{"cancelled":true}' });
    assert.deepEqual(await cancel(user, id), { status: 200, body: '{"cancelled":false}' });
    const empty = { method: 'POST', headers: { 'content-type': 'application/json' } } as const;
    assert.equal((await server.ask(user, `/api/jobs/${id}/cancel`, empty)).status, 200);
  });

  it('[CLD-14] are cancelled together or not at all', async () => {
    const user = await newUser();
    const waiting = await aJob(db(), { user_id: user, status: 'pending' });
    const running = await aJob(db(), { user_id: user, status: 'in_progress' });
    const ended = await aJob(db(), { user_id: user });
    const foreign = await aJob(db(), { user_id: await newUser(), status: 'pending' });
    const cancel = async (payload: unknown) =>
      await server.ask(user, '/api/jobs/cancel', { method: 'POST', payload: payload as object });
    const refused = await cancel({ job_ids: [waiting.id, foreign.id] });
    assert.equal(refused.status, 404);
    assert.ok(refused.body.includes(foreign.id), refused.body);
    assert.partialDeepStrictEqual(await server.read(user, `/api/job/${waiting.id}/status`), {
      status: 'pending',
    });
    const tooMany = Array.from({ length: 101 }, () => randomUUID());
    for (const body of [
      {},
      [],
      { job_ids: [] },
      { job_ids: 'x' },
      { job_ids: ['x'] },
      { job_ids: tooMany },
    ]) {
      assert.equal((await cancel(body)).status, 400, JSON.stringify(body).slice(0, 50));
    }
    const done = await cancel({ job_ids: [waiting.id, ended.id, running.id, waiting.id] });
    const { cancelled } = JSON.parse(done.body) as { cancelled: string[] };
    assert.deepEqual(cancelled.toSorted(), [waiting.id, running.id].toSorted());
  });

  it('are described', async () => {
    const cloud = await server.read<{ paths: Record<string, unknown> }>('', '/api/openapi.json');
    assert.ok('/api/jobs/{job_id}' in cloud.paths);
    const host = await server.read<{ paths: Record<string, unknown> }>('', '/openapi');
    assert.ok('/history/{prompt_id}' in host.paths);
  });
});
