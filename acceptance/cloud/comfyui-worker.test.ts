import assert from 'node:assert/strict';
import { once } from 'node:events';
import { after, before, describe, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';

import { download, type Finished, finish, newSubmitter, type Submitter, submit } from '../support/cloud.ts';
import { startKeyProxy } from '../support/key-proxy.ts';
import { type RemoteWorker, spawnRemoteWorker, startRemoteWorker } from '../support/remote-worker.ts';
import { watch } from '../support/sockets.ts';
import { newPicture, pixelsOf, upload } from '../support/user-files.ts';
import { failingWorkflow, longWorkflow, type Workflow } from '../support/workflows.ts';

const AT_COMFYUI = { extra_data: { worker_labels: ['comfyui'] } };

const pictures = (image: string): Workflow => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'deep/er/out' } },
  '4': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
  '5': { class_type: 'PreviewAny', inputs: { source: `about ${image}` } },
});

// On one database: what is tried here is the worker, which knows nothing of databases.
describe('a worker at an Atelier that takes the place of a ComfyUI', () => {
  let server: RunningServer;
  let beside: RunningServer;
  let there: Submitter;
  let here: Submitter;
  let worker: RemoteWorker;
  const parts = new AsyncDisposableStack();
  before(async () => {
    server = parts.use(await startServer({ environment: { ATELIER_RUNNERS: '0' } }));
    beside = parts.use(await startServer());
    there = await newSubmitter(beside);
    const proxy = parts.use(await startKeyProxy(beside.url, (await newSubmitter(beside)).key));
    const args = ['--comfyui', proxy.url];
    worker = parts.use(await startRemoteWorker(server, { name: 'atelier', args }));
    here = await newSubmitter(server);
  });
  after(async () => await parts.disposeAsync());

  /** The same workflow here, through the worker, and there. */
  async function both(workflow: Workflow) {
    const stories: string[][] = [];
    const ended: Finished[] = [];
    for (const [{ url }, { api, key }, others] of [
      [server, here, AT_COMFYUI],
      [beside, there, {}],
    ] as const) {
      using watcher = await watch(url, key, { clientId: 'mine' });
      const end = await finish(api, workflow, { client_id: 'mine', ...others });
      ended.push(end);
      await watcher.end(end.prompt_id);
      const told = watcher.about(end.prompt_id).filter(({ type }) => type !== 'progress_state');
      stories.push(told.map(({ type, data }) => JSON.stringify([type, data['node']])));
    }
    const [at, direct] = ended;
    assert.ok(at && direct);
    assert.equal(at.status, direct.status, worker.output());
    assert.deepEqual(stories[0], stories[1]);
    return { at, direct };
  }

  test('[WRK-21] pictures, names, numbers and events are those of running it there', async () => {
    for (const number of ['00001', '00002']) {
      // A new one each time: there, unlike here, results of the last job are used again.
      const picture = await newPicture(64, 48);
      const { name } = await upload(here.api, picture, 'cat.png');
      await upload(there.api, picture, 'cat.png');
      const { at, direct } = await both(pictures(name));
      const [saved] = at.outputs['3']?.['images'] ?? [];
      const [original] = direct.outputs['3']?.['images'] ?? [];
      assert.ok(saved && original);
      assert.deepEqual(saved, original);
      assert.equal(saved.filename, `out_${number}_.png`);
      // Their metadata has the graph as it was run, with other names of files.
      assert.deepEqual(
        await pixelsOf(await download(here.api, saved)),
        await pixelsOf(await download(there.api, original)),
      );
      const [shown] = at.outputs['4']?.['images'] ?? [];
      assert.ok(shown);
      await download(here.api, shown);
      assert.deepEqual(at.outputs['5'], direct.outputs['5']);
    }
  });

  test('[WRK-21] an error keeps its node and its message', async () => {
    const { at, direct } = await both(failingWorkflow());
    assert.equal(at.status, 'failed');
    const [mine, original] = await Promise.all(
      [here.api.get(`/api/jobs/${at.prompt_id}`), there.api.get(`/api/jobs/${direct.prompt_id}`)].map(
        async (asked) => (await asked).body['execution_error'] as Record<string, unknown>,
      ),
    );
    for (const key of ['node_id', 'node_type', 'exception_type', 'exception_message'])
      assert.equal(mine?.[key], original?.[key]);
  });

  test('[WRK-2] a cancel stops the job there too', async () => {
    const { prompt_id } = await submit(here.api, longWorkflow(), AT_COMFYUI);
    using watcher = await watch(server.url, here.key);
    await watcher.find(
      'its start',
      ({ type, data }) => type === 'executing' && data['prompt_id'] === prompt_id,
    );
    await here.api.post(`/api/jobs/${prompt_id}/cancel`);
    await watcher.end(prompt_id);
    const next = await finish(
      here.api,
      pictures((await upload(here.api, await newPicture())).name),
      AT_COMFYUI,
    );
    assert.equal(next.status, 'completed');
  });

  test('[WRK-21] a server of the same fleet is refused with one sentence', async () => {
    await using proxy = await startKeyProxy(server.url, here.key);
    const args = ['--comfyui', proxy.url];
    const { child, worker: refused } = await spawnRemoteWorker(server, { name: 'loop', args });
    await using _worker = refused;
    const [code] = (await once(child, 'exit')) as [number];
    assert.equal(code, 1);
    assert.match(refused.output(), /--comfyui is an Atelier of the same fleet/);
  });
});
