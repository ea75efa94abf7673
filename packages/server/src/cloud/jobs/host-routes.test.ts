import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, it } from 'node:test';
import type { JobPage, JobState } from '@atelier/contracts';

import { aUser } from '../../../test/support/a-user.ts';
import { onEachDatabase } from '../../../test/support/on-each-database.ts';
import { aJob } from './test/a-job.ts';
import { type JobsServer, startJobsServer } from './test/jobs-server.ts';

const FORMS = ['', '/api'];
const PROMPT = [{ 9: { class_type: 'SaveImage', inputs: {} } }, { create_time: 1000 }, ['9']];
type Item = readonly [number, string, ...unknown[]];
interface Queue {
  readonly queue_running: readonly Item[];
  readonly queue_pending: readonly Item[];
}

onEachDatabase('queue and history over HTTP', (db) => {
  let server: JobsServer;
  before(async () => {
    server = await startJobsServer(db());
  });
  after(async () => {
    await server.app.close();
  });
  const newUser = async () => (await aUser(db())).id;
  const stateOf = async (user: string, id: string) =>
    (await server.read<JobState>(user, `/api/job/${id}/status`)).status;
  const post = async (user: string, url: string, payload: string, type?: string) =>
    await server.ask(user, url, {
      method: 'POST',
      payload,
      headers: type === undefined ? {} : { 'content-type': type },
    });

  it('[CLD-15] show how many jobs remain', async () => {
    const user = await newUser();
    const none = { exec_info: { queue_remaining: 0 } };
    for (const form of FORMS) assert.deepEqual(await server.read(user, `${form}/prompt`), none);
    const line = { user_id: user, waiting: 3, running: 2, max_running: 2, last_started: 0 };
    await db().insertInto('job_queues').values(line).execute();
    const five = { exec_info: { queue_remaining: 5 } };
    for (const form of FORMS) assert.deepEqual(await server.read(user, `${form}/prompt`), five);
  });

  it('[CLD-16] show what runs and what waits, and nothing of others', async () => {
    const user = await newUser();
    const empty = { queue_running: [], queue_pending: [] };
    for (const form of FORMS) assert.deepEqual(await server.read(user, `${form}/queue`), empty);
    const running = await aJob(db(), { user_id: user, status: 'in_progress' });
    const first = await aJob(db(), { user_id: user, status: 'pending' });
    const second = await aJob(db(), { user_id: user, status: 'pending' });
    await aJob(db(), { user_id: user });
    await aJob(db(), { user_id: await newUser(), status: 'pending' });
    for (const form of FORMS) {
      const queue = await server.read<Queue>(user, `${form}/queue`);
      assert.deepEqual(queue.queue_running, [[running.seq, running.id, ...PROMPT]]);
      assert.deepEqual(
        queue.queue_pending.map(([, id]) => id),
        [first.id, second.id],
      );
    }
  });

  it('[CLD-11] [CLD-16] send workflows of any size, whole', async () => {
    const user = await newUser();
    const seed = '18446744073709551615';
    for (let count = 0; count < 20; count += 1) {
      const graph = `{"1":{"inputs":{"text":"${'x'.repeat(20_000)}é","seed":${seed}}}}`;
      await aJob(db(), { user_id: user, status: 'pending' }, { graph });
    }
    const { body } = await server.ask(user, '/queue');
    assert.equal((JSON.parse(body) as Queue).queue_pending.length, 20);
    assert.equal(body.split(`é","seed":${seed}`).length, 21);
  });

  it('[CLD-17] cancel the named jobs, and all waiting ones on clear', async () => {
    for (const form of FORMS) {
      const user = await newUser();
      const [other, running, named, waiting, ended] = [
        await aJob(db(), { user_id: await newUser(), status: 'pending' }),
        await aJob(db(), { user_id: user, status: 'in_progress' }),
        await aJob(db(), { user_id: user, status: 'in_progress' }),
        await aJob(db(), { user_id: user, status: 'pending' }),
        await aJob(db(), { user_id: user }),
      ];
      const ids = [named.id, other.id, ended.id, randomUUID(), 'x'];
      const deleted = await server.send(user, `${form}/queue`, { delete: ids, clear: null });
      assert.deepEqual(deleted, { deleted: [named.id], cleared: false });
      assert.equal(await stateOf(user, waiting.id), 'pending');
      const cleared = await server.send(user, `${form}/queue`, { clear: true });
      assert.deepEqual(cleared, { deleted: [], cleared: true });
      assert.equal(await stateOf(user, waiting.id), 'cancelled');
      assert.equal(await stateOf(user, running.id), 'in_progress');
      assert.equal(await stateOf(user, ended.id), 'completed');
      assert.deepEqual(await server.send(user, `${form}/queue`, {}), { deleted: [], cleared: false });
    }
  });

  it('[CLD-17] [CLD-24] refuse invalid bodies, and read JSON of any content type', async () => {
    const user = await newUser();
    for (const path of ['/queue', '/api/queue', '/history', '/api/history']) {
      for (const body of ['', '[]', 'null', '"x"', '{', '{"delete":"x"}', '{"delete":[1]}', '{"clear":1}']) {
        const { status, body: text } = await post(user, path, body, 'application/json');
        assert.equal(status, 400, `${path} ${body}`);
        assert.match(text, /^\{"code":"request\./);
      }
      const tooMany = JSON.stringify({ delete: Array.from({ length: 1001 }, () => 'x') });
      assert.equal((await post(user, path, tooMany, 'application/json')).status, 400);
      for (const type of [
        'application/x-www-form-urlencoded',
        'application/octet-stream',
        'json',
        undefined,
      ]) {
        assert.equal((await post(user, path, '{"delete":[]}', type)).status, 200, `${path} ${type}`);
      }
      const unstorable = String.raw`{"delete":["\u0000","\ud800"]}`;
      assert.equal((await post(user, path, unstorable, 'application/json')).status, 400);
    }
  });

  it('[CLD-18] interrupt the named job if it runs, and no other', async () => {
    for (const form of FORMS) {
      const user = await newUser();
      const first = await aJob(db(), { user_id: user, status: 'in_progress' });
      const second = await aJob(db(), { user_id: user, status: 'in_progress' });
      const waiting = await aJob(db(), { user_id: user, status: 'pending' });
      const foreign = await aJob(db(), { user_id: await newUser(), status: 'in_progress' });
      for (const prompt_id of [waiting.id, foreign.id, randomUUID(), 'x', 5, [first.id], { $ne: '' }, true]) {
        assert.equal(await server.send(user, `${form}/interrupt`, { prompt_id }), undefined);
      }
      assert.equal(await stateOf(user, first.id), 'in_progress');
      await server.send(user, `${form}/interrupt`, { prompt_id: first.id });
      assert.equal(await stateOf(user, first.id), 'cancelled');
      assert.equal(await stateOf(user, second.id), 'in_progress');
      assert.equal(await stateOf(user, waiting.id), 'pending');
    }
  });

  it('[CLD-18] interrupt all running jobs when none is named', async () => {
    const other = await newUser();
    const foreign = await aJob(db(), { user_id: other, status: 'in_progress' });
    for (const body of ['', '{', '{}', '[]', 'null', '{"prompt_id":null}', '{"prompt_id":""}']) {
      for (const form of FORMS) {
        const user = await newUser();
        const running = await aJob(db(), { user_id: user, status: 'in_progress' });
        const waiting = await aJob(db(), { user_id: user, status: 'pending' });
        const answer = await post(user, `${form}/interrupt`, body, 'application/json');
        assert.deepEqual(answer, { status: 200, body: '' }, body);
        assert.equal(await stateOf(user, running.id), 'cancelled', body);
        assert.equal(await stateOf(user, waiting.id), 'pending');
      }
    }
    const user = await newUser();
    assert.equal((await server.ask(user, '/interrupt', { method: 'POST' })).status, 200);
    assert.equal(await stateOf(other, foreign.id), 'in_progress');
  });

  it('[CLD-19] free what the caller asks for', async () => {
    const user = await newUser();
    await server.send(user, '/free', { unload_models: true, free_memory: null });
    await server.send(user, '/api/free', { free_memory: true });
    assert.equal((await server.ask(user, '/free', { method: 'POST' })).status, 200);
    assert.deepEqual(server.freed.splice(0), [
      { userId: user, freeMemory: false },
      { userId: user, freeMemory: true },
      { userId: user, freeMemory: false },
    ]);
    assert.equal((await post(user, '/free', '{"free_memory":"yes"}', 'application/json')).status, 400);
  });

  it('[CLD-20] [CLD-21] have each job that has ended, oldest first', async () => {
    const user = await newUser();
    const events = '[{"id":"1-1","type":"execution_start","data":{"prompt_id":"p","timestamp":1}}]';
    const first = await aJob(
      db(),
      { user_id: user },
      { outputs: '{"9":{"images":[]}}', meta: '{"9":{}}', events },
    );
    await aJob(db(), { user_id: user, status: 'in_progress' });
    const second = await aJob(db(), { user_id: user, status: 'failed' });
    const third = await aJob(db(), { user_id: user, status: 'cancelled' });
    await aJob(db(), { user_id: user, hidden: 1 });
    await aJob(db(), { user_id: await newUser() });
    for (const form of FORMS) {
      const history = await server.read<Record<string, unknown>>(user, `${form}/history`);
      assert.deepEqual(Object.keys(history), [first.id, second.id, third.id]);
      assert.deepEqual(history[first.id], {
        prompt: [first.seq, first.id, ...PROMPT],
        outputs: { 9: { images: [] } },
        status: {
          status_str: 'success',
          completed: true,
          messages: [['execution_start', { prompt_id: 'p', timestamp: 1 }]],
        },
        meta: { 9: {} },
      });
      for (const { id } of [second, third]) {
        assert.partialDeepStrictEqual(history[id], { status: { status_str: 'error', completed: false } });
      }
      const keys = async (query: string) => Object.keys(await server.read(user, `${form}/history?${query}`));
      assert.deepEqual(await keys('max_items=2'), [second.id, third.id]);
      assert.deepEqual(await keys('max_items=0'), []);
      assert.deepEqual(await keys('max_items=9000000'), [first.id, second.id, third.id]);
      assert.deepEqual(await keys('max_items=1&offset=0'), [first.id]);
      assert.deepEqual(await keys('offset=1'), [second.id, third.id]);
      assert.deepEqual(await keys('offset=7'), []);
      assert.deepEqual(await keys('offset=-1&max_items=1'), [third.id]);
      for (const query of ['max_items=x', 'max_items=-1', 'offset=1.5', 'max_items=']) {
        assert.equal((await server.ask(user, `${form}/history?${query}`)).status, 400, query);
      }
    }
  });

  it('[CLD-22] replace an entry by the requested part', async () => {
    const user = await newUser();
    const { id } = await aJob(db(), { user_id: user }, { outputs: '{"9":{"text":["a"]}}' });
    const status = { status_str: 'success', completed: true, messages: [] };
    for (const form of FORMS) {
      for (const path of [`${form}/history`, `${form}/history/${id}`]) {
        assert.deepEqual(await server.read(user, `${path}?map_function=outputs`), {
          [id]: { 9: { text: ['a'] } },
        });
        assert.deepEqual(await server.read(user, `${path}?map_function=status`), { [id]: status });
        assert.equal((await server.ask(user, `${path}?map_function=prompt`)).status, 400);
      }
    }
  });

  it('[CLD-23] have nothing for a job that has not ended, is hidden, unknown or not the caller’s', async () => {
    const user = await newUser();
    const ended = await aJob(db(), { user_id: user });
    const none = [
      await aJob(db(), { user_id: user, status: 'pending' }),
      await aJob(db(), { user_id: user, status: 'in_progress' }),
      await aJob(db(), { user_id: user, hidden: 1 }),
      await aJob(db(), { user_id: await newUser() }),
      { id: randomUUID() },
      { id: '__proto__' },
    ];
    for (const form of FORMS) {
      const found = await server.read<Record<string, object>>(user, `${form}/history/${ended.id}`);
      assert.deepEqual(Object.keys(found[ended.id] ?? {}), ['prompt', 'outputs', 'status', 'meta']);
      for (const { id } of none) assert.deepEqual(await server.read(user, `${form}/history/${id}`), {});
    }
  });

  it('[CLD-24] hide ended jobs, but still show them by id', async () => {
    for (const form of FORMS) {
      const [user, other] = [await newUser(), await newUser()];
      const [first, second] = [await aJob(db(), { user_id: user }), await aJob(db(), { user_id: user })];
      const open = await aJob(db(), { user_id: user, status: 'pending' });
      const foreign = await aJob(db(), { user_id: other });
      const listed = async (who: string) =>
        (await server.read<JobPage>(who, '/api/jobs?sort_order=asc')).jobs.map(({ id }) => id);
      const ids = [first.id, foreign.id, open.id, 'x'];
      assert.equal(await server.send(user, `${form}/history`, { delete: ids }), undefined);
      assert.deepEqual(await listed(user), [second.id, open.id]);
      assert.equal((await server.read<JobPage>(user, '/api/jobs')).pagination.total, 2);
      await server.send(user, `${form}/history`, { clear: true });
      assert.deepEqual(await listed(user), [open.id]);
      assert.deepEqual(await server.read(user, '/api/history_v2'), { history: [] });
      assert.deepEqual(await listed(other), [foreign.id]);
      assert.equal(await stateOf(user, first.id), 'completed');
      assert.equal((await server.ask(user, `/api/jobs/${first.id}`)).status, 200);
    }
  });

  it('[CLD-24] hide more jobs than one slice has', async () => {
    const user = await newUser();
    const { id } = await aJob(db(), { user_id: user });
    const row = await db().selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
    const { seq: _own, ...columns } = row;
    for (let count = 0; count < 3; count += 1) {
      const rows = Array.from({ length: 400 }, () => ({ ...columns, id: randomUUID() }));
      await db().insertInto('jobs').values(rows).execute();
    }
    await server.send(user, '/history', { clear: true });
    assert.equal((await server.read<JobPage>(user, '/api/jobs')).jobs.length, 0);
  });

  it('[CLD-25] have a newer form, newest first and without workflows', async () => {
    const user = await newUser();
    const first = await aJob(db(), { user_id: user, workflow_id: 'w' });
    const second = await aJob(db(), { user_id: user, status: 'cancelled' });
    await aJob(db(), { user_id: user, status: 'pending' });
    const list = async (query: string) =>
      (await server.read<{ history: { prompt_id: string }[] }>(user, `/api/history_v2?${query}`)).history;
    assert.deepEqual(
      (await list('')).map(({ prompt_id }) => prompt_id),
      [second.id, first.id],
    );
    assert.deepEqual(await list('max_items=1&offset=1'), [
      {
        prompt_id: first.id,
        create_time: 1000,
        workflow_id: 'w',
        prompt: { priority: first.seq, prompt_id: first.id, extra_data: { create_time: 1000 } },
        outputs: {},
        status: { status_str: 'success', completed: true, messages: [] },
        meta: {},
      },
    ]);
    assert.deepEqual(await list('max_items=0'), []);
    for (const query of ['max_items=-1', 'offset=-1', 'offset=x']) {
      assert.equal((await server.ask(user, `/api/history_v2?${query}`)).status, 400, query);
    }
    assert.equal((await server.ask(user, '/history_v2')).status, 404);
  });

  it('[CLD-26] have a newer form of one entry', async () => {
    const user = await newUser();
    const { id, seq } = await aJob(db(), { user_id: user });
    const [prompt, extra_data, outputs_to_execute] = PROMPT;
    assert.deepEqual(await server.read(user, `/api/history_v2/${id}`), {
      [id]: {
        prompt: { priority: seq, prompt_id: id, prompt, extra_data, outputs_to_execute },
        outputs: {},
        status: { status_str: 'success', completed: true, messages: [] },
        meta: {},
      },
    });
    const open = await aJob(db(), { user_id: user, status: 'in_progress' });
    assert.deepEqual(await server.read(user, `/api/history_v2/${open.id}`), {});
    const hidden = await aJob(db(), { user_id: user, hidden: 1 });
    for (const other of [hidden.id, randomUUID(), 'x', (await aJob(db(), { user_id: await newUser() })).id]) {
      assert.equal((await server.ask(user, `/api/history_v2/${other}`)).status, 404);
    }
  });
});
