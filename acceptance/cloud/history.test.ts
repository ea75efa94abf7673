import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, test } from 'node:test';

import { type Finished, finish, newSubmitter, type Submitter, statusOf, submit } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { type HeldJob, HOLDING, runHeld } from '../support/held-jobs.ts';
import { onEachEngine } from '../support/servers.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

interface Entry {
  readonly prompt: readonly [number, string, object, Record<string, unknown>, readonly string[]];
  readonly outputs: object;
  readonly status: {
    readonly status_str: string;
    readonly completed: boolean;
    readonly messages: readonly (readonly [string, Record<string, unknown>])[];
  };
  readonly meta: object;
}

type History = Readonly<Record<string, Entry>>;

interface NewHistory {
  readonly history: readonly { readonly prompt_id: string; readonly workflow_id?: string }[];
}

const DOORS = ['', '/api'];
const ANY_TYPE = ['application/x-www-form-urlencoded', 'application/octet-stream', 'json', undefined];

onEachEngine(
  'the history of a user',
  (server) => {
    const prompt = pictureWorkflow();
    let ada: Submitter;
    let stranger: Submitter;
    let good: Finished;
    let bad: Finished;
    let running: HeldJob;
    let cancelled: string;
    let waiting: string;
    let ended: readonly string[] = [];
    before(async () => {
      [ada, stranger] = [await newSubmitter(server.current, 'standard'), await newSubmitter(server.current)];
      good = await finish(ada.api, prompt, { extra_data: { note: 1 }, workflow_id: 'w' });
      bad = await finish(ada.api, failingWorkflow());
      running = await runHeld(server.current, ada.api);
      cancelled = (await submit(ada.api, textWorkflow())).prompt_id;
      await ada.api.post(`/api/jobs/${cancelled}/cancel`);
      waiting = (await submit(ada.api, textWorkflow())).prompt_id;
      ended = [good.prompt_id, bad.prompt_id, cancelled];
    });
    after(async () => await running.letGo());
    const keys = async (path: string) => Object.keys((await ada.api.get<History>(path)).body);

    for (const door of DOORS) {
      test(`[CLD-20] [CLD-21] ${door}/history has what has ended, oldest first`, async () => {
        const { status, body } = await ada.api.get<History>(`${door}/history`);
        assert.equal(status, 200);
        assert.deepEqual(Object.keys(body), ended);
        const entry = body[good.prompt_id];
        assert.deepEqual(Object.keys(entry ?? {}), ['prompt', 'outputs', 'status', 'meta']);
        const [number, id, graph, extra, targets] = entry?.prompt ?? [];
        assert.deepEqual([number, id, graph, targets], [good.number, good.prompt_id, prompt, ['2']]);
        assert.equal(extra?.['note'], 1);
        assert.deepEqual(entry?.outputs, good.outputs);
        assert.partialDeepStrictEqual(entry?.meta, { 2: { node_id: '2' } });
        for (const [job, word, type] of [
          [good.prompt_id, 'success', 'execution_success'],
          [bad.prompt_id, 'error', 'execution_error'],
          [cancelled, 'error', 'execution_interrupted'],
        ] as const) {
          const { status_str, completed, messages } = body[job]?.status ?? { messages: [] };
          assert.deepEqual([status_str, completed], [word, word === 'success']);
          const [last] = messages.slice(-1);
          assert.deepEqual([last?.[0], last?.[1]['prompt_id']], [type, job]);
        }
      });

      test(`[CLD-20] ${door}/history is read in parts`, async () => {
        for (const [query, expected] of [
          ['max_items=2', ended.slice(1)],
          ['max_items=0', []],
          ['max_items=9000000', ended],
          ['max_items=1&offset=0', ended.slice(0, 1)],
          ['offset=1', ended.slice(1)],
          ['offset=7', []],
          ['offset=-1&max_items=1', ended.slice(2)],
        ] as const) {
          assert.deepEqual(await keys(`${door}/history?${query}`), expected, query);
        }
        for (const query of ['max_items=x', 'max_items=-1', 'max_items=', 'offset=1.5', 'map_function=len']) {
          const { status, body } = await ada.api.get(`${door}/history?${query}`);
          assert.equal(status, 400, query);
          assertShape(body, 'code');
        }
      });

      test(`[CLD-22] ${door}/history puts outputs or status in the place of an entry`, async () => {
        const id = good.prompt_id;
        for (const path of [`${door}/history`, `${door}/history/${id}`]) {
          const outputs = await ada.api.get<Record<string, object>>(`${path}?map_function=outputs`);
          assert.deepEqual(outputs.body[id], good.outputs);
          const status = await ada.api.get<Record<string, object>>(`${path}?map_function=status`);
          assert.deepEqual(Object.keys(status.body[id] ?? {}), ['status_str', 'completed', 'messages']);
          for (const wrong of ['prompt', '', 'lambda+x:x']) {
            assert.equal((await ada.api.get(`${path}?map_function=${wrong}`)).status, 400, wrong);
          }
        }
      });

      test(`[CLD-23] ${door}/history/{prompt_id} has one job, and nothing of others`, async () => {
        const { body } = await ada.api.get<History>(`${door}/history/${bad.prompt_id}`);
        assert.deepEqual(Object.keys(body), [bad.prompt_id]);
        for (const id of [running.prompt_id, waiting, randomUUID(), 'x', '__proto__', 'constructor']) {
          const none = await ada.api.get(`${door}/history/${id}`);
          assert.deepEqual([none.status, none.body], [200, {}], id);
        }
        const foreign = await stranger.api.get(`${door}/history/${good.prompt_id}`);
        assert.deepEqual([foreign.status, foreign.body], [200, {}]);
        assert.deepEqual((await stranger.api.get(`${door}/history`)).body, {});
      });

      test(`[CLD-24] POST ${door}/history hides what has ended, and it is still there by its id`, async () => {
        const { api } = await newSubmitter(server.current);
        const [first, second] = [await finish(api, textWorkflow()), await finish(api, textWorkflow())];
        const open = await runHeld(server.current, api);
        const hide = async (change: object) => {
          const { status, body } = await api.post(`${door}/history`, change);
          assert.deepEqual([status, body], [200, '']);
        };
        const shown = async () => {
          const jobs = (await api.get<{ jobs: { id: string }[] }>('/api/jobs?sort_order=asc')).body.jobs;
          const newer = (await api.get<NewHistory>('/api/history_v2')).body.history;
          const older = Object.keys((await api.get('/history')).body);
          assert.deepEqual(newer.map(({ prompt_id: id }) => id).toReversed(), older);
          return { jobs: jobs.map(({ id }) => id), older };
        };
        await hide({ delete: [first.prompt_id, good.prompt_id, open.prompt_id, randomUUID(), 'x'] });
        assert.deepEqual(await shown(), {
          jobs: [second.prompt_id, open.prompt_id],
          older: [second.prompt_id],
        });
        await hide({ clear: true });
        assert.deepEqual(await shown(), { jobs: [open.prompt_id], older: [] });
        assert.deepEqual((await api.get(`${door}/history/${first.prompt_id}`)).body, {});
        assert.equal((await api.get(`/api/history_v2/${first.prompt_id}`)).status, 404);
        assert.equal(await statusOf(api, first.prompt_id), 'completed');
        assert.equal((await api.get(`/api/jobs/${first.prompt_id}`)).status, 200);
        assert.deepEqual(await keys('/history'), ended);
        await open.letGo();
      });

      test(`[CLD-24] POST ${door}/history refuses what is not a change, and reads JSON under any usual name`, async () => {
        const post = async (body: string, type?: string) =>
          await ada.api.request('POST', `${door}/history`, {
            body,
            headers: type === undefined ? {} : { 'content-type': type },
          });
        const tooMany = JSON.stringify({ delete: Array.from({ length: 1001 }, () => 'x') });
        for (const body of [
          '',
          '[]',
          'null',
          '"x"',
          '{',
          '{"delete":"x"}',
          '{"delete":[1]}',
          '{"clear":1}',
          tooMany,
        ]) {
          const refused = await post(body, 'application/json');
          assert.equal(refused.status, 400, body.slice(0, 40));
          assertShape(refused.body, 'code');
        }
        for (const type of ANY_TYPE) {
          assert.equal((await post('{"delete":[]}', type)).status, 200, String(type));
        }
        assert.deepEqual(await keys('/history'), ended);
      });
    }

    test('[CLD-25] the newer form has the newest first, without workflows', async () => {
      const { body } = await ada.api.get<NewHistory>('/api/history_v2');
      assert.deepEqual(
        body.history.map(({ prompt_id: id }) => id),
        ended.toReversed(),
      );
      const oldest = body.history.at(-1);
      assert.deepEqual(Object.keys(oldest ?? {}), [
        'prompt_id',
        'create_time',
        'workflow_id',
        'prompt',
        'outputs',
        'status',
        'meta',
      ]);
      assert.partialDeepStrictEqual(oldest, {
        workflow_id: 'w',
        prompt: { priority: good.number, prompt_id: good.prompt_id, extra_data: { note: 1 } },
        outputs: good.outputs,
        status: { status_str: 'success', completed: true },
      });
      assert.ok(!('workflow_id' in (body.history[0] ?? {})));
      const part = await ada.api.get<NewHistory>('/api/history_v2?max_items=1&offset=1');
      assert.deepEqual(
        part.body.history.map(({ prompt_id: id }) => id),
        [bad.prompt_id],
      );
      for (const query of ['max_items=-1', 'offset=-1', 'offset=x', 'max_items=']) {
        assert.equal((await ada.api.get(`/api/history_v2?${query}`)).status, 400, query);
      }
    });

    test('[CLD-26] the newer form of one entry has its workflow; what is not there gets 404', async () => {
      const { body } = await ada.api.get<Record<string, object>>(`/api/history_v2/${good.prompt_id}`);
      assert.deepEqual(Object.keys(body), [good.prompt_id]);
      assert.partialDeepStrictEqual(body[good.prompt_id], {
        prompt: {
          priority: good.number,
          prompt_id: good.prompt_id,
          prompt,
          extra_data: { note: 1 },
          outputs_to_execute: ['2'],
        },
        outputs: good.outputs,
      });
      for (const id of [running.prompt_id, waiting]) {
        assert.deepEqual((await ada.api.get(`/api/history_v2/${id}`)).body, {});
      }
      for (const [api, id] of [
        [ada.api, randomUUID()],
        [ada.api, 'x'],
        [stranger.api, good.prompt_id],
        [stranger.api, running.prompt_id],
      ] as const) {
        const missing = await api.get(`/api/history_v2/${id}`);
        assert.equal(missing.status, 404);
        assertShape(missing.body, 'code');
      }
    });
  },
  { environment: HOLDING },
);
