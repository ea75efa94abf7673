import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JobTimeline } from '@atelier/contracts';

import { finish, newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, submitHeld } from '../support/held-jobs.ts';
import { type Client, client } from '../support/http-client.ts';
import { newClient } from '../support/sdk.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

async function timelineOf(api: Client, id: string): Promise<JobTimeline> {
  const { status, body } = await api.get<JobTimeline>(`/api/jobs/${id}/timeline`);
  assert.equal(status, 200, JSON.stringify(body));
  return body;
}

const statesOf = ({ nodes }: JobTimeline) => nodes.map(({ node_id: id, state }) => `${id} ${state}`);

onAnyEngine(
  'the timeline of a job',
  (server) => {
    test('[CLD-31] it has each node with its type, title and times, and stays after a restart', async () => {
      const { api, key } = await newSubmitter(server.current);
      const [first, second] = Object.entries(pictureWorkflow());
      assert.ok(first && second);
      const workflow = {
        [first[0]]: { ...first[1], _meta: { title: 'Canvas' } },
        [second[0]]: second[1],
      };
      const { prompt_id: id } = await finish(api, workflow);
      const told = await timelineOf(api, id);
      assert.deepEqual(statesOf(told), ['1 finished', '2 finished']);
      assert.deepEqual(
        told.nodes.map(({ class_type, title }) => [class_type, title]),
        [
          ['EmptyImage', 'Canvas'],
          ['SaveImage', undefined],
        ],
      );
      assert.equal(told.status, 'completed');
      assert.equal(told.attempt, 1);
      assert.ok(told.worker);
      assert.ok(told.running_ms !== undefined && told.waiting_ms >= 0);
      for (const { started_ms: from, ended_ms: to } of told.nodes) {
        assert.ok(to !== undefined && from <= to && to <= told.running_ms, JSON.stringify(told));
      }
      const again = await finish(api, workflow);
      const cached = (await timelineOf(api, again.prompt_id)).nodes.find(({ node_id }) => node_id === '1');
      assert.equal(cached?.state, 'cached');
      assert.equal(cached.started_ms, cached.ended_ms);

      await server.restart();
      assert.deepEqual(await timelineOf(client(server.current.url, { apiKey: key }), id), told);
    });

    test('[CLD-31] a node that fails, one that was stopped and one that runs are told apart', async () => {
      const { api } = await newSubmitter(server.current);
      const failed = await finish(api, failingWorkflow());
      assert.deepEqual(statesOf(await timelineOf(api, failed.prompt_id)), ['1 finished', '2 failed']);

      const held = await submitHeld(server.current, api);
      await until('node 3 to run', async () =>
        statesOf(await timelineOf(api, held.prompt_id)).includes('3 running'),
      );
      await api.post(`/api/jobs/${held.prompt_id}/cancel`);
      const stopped = await timelineOf(api, held.prompt_id);
      assert.equal(stopped.status, 'cancelled');
      assert.deepEqual(statesOf(stopped).at(-1), '3 stopped');
    });

    test('[CLD-31] a job that waits has no nodes yet; that of somebody else is not there', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const held = await submitHeld(server.current, api);
      await untilStatus(api, held.prompt_id, ['in_progress']);
      const { prompt_id: id } = await submit(api, textWorkflow());
      const waiting = await timelineOf(api, id);
      assert.deepEqual([waiting.status, waiting.nodes, waiting.started_at], ['pending', [], undefined]);
      const other = await newSubmitter(server.current);
      assert.equal((await other.api.get(`/api/jobs/${id}/timeline`)).status, 404);
      await api.post('/api/jobs/cancel', { job_ids: [id, held.prompt_id] });
      assert.deepEqual((await timelineOf(api, id)).nodes, []);
    });

    test('the library gives it by the handle of the job', async () => {
      const atelier = await newClient(server.current);
      const { id } = await atelier.jobs.run(textWorkflow());
      const { nodes } = await atelier.jobs.attach(id).timeline();
      assert.deepEqual(
        nodes.map(({ class_type }) => class_type),
        ['PrimitiveString', 'PreviewAny'],
      );
    });
  },
  { environment: HOLDING },
);
