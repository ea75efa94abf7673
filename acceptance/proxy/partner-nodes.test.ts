import assert from 'node:assert/strict';
import { test } from 'node:test';

import {
  download,
  newSubmitter,
  type Outputs,
  type Submitter,
  setTier,
  submit,
  untilStatus,
} from '../support/cloud.ts';
import { filesWith } from '../support/files-with.ts';
import { ledgerOf, tasksOf } from '../support/generation.ts';
import { client } from '../support/http-client.ts';
import { admin, cookieOf, newPerson } from '../support/people.ts';
import { onAnyEngine } from '../support/servers.ts';
import { watch } from '../support/sockets.ts';
import { face } from '../support/test-pictures.ts';
import { pixelsOf, upload } from '../support/user-files.ts';
import type { Workflow } from '../support/workflows.ts';

interface Job {
  readonly id: string;
  readonly status: string;
  readonly outputs: Outputs;
  readonly execution_error?: { readonly node_id: string; readonly exception_message: string };
}

const CREDITS = 1000;
const SKIN_CREDITS = 2;
const RELIGHT_CREDITS = 3;

/** Skin first, then light, then a video that begins with the result. */
function pictureNodes(image: string): Workflow {
  return {
    portrait: { class_type: 'LoadImage', inputs: { image } },
    skin: {
      class_type: 'SkinEnhancer',
      inputs: {
        image: ['portrait', 0],
        mode: 'faithful',
        'mode.skin_detail': 40,
        sharpen: 30,
        smart_grain: 10,
      },
    },
    light: {
      class_type: 'ImageRelight',
      inputs: {
        image: ['skin', 0],
        prompt: 'sunset from the left',
        light_transfer_strength: 100,
        style: 'standard',
        interpolate_from_original: false,
        change_background: true,
        preserve_details: true,
        advanced_settings: 'disabled',
      },
    },
    picture: { class_type: 'SaveImage', inputs: { images: ['light', 0], filename_prefix: 'lit' } },
    moving: {
      class_type: 'ImageToVideo',
      inputs: { image: ['light', 0], model: 'clipq2-turbo', prompt: '', duration: 1, resolution: '540p' },
    },
    video: { class_type: 'SaveVideo', inputs: saved('moving') },
  };
}

const WORDS: Workflow = {
  words: {
    class_type: 'TextToVideo',
    inputs: { model: 'clipq3-pro', prompt: 'a lake at dawn', duration: 1, resolution: '540p', audio: 'off' },
  },
  film: { class_type: 'SaveVideo', inputs: saved('words') },
};

function saved(node: string) {
  return { video: [node, 0], filename_prefix: node, format: 'auto', codec: 'auto' };
}

onAnyEngine(
  'the partner nodes',
  (server) => {
    async function newCustomer(credits = CREDITS): Promise<Submitter> {
      const submitter = await newSubmitter(server.current);
      const path = `/admin/users/${submitter.id}/credits`;
      assert.equal((await admin(server.current).post(path, { amount: credits })).status, 200);
      return submitter;
    }
    /** To the end, however long it takes. */
    async function run(
      { api, key }: Pick<Submitter, 'api'> & { readonly key?: string },
      prompt: Workflow,
    ): Promise<Job> {
      const extra_data = key === undefined ? {} : { api_key_platform_org: key };
      const { prompt_id: id } = await submit(api, prompt, { extra_data });
      await untilStatus(api, id);
      return (await api.get<Job>(`/api/jobs/${id}`)).body;
    }

    test('[JOB-10] [JOB-11] [PRX-51] generate with the submitter’s key and credits, and the key shows nowhere', async () => {
      const customer = await newCustomer();
      const { api, key } = customer;
      using watcher = await watch(server.current.url, key);
      const portrait = await face();
      const { name } = await upload(api, portrait, 'portrait.png');
      const prompt = { ...pictureNodes(name), ...WORDS };
      const job = await run(customer, prompt);
      assert.equal(job.status, 'completed', JSON.stringify(job));

      const picture = job.outputs['picture']?.['images']?.[0];
      assert.ok(picture);
      const lit = await pixelsOf(await download(api, picture));
      const before = await pixelsOf(portrait);
      assert.deepEqual([lit.width, lit.height], [before.width, before.height]);
      const changed = lit.pixels.filter((value, index) => Math.abs(value - (before.pixels[index] ?? 0)) > 8);
      assert.ok(changed.length > lit.pixels.length / 4);
      for (const node of ['video', 'film']) {
        const file = job.outputs[node]?.['images']?.[0];
        assert.ok(file, node);
        const bytes = Buffer.from(await download(api, file));
        assert.equal(bytes.subarray(4, 8).toString(), 'ftyp', node);
      }

      const { tasks } = await tasksOf(api);
      const partners = Object.values(prompt).filter(({ class_type: type }) =>
        /Skin|Relight|ToVideo/.test(type),
      );
      assert.equal(tasks.length, partners.length);
      for (const { state } of tasks) assert.match(state, /^(COMPLETED|success)$/);
      const spent = tasks.reduce((sum, { credits }) => sum + credits, 0);
      assert.ok(spent > SKIN_CREDITS + RELIGHT_CREDITS);
      assert.equal((await ledgerOf(api)).balance, CREDITS - spent);

      await watcher.end(job.id);
      for (const node of ['skin', 'light', 'moving']) {
        const steps = watcher
          .messages('progress_state')
          .map(({ data }) => (data['nodes'] as Record<string, { value: number; max: number }>)[node]);
        assert.ok(
          steps.some((step) => step !== undefined && step.value === step.max),
          `${node} reports no progress`,
        );
      }
      const frames = watcher.frames.map((frame) =>
        Buffer.isBuffer(frame) ? frame.toString('latin1') : JSON.stringify(frame),
      );
      const seen = [
        ...frames,
        JSON.stringify(job),
        JSON.stringify((await api.get(`/api/history/${job.id}`)).body),
        JSON.stringify(tasks),
        server.current.output(),
      ];
      for (const text of seen) assert.equal(text.includes(key), false);
      assert.deepEqual(await filesWith(server.current.dataFolder, key), []);

      // What is known already is not bought again.
      assert.equal((await run(customer, prompt)).status, 'completed');
      assert.equal((await tasksOf(api)).tasks.length, tasks.length);
    });

    test('[PRX-50] end with the server’s sentence when the credits do not suffice, and leave no task', async () => {
      const customer = await newCustomer(SKIN_CREDITS - 1);
      const { name } = await upload(customer.api, await face(), 'portrait.png');
      const { portrait, skin } = pictureNodes(name);
      assert.ok(portrait && skin);
      const save = { class_type: 'SaveImage', inputs: { images: ['skin', 0], filename_prefix: 'x' } };
      const { status, execution_error: error } = await run(customer, { portrait, skin, save });
      assert.deepEqual([status, error?.node_id], ['failed', 'skin']);
      assert.match(error?.exception_message ?? '', /costs 2 credits, more than the account has/);
      assert.deepEqual((await tasksOf(customer.api)).tasks, []);
    });

    test('[JOB-11] without a key, as from the stock editor with its cookie, the caller’s own account pays, and pays once', async () => {
      const person = await newPerson(server.current);
      await setTier(server.current, person.id, 'pro');
      await admin(server.current).post(`/admin/users/${person.id}/credits`, { amount: CREDITS });
      const { url } = server.current;
      const api = client(url, { cookie: await cookieOf(server.current, person), origin: url });
      const { name } = await upload(api, await face(), 'portrait.png');
      const { portrait } = pictureNodes(name);
      assert.ok(portrait);
      const skin = { class_type: 'SkinEnhancer', inputs: { image: ['portrait', 0] } };
      const save = { class_type: 'SaveImage', inputs: { images: ['skin', 0], filename_prefix: 'x' } };
      for (let round = 0; round < 2; round++) {
        const job = await run({ api }, { portrait, skin, save });
        assert.equal(job.status, 'completed', JSON.stringify(job));
        const { tasks } = await tasksOf(api);
        assert.deepEqual(
          tasks.map(({ state }) => state),
          ['COMPLETED'],
        );
        const { body } = await api.get<{ balance: number }>('/customers/credits');
        assert.equal(body.balance, CREDITS - SKIN_CREDITS);
      }
    });

    test('[JOB-11] are marked as what they are', async () => {
      const { api } = await newSubmitter(server.current);
      for (const type of ['SkinEnhancer', 'ImageRelight', 'TextToVideo', 'ImageToVideo']) {
        const { body: info } = await api.get<Record<string, { api_node: boolean }>>(
          `/api/object_info/${type}`,
        );
        assert.equal(info[type]?.api_node, true, type);
      }
    });
  },
  {
    environment: {
      ATELIER_SKIN_CREDITS: String(SKIN_CREDITS),
      ATELIER_RELIGHT_CREDITS: String(RELIGHT_CREDITS),
      ATELIER_LOG_LEVEL: 'trace',
    },
  },
);
