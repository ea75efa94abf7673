import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { test } from 'node:test';

import { finish, newSubmitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { type Client, client } from '../support/http-client.ts';
import { onEachEngine } from '../support/servers.ts';
import { pictureWorkflow, textWorkflow } from '../support/workflows.ts';

type Item = readonly [number, string, object, object, readonly string[]];
interface Queue {
  readonly queue_running: readonly Item[];
  readonly queue_pending: readonly Item[];
}

const DOORS = ['', '/api'];
const ANY_TYPE = ['application/x-www-form-urlencoded', 'application/octet-stream', 'json', undefined];

onEachEngine(
  'the queue as the host application has it',
  (server) => {
    const remaining = async (api: Client, door: string) =>
      (await api.get<{ exec_info: { queue_remaining: number } }>(`${door}/prompt`)).body.exec_info
        .queue_remaining;

    for (const door of DOORS) {
      test(`[CLD-15] [CLD-16] [HOST-22] ${door}/prompt counts and ${door}/queue shows what runs and waits of the caller`, async () => {
        const [ada, bob] = [
          await newSubmitter(server.current, 'standard'),
          await newSubmitter(server.current),
        ];
        assert.equal(await remaining(ada.api, door), 0);
        const held = await runHeld(server.current, ada.api);
        const prompt = textWorkflow();
        const first = await submit(ada.api, prompt, { extra_data: { note: 1 } });
        const second = await submit(ada.api, textWorkflow());
        assert.equal(await remaining(ada.api, door), 3);
        assert.equal(await remaining(bob.api, door), 0);
        const { body: usage } = await ada.api.get('/api/usage');
        assert.deepEqual(usage['jobs'], { waiting: 2, running: 1, max_running: 1 });
        const { body } = await ada.api.get<Queue>(`${door}/queue`);
        assert.deepEqual(
          body.queue_running.map(([number, id]) => [number, id]),
          [[held.number, held.prompt_id]],
        );
        assert.deepEqual(
          body.queue_pending.map(([, id]) => id),
          [first.prompt_id, second.prompt_id],
        );
        const [number, id, graph, extra, targets] = body.queue_pending[0] ?? [];
        assert.deepEqual([number, id, graph, targets], [first.number, first.prompt_id, prompt, ['2']]);
        assert.partialDeepStrictEqual(extra, { note: 1 });
        assert.deepEqual((await bob.api.get(`${door}/queue`)).body, { queue_running: [], queue_pending: [] });
        await held.letGo();
        await untilStatus(ada.api, second.prompt_id);
        assert.equal(await remaining(ada.api, door), 0);
      });

      test(`[CLD-17] POST ${door}/queue cancels what is named, and what waits when all is cleared`, async () => {
        const [ada, bob] = [
          await newSubmitter(server.current, 'creator'),
          await newSubmitter(server.current),
        ];
        const ended = await finish(ada.api, textWorkflow());
        const running = [];
        for (let n = 0; n < 3; n += 1) running.push(await runHeld(server.current, ada.api));
        const [named, ...others] = running.map(({ prompt_id: id }) => id);
        const waiting = await submit(ada.api, pictureWorkflow());
        const foreign = await finish(bob.api, textWorkflow());
        const change = async (body: object) => (await ada.api.post(`${door}/queue`, body)).body;
        assert.deepEqual(await change({ clear: true }), { deleted: [], cleared: true });
        assert.equal(await statusOf(ada.api, waiting.prompt_id), 'cancelled');
        for (const { prompt_id: id } of running) assert.equal(await statusOf(ada.api, id), 'in_progress');
        const ids = [named, ended.prompt_id, foreign.prompt_id, randomUUID(), 'x'];
        assert.deepEqual(await change({ delete: ids }), { deleted: [named], cleared: false });
        assert.equal(await statusOf(ada.api, named ?? ''), 'cancelled');
        for (const id of others) assert.equal(await statusOf(ada.api, id), 'in_progress');
        assert.deepEqual(await change({}), { deleted: [], cleared: false });
        assert.equal(await statusOf(bob.api, foreign.prompt_id), 'completed');
        for (const { letGo } of running) await letGo();
      });

      test(`[CLD-17] POST ${door}/queue refuses what is not a change, and reads JSON under any content type`, async () => {
        const api = client(server.current.url, { apiKey: server.current.admin.api_key });
        const post = async (body: string, type?: string) =>
          await api.request('POST', `${door}/queue`, {
            body,
            headers: type === undefined ? {} : { 'content-type': type },
          });
        const tooMany = JSON.stringify({ delete: Array.from({ length: 1001 }, () => 'x') });
        for (const body of [
          '',
          '[]',
          'null',
          '{',
          '{"delete":"x"}',
          '{"delete":[1]}',
          '{"clear":"yes"}',
          tooMany,
        ]) {
          const { status, body: refusal } = await post(body, 'application/json');
          assert.equal(status, 400, body.slice(0, 40));
          assertShape(refusal, 'code');
        }
        for (const type of ANY_TYPE) {
          assert.equal((await post('{"delete":[]}', type)).status, 200, String(type));
        }
      });

      test(`[CLD-18] ${door}/interrupt without a name ends everything of the caller that runs, and nothing else`, async () => {
        const [ada, bob] = [
          await newSubmitter(server.current, 'standard'),
          await newSubmitter(server.current),
        ];
        const foreign = await runHeld(server.current, bob.api);
        for (const body of ['', '{', '[]', '{}', '{"prompt_id":null}', '{"prompt_id":""}']) {
          const running = await runHeld(server.current, ada.api);
          const headers = { 'content-type': 'application/octet-stream' };
          const { status, body: answer } = await ada.api.request('POST', `${door}/interrupt`, {
            body,
            headers,
          });
          assert.deepEqual([status, answer], [200, ''], body);
          assert.equal(await statusOf(ada.api, running.prompt_id), 'cancelled', body);
        }
        const running = await runHeld(server.current, ada.api);
        const waiting = await submit(ada.api, textWorkflow());
        for (const prompt_id of [
          foreign.prompt_id,
          waiting.prompt_id,
          randomUUID(),
          'x',
          5,
          [running.prompt_id],
        ]) {
          assert.equal((await ada.api.post(`${door}/interrupt`, { prompt_id })).status, 200);
        }
        assert.equal(await statusOf(ada.api, running.prompt_id), 'in_progress');
        assert.equal(await statusOf(ada.api, waiting.prompt_id), 'pending');
        assert.equal(await statusOf(bob.api, foreign.prompt_id), 'in_progress');
        await Promise.all([running.letGo(), foreign.letGo()]);
      });

      test(`[CLD-19] ${door}/free makes the caller’s next job compute anew, and nobody else’s`, async () => {
        const [ada, bob] = [await newSubmitter(server.current), await newSubmitter(server.current)];
        const prompt = pictureWorkflow();
        const cached = async (api: Client) => {
          const { prompt_id: id } = await finish(api, prompt);
          const { body } = await api.get<Record<string, { messages: [string, { nodes?: string[] }][] }>>(
            `/history/${id}?map_function=status`,
          );
          return body[id]?.messages.find(([type]) => type === 'execution_cached')?.[1].nodes ?? [];
        };
        assert.deepEqual(await cached(ada.api), []);
        assert.ok((await cached(ada.api)).includes('1'));
        for (const body of [
          undefined,
          {},
          { unload_models: true },
          { free_memory: false },
          { free_memory: null },
        ]) {
          const { status, body: answer } = await ada.api.post(`${door}/free`, body);
          assert.deepEqual([status, answer], [200, '']);
        }
        await bob.api.post(`${door}/free`, { free_memory: true });
        assert.ok((await cached(ada.api)).includes('1'));
        await ada.api.post(`${door}/free`, { unload_models: true, free_memory: true });
        assert.deepEqual(await cached(ada.api), []);
        assert.equal((await ada.api.post(`${door}/free`, { free_memory: 'yes' })).status, 400);
      });

      test(`[CLD-15] [CLD-16] [CLD-18] [CLD-19] ${door} needs a credential everywhere`, async () => {
        const nobody = client(server.current.url);
        for (const [method, path, shape] of [
          ['GET', '/prompt', 'prompt'],
          ['GET', '/queue', 'code'],
          ['POST', '/queue', 'code'],
          ['POST', '/interrupt', 'code'],
          ['POST', '/free', 'code'],
          ['GET', '/history', 'code'],
          ['POST', '/history', 'code'],
        ] as const) {
          const { status, body } = await nobody.request(method, door + path, {});
          assert.equal(status, 401, path);
          assertShape(body, shape);
        }
      });
    }
  },
  { environment: HOLDING },
);
