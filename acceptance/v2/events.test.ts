import assert from 'node:assert/strict';
import { test } from 'node:test';
import { schemas } from '@comfyorg/sdk/low';

import { setTier, submit, untilStatus } from '../support/cloud.ts';
import { HOLDING, runHeld, submitHeld } from '../support/held-jobs.ts';
import { client } from '../support/http-client.ts';
import { newKey, newPerson, tokenOf } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';
import {
  allFrames,
  checkFrames,
  createJob,
  type Frame,
  newV2Submitter,
  readFrames,
  readJob,
  refusal,
  untilJob,
} from '../support/v2.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow } from '../support/workflows.ts';

const eventsOf = (frames: readonly Frame[]) => frames.map(({ event }) => event);

onAnyEngine(
  'events of the Comfy API v2',
  (server) => {
    test('[API-16] [API-18] outputs come before the last status, also when the job has ended already', async () => {
      const person = await newV2Submitter(server.current);
      const { id } = await createJob(person, pictureWorkflow());
      const live = await allFrames(server.current.url, person.key, id);
      checkFrames(live, 'succeeded');
      const { outputs } = await readJob(person, id);
      const idsIn = (frames: readonly Frame[]) =>
        frames.filter(({ event }) => event === 'output').map(({ data }) => data['id']);
      assert.deepEqual(idsIn(live), [outputs[0]?.id]);
      const later = await allFrames(server.current.url, person.key, id);
      assert.deepEqual(eventsOf(later), ['status', 'output', 'status']);
      checkFrames(later, 'succeeded');
      assert.deepEqual(idsIn(later), idsIn(live));
    });

    test('[API-16] [API-18] failed and canceled jobs end their streams too', async () => {
      const person = await newV2Submitter(server.current);
      const failed = await createJob(person, failingWorkflow());
      checkFrames(await allFrames(server.current.url, person.key, failed.id), 'failed');
      const held = await runHeld(server.current, person.api);
      const reading = allFrames(server.current.url, person.key, held.prompt_id);
      await person.api.post(`/api/v2/jobs/${held.prompt_id}/cancel`);
      checkFrames(await reading, 'canceled');
      const empty = await submitHeld(server.current, person.api);
      await person.api.post(`/api/v2/jobs/${empty.prompt_id}/cancel`);
      await untilJob(person, empty.prompt_id, 'canceled');
      const last = (await allFrames(server.current.url, person.key, empty.prompt_id)).at(-1);
      assert.deepEqual(last?.data, { status: 'canceled', queue_position: null });
    });

    test('[API-16] [API-17] a stream tells the place, the start, how far it is and what it made so far', async () => {
      const person = await newV2Submitter(server.current, 'standard');
      const { api, key } = person;
      const first = await runHeld(server.current, api);
      const second = await submitHeld(server.current, api);
      const third = await submitHeld(server.current, api);
      const frames: Frame[] = [];
      for await (const frame of readFrames(server.current.url, key, third.prompt_id)) {
        frames.push(frame);
        const { status, queue_position: place } = frame.data;
        if (frame.event === 'status' && place === 2) await first.letGo();
        if (frame.event === 'status' && place === 1) await second.letGo();
        if (frame.event === 'progress' && frame.data['nodes_done'] === 2) {
          // A reader that comes now gets the same at once.
          for await (const now of readFrames(server.current.url, key, third.prompt_id)) {
            if (now.event === 'status') assert.equal(now.data['status'], 'running');
            if (now.event !== 'progress') continue;
            assert.deepEqual([now.data['nodes_total'], now.data['current_node_class']], [3, 'TestHold']);
            break;
          }
          await third.letGo();
        }
        if (status === 'succeeded') break;
      }
      checkFrames(frames, 'succeeded');
      const told = frames
        .filter(({ event }) => event === 'status')
        .map(({ data }) => [data['status'], data['queue_position']]);
      assert.deepEqual(told, [
        ['queued', 2],
        ['queued', 1],
        ['running', null],
        ['succeeded', null],
      ]);
      assert.ok(eventsOf(frames).includes('output'), 'the text that it shows');
    });

    test('[API-19] one stream too many gets 429, and a free place can be taken again', async () => {
      const person = await newV2Submitter(server.current);
      const held = await runHeld(server.current, person.api);
      const stop = new AbortController();
      const open = async () => {
        const frames = readFrames(server.current.url, person.key, held.prompt_id, stop.signal);
        await frames.next();
        return frames;
      };
      const streams = [await open(), await open(), await open()];
      const refused = await person.api.get(`/api/v2/jobs/${held.prompt_id}/events`);
      assert.equal(refusal(refused).code, 'too_many_streams');
      assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
      await held.letGo();
      for (const frames of streams) checkFramesEnd(await Array.fromAsync(frames));
      await until('a free place', async () => {
        const { status } = await person.api.get(`/api/v2/jobs/${held.prompt_id}/events`);
        return status === 200;
      });
    });

    test('[API-21] a stream says that its credential has ended', async () => {
      const person = await newPerson(server.current);
      await setTier(server.current, person.id, 'pro');
      const owner = client(server.current.url, { bearer: await tokenOf(server.current, person) });
      const { id, secret } = await newKey(owner);
      const held = await runHeld(server.current, owner);
      const frames: Frame[] = [];
      for await (const frame of readFrames(server.current.url, secret, held.prompt_id)) {
        frames.push(frame);
        if (frames.length === 1) assert.equal((await owner.delete(`/customers/api-keys/${id}`)).status, 204);
      }
      const last = frames.at(-1);
      assert.equal(last?.event, 'error');
      assert.partialDeepStrictEqual(last.data, { error: { code: 'unauthorized' } });
      await held.letGo();
    });

    test('[API-20] a stream goes on when the server is back', async () => {
      const person = await newV2Submitter(server.current);
      const held = await runHeld(server.current, person.api);
      const before = allFrames(server.current.url, person.key, held.prompt_id).catch(() => []);
      await server.restart();
      await before;
      const reading = allFrames(server.current.url, person.key, held.prompt_id);
      await held.letGo();
      checkFrames(await reading, 'succeeded');
      const again = { ...person, api: client(server.current.url, { bearer: person.key }) };
      const { prompt_id } = await submit(again.api, textWorkflow());
      await untilStatus(again.api, prompt_id);
      checkFrames(await allFrames(server.current.url, person.key, prompt_id), 'succeeded');
    });
  },
  { environment: { ...HOLDING, ATELIER_STREAMS_PER_USER: '3' } },
);

function checkFramesEnd(frames: readonly Frame[]): void {
  assert.equal(frames.at(-1)?.data['status'], 'succeeded');
  for (const { event, data } of frames) if (event === 'output') schemas.zOutput.parse(data);
}
