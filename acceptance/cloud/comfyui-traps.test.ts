import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, beforeEach, describe, test } from 'node:test';
import {
  type RunningServer,
  type ScriptedComfyUi,
  type ScriptedPrompt,
  startScriptedComfyUi,
  startServer,
} from '@atelier/testing';
import sharp from 'sharp';

import { type Finished, finish, newSubmitter, type Submitter } from '../support/cloud.ts';
import { admin } from '../support/people.ts';
import { spawnRemoteWorker, startRemoteWorker } from '../support/remote-worker.ts';
import { watch } from '../support/sockets.ts';
import { until } from '../support/until.ts';
import { newPicture, upload } from '../support/user-files.ts';

type Submission = NonNullable<Parameters<typeof startScriptedComfyUi>[1]>['submit'];

interface Trap {
  readonly what: string;
  /** What ComfyUI does with the prompt, at each attempt. */
  readonly run?: (prompt: ScriptedPrompt, comfy: ScriptedComfyUi, attempt: number) => void;
  readonly submit?: Submission;
  /** How the job ends: with a picture, as if it was cancelled, or with an error that says this. */
  readonly ends: 'completed' | 'cancelled' | RegExp;
  readonly attempts?: number;
}

const KEYS = ['images', 'gifs', 'video', 'audio', '3d', 'files'];
const REFUSED = {
  error: { type: 'prompt_outputs_failed_validation', message: 'Prompt outputs failed validation' },
  node_errors: {
    '1': {
      class_type: 'MakePicture',
      errors: [{ type: 'value_not_in_list', message: 'Value not in list', details: 'the model is gone' }],
    },
  },
};

/** Saves a picture of the prompt, as `SaveImage` does. */
function save(prompt: ScriptedPrompt, comfy: ScriptedComfyUi, key = 'images') {
  const file = {
    filename: `a_00001_.${key === 'images' ? 'png' : 'bin'}`,
    subfolder: `atelier/${prompt.id}`,
    type: 'output',
  };
  comfy.files.set(`output/${file.subfolder}/${file.filename}`, Buffer.from(`picture ${key} ${prompt.id}`));
  return { '2': { [key]: [file] } };
}

function pictureFrame(prompt: ScriptedPrompt, bytes: Uint8Array): Buffer {
  const about = Buffer.from(JSON.stringify({ node_id: '2', real_node_id: '2', prompt_id: prompt.id }));
  const head = Buffer.alloc(8);
  head.writeUInt32BE(4, 0);
  head.writeUInt32BE(about.length, 4);
  return Buffer.concat([head, about, bytes]);
}

const interrupted = { node_id: '1', node_type: 'MakePicture', executed: [] };
const failure = (exception_type: string, exception_message: string) => ({
  node_id: '1',
  node_type: 'MakePicture',
  exception_type,
  exception_message,
  traceback: [],
});

const TRAPS: readonly Trap[] = [
  {
    what: 'a socket that says nothing',
    run: (prompt, comfy) => prompt.endSilently('success', {}, save(prompt, comfy)),
    ends: 'completed',
  },
  {
    what: 'a socket that is lost in the middle',
    run(prompt, comfy) {
      prompt.say('execution_start', { timestamp: 1 });
      for (const socket of comfy.sockets.values()) socket.terminate();
      setTimeout(() => prompt.endSilently('success', {}, save(prompt, comfy)), 100);
    },
    ends: 'completed',
  },
  {
    what: 'a lost answer to a submission that has arrived',
    submit(_prompt, answer) {
      answer.destroy();
      return 'answered';
    },
    ends: 'completed',
  },
  {
    what: 'an accepted prompt with errors of nodes',
    submit(prompt, answer) {
      answer.end(JSON.stringify({ prompt_id: prompt.id, number: 1, node_errors: REFUSED.node_errors }));
      return 'answered';
    },
    run: () => {},
    ends: /the model is gone/,
  },
  {
    what: 'a model that was removed while the job waited',
    submit(_prompt, answer) {
      answer.writeHead(400).end(JSON.stringify(REFUSED));
      return 'not taken';
    },
    ends: /Value not in list: the model is gone/,
  },
  ...KEYS.slice(1).map((key) => ({
    what: `an output called ${key}`,
    run: (prompt: ScriptedPrompt, comfy: ScriptedComfyUi) =>
      prompt.end('success', {}, save(prompt, comfy, key)),
    ends: 'completed' as const,
  })),
  {
    what: 'an output that is named but not delivered',
    run(prompt, comfy) {
      const outputs = save(prompt, comfy);
      comfy.files.clear();
      prompt.end('success', {}, outputs);
    },
    ends: /made a_00001_\.png but does not deliver it/,
  },
  ...[
    { filename: 'nl\nx_00001_.png', subfolder: 'atelier/ID', type: 'output' },
    { filename: 'x.png', subfolder: 'atelier/ID/C:/x', type: 'output' },
    { filename: 'x.png', subfolder: 'atelier/ID/input/../../..', type: 'input' },
  ].map((file) => ({
    what: `an output called ${JSON.stringify(file)}`,
    run(prompt: ScriptedPrompt, comfy: ScriptedComfyUi) {
      const shown = { ...file, subfolder: file.subfolder.replace('ID', prompt.id) };
      comfy.files.set(`${shown.type}/${shown.subfolder}/${shown.filename}`, Buffer.from('picture'));
      prompt.end('success', {}, { '2': { images: [shown] } });
    },
    ends: /The node shows the file .*filename_prefix/,
  })),
  {
    what: 'a picture that comes by socket only and is too large',
    run(prompt) {
      prompt.sendFrame(pictureFrame(prompt, new Uint8Array(9 * 2 ** 20)));
      prompt.end();
    },
    ends: /9 MB is too large/,
  },
  {
    what: 'a queue that was lost in a restart',
    run(prompt, comfy, attempt) {
      if (attempt > 1) return prompt.end('success', {}, save(prompt, comfy));
      comfy.running.delete(prompt.id);
      return prompt.say('executing', { node: null });
    },
    ends: 'completed',
    attempts: 2,
  },
  {
    what: 'an interrupt by somebody else',
    run(prompt, comfy, attempt) {
      if (attempt > 1) prompt.end('success', {}, save(prompt, comfy));
      else prompt.end('interrupted', interrupted);
    },
    ends: 'completed',
    attempts: 2,
  },
  {
    what: 'a node that interrupts its own job every time',
    run(prompt) {
      prompt.say('execution_start', { timestamp: 1 });
      prompt.say('progress_state', { nodes: { '1': { node_id: '1', state: 'running', value: 0, max: 1 } } });
      prompt.end('interrupted', interrupted);
    },
    ends: 'cancelled',
    attempts: 2,
  },
  {
    what: 'an error of the device, and a restart',
    run(prompt, comfy, attempt) {
      if (attempt > 1) return prompt.end('success', {}, save(prompt, comfy));
      const message = 'CUDA error: an illegal memory access was encountered';
      prompt.end('error', failure('RuntimeError', message.padEnd(10_000, '!')));
      setTimeout(() => {
        for (const socket of comfy.sockets.values()) socket.terminate();
      }, 500);
      return undefined;
    },
    ends: 'completed',
    attempts: 2,
  },
  {
    what: 'too little memory',
    run: (prompt) => prompt.end('error', failure('torch.OutOfMemoryError', 'Allocation on device 0')),
    ends: /Allocation on device 0/,
  },
  {
    what: 'slow answers',
    run(prompt, comfy) {
      comfy.state.answerMs = 200;
      setTimeout(() => {
        prompt.end('success', {}, save(prompt, comfy));
        comfy.state.answerMs = 0;
      }, 600);
    },
    ends: 'completed',
  },
];

// On one database: what is tried here is the worker, which knows nothing of databases.
describe('a worker at a ComfyUI with its traps', () => {
  const parts = new AsyncDisposableStack();
  let server: RunningServer;
  let comfy: ScriptedComfyUi;
  let ada: Submitter;
  let trap: Trap | undefined;
  let attempts = 0;
  let seed = 0;
  let mostRunning = 0;
  before(async () => {
    server = parts.use(await startServer({ environment: { ATELIER_RUNNERS: '0' } }));
    comfy = parts.use(
      await startScriptedComfyUi(
        (prompt) => {
          attempts += 1;
          mostRunning = Math.max(mostRunning, comfy.running.size);
          if (trap?.run) trap.run(prompt, comfy, attempts);
          else prompt.end('success', {}, save(prompt, comfy));
        },
        { submit: (prompt, answer) => trap?.submit?.(prompt, answer) },
      ),
    );
    parts.use(await startRemoteWorker(server, { name: 'comfyui', args: ['--comfyui', comfy.url] }));
    ada = await newSubmitter(server);
  });
  after(async () => await parts.disposeAsync());
  beforeEach(() => {
    trap = undefined;
    attempts = 0;
    seed += 1;
    comfy.requests.length = 0;
  });

  const workflow = () => ({
    '1': { class_type: 'MakePicture', inputs: { seed } },
    '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: `trap-${seed}/a` } },
  });
  async function errorOf({ prompt_id }: Finished): Promise<string> {
    const { body } = await ada.api.get(`/api/jobs/${prompt_id}`);
    return String((body['execution_error'] as Record<string, unknown> | null)?.['exception_message']);
  }

  for (const each of TRAPS) {
    test(`[WRK-22] ${each.what}`, async () => {
      trap = each;
      using watcher = await watch(server.url, ada.key);
      const ended = await finish(ada.api, workflow());
      await watcher.end(ended.prompt_id);
      if (each.ends === 'completed') {
        assert.equal(ended.status, 'completed', await errorOf(ended));
        const files = Object.values(ended.outputs['2'] ?? {}).flat();
        assert.equal(files.length, 1);
      } else if (each.ends === 'cancelled') {
        assert.equal(ended.status, 'cancelled');
        const end = watcher.about(ended.prompt_id).find(({ type }) => type === 'execution_interrupted');
        assert.partialDeepStrictEqual(end?.data, { node_id: '1', node_type: 'MakePicture' });
        const { body } = await admin(server).get<{ workers: { errors: { job_id: string }[] }[] }>(
          '/admin/workers',
        );
        const blamed = body.workers.flatMap(({ errors }) => errors.map(({ job_id }) => job_id));
        assert.ok(!blamed.includes(ended.prompt_id), 'the worker is not blamed');
      } else {
        assert.equal(ended.status, 'failed');
        assert.match(await errorOf(ended), each.ends);
      }
      if (each.run) assert.equal(attempts, each.attempts ?? 1);
      const types = watcher.about(ended.prompt_id).map(({ type }) => type);
      const ends = types.filter((type) => /^execution_(?:success|error|interrupted)$/.test(type));
      assert.equal(ends.length, 1, 'it ends once');
      for (const { route, body } of comfy.requests)
        if (route === 'POST /interrupt') assert.match(body, /"prompt_id":"[0-9a-f-]{36}"/);
      await until('an empty history', () => comfy.history.size === 0);
    });
  }

  /** Runs a job to its end; what its submitter hears meanwhile. */
  async function watched() {
    const flags = { supports_preview_metadata: true };
    using watcher = await watch(server.url, ada.key, { clientId: 'mine', flags });
    const ended = await finish(ada.api, workflow(), { client_id: 'mine' });
    assert.equal(ended.status, 'completed');
    await watcher.end(ended.prompt_id);
    const frames = watcher.frames.filter((frame) => Buffer.isBuffer(frame));
    return { messages: watcher.about(ended.prompt_id), frames };
  }

  test('[WRK-22] a picture that comes by socket only reaches the user as it is', async () => {
    const picture = await newPicture();
    trap = {
      what: 'a picture by socket',
      run(prompt) {
        prompt.sendFrame(pictureFrame(prompt, picture));
        prompt.end();
      },
      ends: 'completed',
    };
    const { frames } = await watched();
    assert.ok(frames.some((frame) => frame.subarray(-picture.length).equals(picture)));
  });

  test('[WRK-22] an output node with previews sends each step once, and few previews', async () => {
    const preview = await sharp(await newPicture())
      .jpeg()
      .toBuffer();
    trap = {
      what: 'previews of an output node',
      run(prompt, at) {
        prompt.say('executing', { node: '2' });
        for (let value = 1; value <= 100; value += 1) {
          prompt.sendFrame(pictureFrame(prompt, preview));
          prompt.say('progress', { value, max: 100, node: '2' });
        }
        prompt.end('success', {}, save(prompt, at));
      },
      ends: 'completed',
    };
    const { messages, frames } = await watched();
    const steps = messages.filter(({ type }) => type === 'progress');
    const values = steps.map(({ data }) => Number(data['value']));
    assert.equal(new Set(values).size, values.length, `sent twice: ${values.join()}`);
    assert.deepEqual(
      values,
      values.toSorted((a, b) => a - b),
    );
    assert.equal(values.at(-1), 100);
    assert.ok(frames.length > 0 && frames.length < 50, `${frames.length} previews`);
  });

  test('[WRK-22] one prompt is there at a time, also beside one of somebody else, which goes on', async () => {
    const body = JSON.stringify({ prompt_id: 'of-another', client_id: 'x', prompt: {}, extra_data: {} });
    trap = { what: 'a prompt of another', run: () => {}, ends: 'completed' };
    await fetch(`${comfy.url}/prompt`, { method: 'POST', body });
    await until('the other prompt', () => attempts === 1);
    trap = undefined;
    mostRunning = 0;
    const ended = await Promise.all([1, 2, 3, 4].map(async () => await finish(ada.api, workflow())));
    for (const { status } of ended) assert.equal(status, 'completed');
    assert.equal(mostRunning, 2);
    assert.ok(comfy.running.delete('of-another'));
  });

  test('[WRK-22] no key of a user is sent there, and no name of a file is shown to others', async () => {
    const { name } = await upload(ada.api, await newPicture(), 'secret-cat.png');
    const graph = { ...workflow(), '3': { class_type: 'LoadImage', inputs: { image: name } } };
    const save2 = { '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'b' } } };
    const extra_data = { api_key_comfy_org: ada.key, auth_token_comfy_org: 'token-of-ada' };
    const ended = await finish(ada.api, { ...graph, ...save2 }, { extra_data });
    assert.equal(ended.status, 'completed');
    const sent = comfy.requests.map(({ body }) => body).join('\n');
    assert.ok(!sent.includes(ada.key) && !sent.includes('token-of-ada'));
    const bob = await newSubmitter(server);
    const infos = await bob.api.get('/api/object_info');
    assert.ok(!JSON.stringify(infos.body).includes(name));
  });

  test('[WRK-22] a node that lists only files outside of folders gets its file', async () => {
    const { name } = await upload(ada.api, await newPicture(), 'flat-cat.png');
    let refused = 0;
    trap = {
      what: 'a list of files outside of folders',
      submit(prompt, answer) {
        const image = String(prompt.graph['3']?.inputs['image']);
        if (image.startsWith('atelier-') && comfy.files.has(`input//${image}`)) return undefined;
        refused += 1;
        const error = { type: 'value_not_in_list', extra_info: { input_name: 'image' } };
        const node_errors = { '3': { class_type: 'LoadImage', errors: [error] } };
        answer.writeHead(400).end(JSON.stringify({ error: REFUSED.error, node_errors }));
        return 'not taken';
      },
      ends: 'completed',
    };
    const loading = { '3': { class_type: 'LoadImage', inputs: { image: name } } };
    const shown = { '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'c' } } };
    const ended = await finish(ada.api, { ...workflow(), ...loading, ...shown });
    assert.equal(ended.status, 'completed');
    assert.equal(refused, 1);
  });

  const REFUSALS: readonly (readonly [string, (other: ScriptedComfyUi) => void, RegExp])[] = [
    ['that is not a ComfyUI', ({ state }) => void (state.status = 404), /is not a ComfyUI/],
    ['that needs a password', ({ state }) => void (state.status = 401), /needs a password \(401\)/],
    [
      'that is too old',
      ({ state }) => void (state.stats = { system: { comfyui_version: '0.6.9' } }),
      /is too old \(0\.6\.9\)\. Update it/,
    ],
    [
      'whose node types have 50 MB',
      ({ state }) => void (state.objectInfo = { A: { description: 'x'.repeat(50 * 2 ** 20) } }),
      /more than 32 MB/,
    ],
  ];
  for (const [what, spoil, sentence] of REFUSALS) {
    test(`[WRK-22] an address ${what} gets one sentence at start`, async () => {
      await using other = await startScriptedComfyUi(() => {});
      spoil(other);
      const args = ['--comfyui', other.url];
      const { child, worker } = await spawnRemoteWorker(server, { name: 'refused', args });
      await using _worker = worker;
      const [code] = (await once(child, 'exit')) as [number];
      assert.equal(code, 1);
      assert.match(worker.output(), sentence);
      assert.equal(worker.output().trim().split('\n').length, 1);
    });
  }
});
