import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { onEachEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { longWorkflow, textWorkflow } from '../support/workflows.ts';

const LONG = { pictures: 100 };

onEachEngine('cancelling jobs', (server) => {
  test('[JOB-24] a running job ends at once and tells it once, and no other job is touched', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const [one, other] = [await submit(api, longWorkflow(LONG)), await submit(api, longWorkflow(LONG))];
    await watcher.find(
      'progress',
      ({ type, data }) => type === 'progress' && data['prompt_id'] === one.prompt_id,
    );
    const { status, body } = await api.post(`/api/jobs/${one.prompt_id}/cancel`);
    assert.deepEqual([status, body], [200, { cancelled: true }]);
    assert.equal(await statusOf(api, one.prompt_id), 'cancelled');
    await watcher.end(one.prompt_id);
    const told = watcher.about(one.prompt_id).filter(({ type }) => type === 'execution_interrupted');
    assert.equal(told.length, 1);
    assert.equal(told[0]?.data['node_id'], '2');
    assert.match(await statusOf(api, other.prompt_id), /^(?:pending|in_progress)$/);
    await api.post(`/api/jobs/${other.prompt_id}/cancel`);
    const next = await submit(api, textWorkflow());
    assert.equal(await untilStatus(api, next.prompt_id), 'completed');
    const after = watcher.about(one.prompt_id);
    assert.deepEqual(after.at(-1)?.data, { node: null, prompt_id: one.prompt_id });
  });

  test('[JOB-24] a waiting job never runs', async () => {
    const { api, key } = await newSubmitter(server.current, 'standard');
    using watcher = await watch(server.current.url, key);
    const [first, second] = [await submit(api, longWorkflow(LONG)), await submit(api, textWorkflow())];
    const { body } = await api.post(`/api/jobs/${second.prompt_id}/cancel`);
    assert.deepEqual(body, { cancelled: true });
    await api.post(`/api/jobs/${first.prompt_id}/cancel`);
    const third = await submit(api, textWorkflow());
    await watcher.end(third.prompt_id);
    assert.equal(await statusOf(api, second.prompt_id), 'cancelled');
    assert.deepEqual(
      watcher.about(second.prompt_id).map(({ type }) => type),
      ['execution_interrupted', 'executing'],
    );
  });

  test('[JOB-24] a finished job cannot be cancelled, a foreign or unknown one is not found, nonsense is 400', async () => {
    const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
    const { prompt_id } = await submit(ada.api, textWorkflow());
    await untilStatus(ada.api, prompt_id);
    const finished = await ada.api.post(`/api/jobs/${prompt_id}/cancel`);
    assert.deepEqual([finished.status, finished.body], [200, { cancelled: false }]);
    assert.equal(await statusOf(ada.api, prompt_id), 'completed');
    for (const [api, id, expected] of [
      [bob.api, prompt_id, 404],
      [ada.api, randomUUID(), 404],
      [ada.api, 'nonsense', 400],
    ] as const) {
      const { status, body } = await api.post(`/api/jobs/${id}/cancel`);
      assert.equal(status, expected);
      assertShape(body, 'code');
    }
  });

  test('[JOB-24] of several jobs all or none: one unknown id and nothing is cancelled', async () => {
    const { api } = await newSubmitter(server.current);
    const jobs = await Promise.all(
      Array.from({ length: 3 }, async () => await submit(api, longWorkflow(LONG))),
    );
    const ids = jobs.map(({ prompt_id }) => prompt_id);
    const wrong = await api.post('/api/jobs/cancel', { job_ids: [...ids, randomUUID()] });
    assert.equal(wrong.status, 404);
    for (const id of ids) assert.notEqual(await statusOf(api, id), 'cancelled');
    const right = await api.post<{ cancelled: string[] }>('/api/jobs/cancel', { job_ids: ids });
    assert.deepEqual(right.body.cancelled.toSorted(), ids.toSorted());
    const again = await api.post('/api/jobs/cancel', { job_ids: ids });
    assert.deepEqual([again.status, again.body], [200, { cancelled: [] }]);
    for (const job_ids of [[], ['x'], 'x', Array.from({ length: 101 }, () => randomUUID())]) {
      assert.equal((await api.post('/api/jobs/cancel', { job_ids })).status, 400);
    }
  });

  test('[JOB-24] cancelling as jobs end leaves each with one end, told once', async () => {
    const { api, key } = await newSubmitter(server.current);
    using watcher = await watch(server.current.url, key);
    const ids: string[] = [];
    for (let round = 0; round < 60; round += 1) {
      const { prompt_id } = await submit(api, textWorkflow());
      ids.push(prompt_id);
      await new Promise((resolve) => setTimeout(resolve, round % 12));
      await api.post(`/api/jobs/${prompt_id}/cancel`);
    }
    const ends = new Set(['execution_success', 'execution_interrupted', 'execution_error']);
    for (const id of ids) {
      const status = await untilStatus(api, id);
      const end = await watcher.find(
        'an end',
        ({ type, data }) => ends.has(type) && data['prompt_id'] === id,
      );
      assert.equal(end.type, status === 'cancelled' ? 'execution_interrupted' : 'execution_success');
      assert.equal(watcher.about(id).filter(({ type }) => ends.has(type)).length, 1);
    }
  });

  for (const path of ['/interrupt', '/api/interrupt']) {
    test(`[JOB-24] ${path} with a prompt_id ends that job only if it runs`, async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const [first, second] = [await submit(api, longWorkflow(LONG)), await submit(api, longWorkflow(LONG))];
      await untilStatus(api, first.prompt_id, ['in_progress']);
      assert.equal((await api.post(path, { prompt_id: second.prompt_id })).status, 200);
      assert.equal(await statusOf(api, second.prompt_id), 'pending');
      assert.equal((await api.post(path, { prompt_id: first.prompt_id })).status, 200);
      assert.equal(await untilStatus(api, first.prompt_id), 'cancelled');
      await api.post(`/api/jobs/${second.prompt_id}/cancel`);
    });
  }
});
