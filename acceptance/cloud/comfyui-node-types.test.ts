import assert from 'node:assert/strict';
import { hash } from 'node:crypto';
import { afterEach, beforeEach, test } from 'node:test';
import type { WorkerConflict } from '@atelier/contracts';
import { describeNodes, readObjectInfo } from '@atelier/engine';

import { newSubmitter, type Submitter, statusOf, submit, untilStatus } from '../support/cloud.ts';
import { admin } from '../support/people.ts';
import { cancelJobs, shownWorker } from '../support/scripted-jobs.ts';
import {
  connectWorker,
  helloOf,
  newWorkerToken,
  type ScriptedWorker,
  storyOf,
} from '../support/scripted-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { until } from '../support/until.ts';

/** What a ComfyUI with these checkpoints says of its node types. */
function typesOf(checkpoints: readonly string[]): string {
  const info = (name: string, required: object, changes: object) => ({
    input: { required },
    input_order: { required: Object.keys(required) },
    output: [],
    output_is_list: [],
    output_name: [],
    name,
    display_name: name,
    description: '',
    python_module: 'nodes',
    category: 'test',
    output_node: false,
    ...changes,
  });
  const all = {
    CheckpointLoaderSimple: info(
      'CheckpointLoaderSimple',
      { ckpt_name: [checkpoints, { tooltip: 'A model.' }] },
      { output: ['MODEL'], output_is_list: [false], output_name: ['MODEL'] },
    ),
    LoadMesh: info(
      'LoadMesh',
      { mesh: [['of-the-machine.glb'], { mesh_upload: true }] },
      { output_node: true },
    ),
    PreviewAny: info('PreviewAny', { source: ['*', {}] }, { display_name: 'Of ComfyUI', output_node: true }),
  };
  return describeNodes(readObjectInfo(JSON.stringify(all)).catalogue);
}

const loading = (ckpt_name: string) => ({
  load: { class_type: 'CheckpointLoaderSimple', inputs: { ckpt_name } },
  show: { class_type: 'PreviewAny', inputs: { source: ['load', 0] } },
});
const SHOW = { show: { class_type: 'PreviewAny', inputs: { source: 'hello' } } };

interface Refusal {
  readonly error: { readonly type: string; readonly message: string; readonly details: string };
  readonly node_errors: Readonly<Record<string, { readonly errors: readonly { readonly type: string }[] }>>;
}
type Infos = Record<string, { display_name: string; input: { required: Record<string, unknown[]> } }>;

interface Conflicts {
  readonly total: number;
  readonly conflicts: readonly WorkerConflict[];
}

onAnyEngine(
  'node types and models of ComfyUI workers',
  (server) => {
    let ada: Submitter;
    let token = '';
    beforeEach(async () => {
      ada = await newSubmitter(server.current);
      ({ token } = await newWorkerToken(server.current));
    });
    afterEach(async () => await cancelJobs(ada));

    async function connect(name: string, changes: object, nodeTypes?: string): Promise<ScriptedWorker> {
      const described = nodeTypes === undefined ? {} : { nodeTypes: hash('sha256', nodeTypes) };
      const hello = helloOf({ name, ...described, ...changes });
      const worker = await connectWorker(server.current, token, {
        hello,
        ...(nodeTypes === undefined ? {} : { nodeTypes }),
      });
      await worker.next('welcome');
      return worker;
    }
    const comfyui = async (name: string, checkpoints: readonly string[], changes: object = {}) =>
      await connect(name, { kind: 'comfyui', models: { checkpoints }, ...changes }, typesOf(checkpoints));

    async function untilShown(isShown: (infos: Infos) => boolean): Promise<Infos> {
      return await until('the node types', async () => {
        const { body } = await ada.api.get<Infos>('/api/object_info');
        return isShown(body) ? body : undefined;
      });
    }
    const checkpointsIn = (infos: Infos) =>
      (infos['CheckpointLoaderSimple']?.input.required['ckpt_name']?.[0] ?? []) as string[];

    async function finish(worker: ScriptedWorker, jobId: string): Promise<void> {
      const { attempt, job } = await worker.next('run');
      assert.equal(job.jobId, jobId);
      const story = storyOf(jobId);
      worker.say({ type: 'events', attempt, number: 1, events: [story.start, story.success] });
      worker.say({ type: 'end', attempt, number: 2, outcome: story.outcome('hello') });
      worker.say({ type: 'ready', count: 1 });
      assert.equal(await untilStatus(ada.api, jobId), 'completed');
    }

    test('[WRK-17] object_info is the union: built-in types win, combos are merged, files are those of the caller', async () => {
      using _own = await connect('own', {});
      using _one = await comfyui('one', ['a.safetensors', 'both.safetensors']);
      using _two = await comfyui('two', ['both.safetensors', 'b.safetensors']);
      const infos = await untilShown((shown) => checkpointsIn(shown).length === 3);
      assert.deepEqual(checkpointsIn(infos).toSorted(), [
        'a.safetensors',
        'b.safetensors',
        'both.safetensors',
      ]);
      assert.notEqual(infos['PreviewAny']?.display_name, 'Of ComfyUI');
      assert.deepEqual(infos['LoadMesh']?.input.required['mesh'], [[], { mesh_upload: true }]);
      assert.doesNotMatch(JSON.stringify(infos), /of-the-machine/);
      const { status, body } = await ada.api.post<Refusal>('/api/prompt', {
        prompt: { load: { class_type: 'LoadMesh', inputs: { mesh: 'of-the-machine.glb' } } },
      });
      assert.equal(status, 400);
      assert.equal(body.node_errors['load']?.errors[0]?.type, 'custom_validation_failed');
    });

    test('[WRK-16] a workflow runs in one place: built in if it can, at ComfyUI if it must or asks for it', async () => {
      using own = await connect('own', {});
      using other = await comfyui('other', ['a.safetensors']);
      await untilShown((shown) => checkpointsIn(shown).includes('a.safetensors'));
      const { prompt_id: plain } = await submit(ada.api, SHOW);
      await finish(own, plain);
      const { prompt_id: model } = await submit(ada.api, loading('a.safetensors'));
      await finish(other, model);
      const { prompt_id: asked } = await submit(ada.api, SHOW, {
        extra_data: { worker_labels: ['comfyui'] },
      });
      await finish(other, asked);
      const { status, body } = await ada.api.post<Refusal>('/api/prompt', {
        prompt: {
          ...loading('a.safetensors'),
          empty: { class_type: 'EmptyImage', inputs: { width: 8, height: 8, batch_size: 1, color: 0 } },
        },
      });
      assert.equal(status, 400);
      assert.equal(body.error.type, 'missing_node_type');
      assert.match(
        body.error.details,
        /EmptyImage is a built-in node type and CheckpointLoaderSimple one of/,
      );
    });

    test('[WRK-18] a workflow goes to a worker that has its model, and waits for it', async () => {
      using one = await comfyui('one', ['a.safetensors']);
      using two = await comfyui('two', ['b.safetensors'], { ready: 0 });
      await untilShown((shown) => ['a', 'b'].every((n) => checkpointsIn(shown).includes(`${n}.safetensors`)));
      const { prompt_id: waits } = await submit(ada.api, loading('b.safetensors'));
      const { prompt_id: runs } = await submit(ada.api, loading('a.safetensors'));
      await finish(one, runs);
      assert.equal(await statusOf(ada.api, waits), 'pending');
      two.say({ type: 'ready', count: 1 });
      await finish(two, waits);
      const { status, body } = await ada.api.post<Refusal>('/api/prompt', { prompt: loading('none') });
      assert.equal(status, 400);
      assert.equal(body.node_errors['load']?.errors[0]?.type, 'value_not_in_list');
    });

    test('[WRK-18] models that no worker has together are refused', async () => {
      using _one = await comfyui('one', ['a.safetensors']);
      using _two = await comfyui('two', ['b.safetensors']);
      await untilShown((shown) => ['a', 'b'].every((n) => checkpointsIn(shown).includes(`${n}.safetensors`)));
      const { load: other } = loading('b.safetensors');
      const prompt = {
        ...loading('a.safetensors'),
        other,
        too: { class_type: 'PreviewAny', inputs: { source: ['other', 0] } },
      };
      const { status, body } = await ada.api.post<Refusal>('/api/prompt', { prompt });
      assert.equal(status, 400);
      assert.equal(body.error.message, 'No worker has all node types and models of this workflow');
    });

    test('[WRK-20] jobs whose models are loaded go first', async () => {
      const both = ['a.safetensors', 'b.safetensors'];
      using worker = await comfyui('one', both);
      await untilShown((shown) => both.every((name) => checkpointsIn(shown).includes(name)));
      const { prompt_id: first } = await submit(ada.api, loading('a.safetensors'));
      const { attempt } = await worker.next('run');
      const { prompt_id: other } = await submit(ada.api, loading('b.safetensors'));
      const { prompt_id: same } = await submit(ada.api, loading('a.safetensors'));
      const story = storyOf(first);
      worker.say({ type: 'events', attempt, number: 1, events: [story.start, story.success] });
      worker.say({ type: 'end', attempt, number: 2, outcome: story.outcome('hello') });
      worker.say({ type: 'ready', count: 1 });
      await finish(worker, same);
      await finish(worker, other);
    });

    test('[WRK-17] the types of a ComfyUI worker that is away stay, and jobs wait for it', async () => {
      const gone = await comfyui('restarts', ['only-there.safetensors']);
      await untilShown((shown) => checkpointsIn(shown).includes('only-there.safetensors'));
      gone.socket.terminate();
      await until('away', async () => {
        const { state } = (await shownWorker(server.current, gone)) ?? {};
        return state === 'ready' ? undefined : true;
      });
      const { prompt_id: waits } = await submit(ada.api, loading('only-there.safetensors'));
      assert.equal(await statusOf(ada.api, waits), 'pending');
      using back = await comfyui('restarts', ['only-there.safetensors']);
      await finish(back, waits);
    });

    test('[WRK-17] [WRK-18] after a restart of the server, jobs wait for the models of workers that are away', async () => {
      const connectBoth = async () => {
        using _one = await comfyui('one', ['a.safetensors']);
        using _two = await comfyui('two', ['b.safetensors']);
        await untilShown((infos) =>
          ['a', 'b'].every((n) => checkpointsIn(infos).includes(`${n}.safetensors`)),
        );
      };
      await connectBoth();
      await server.restart();
      ada = await newSubmitter(server.current);
      const { prompt_id: first } = await submit(ada.api, loading('a.safetensors'));
      const { prompt_id: second } = await submit(ada.api, loading('b.safetensors'));
      using two = await comfyui('two', ['b.safetensors']);
      await finish(two, second);
      assert.equal(await statusOf(ada.api, first), 'pending');
      assert.equal((await ada.api.post('/api/prompt', { prompt: loading('none') })).status, 400);
      using one = await comfyui('one', ['a.safetensors']);
      await finish(one, first);
    });

    test('[WRK-25] administrators see where workers contradict each other', async () => {
      const types = (changed: boolean) =>
        describeNodes(
          readObjectInfo(
            JSON.stringify({
              Blend: { input: { required: { strength: [changed ? 'INT' : 'FLOAT', {}] } }, output: [] },
            }),
          ).catalogue,
        );
      using _old = await connect('old', { kind: 'comfyui' }, types(false));
      using _new = await connect('new', { kind: 'comfyui' }, types(true));
      const { conflicts, total } = await until('the conflict', async () => {
        const { body } = await admin(server.current).get<Conflicts>('/admin/workers/conflicts');
        return body.total > 0 ? body : undefined;
      });
      assert.equal(total, 1);
      assert.equal(conflicts[0]?.type, 'Blend');
      assert.equal(conflicts[0]?.others[0]?.difference, 'the input strength has another type');
      const names = [...(conflicts[0]?.used ?? []), ...(conflicts[0]?.others[0]?.workers ?? [])];
      assert.deepEqual(names.toSorted(), ['new', 'old']);
      assert.equal((await ada.api.get('/admin/workers/conflicts')).status, 403);
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
