import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as wait } from 'node:timers/promises';
import { temporaryFolder } from '@atelier/testing';
import * as sdk from '@comfyorg/sdk';

import { setTier } from '../support/cloud.ts';
import { startCuttingProxy } from '../support/cutting-proxy.ts';
import { HOLDING, runHeld } from '../support/held-jobs.ts';
import { onAnyEngine } from '../support/servers.ts';
import { plain } from '../support/test-pictures.ts';
import { newV2Submitter } from '../support/v2.ts';
import { failingWorkflow, pictureWorkflow, textWorkflow, type Workflow } from '../support/workflows.ts';

onAnyEngine(
  'the official TypeScript SDK',
  (server) => {
    /** The SDK reads the address when a client is made. */
    const connect = (key: string, url = server.current.url): sdk.Comfy => {
      process.env[sdk.BASE_URL_ENV_VAR] = url;
      try {
        return new sdk.Comfy({ apiKey: key });
      } finally {
        delete process.env[sdk.BASE_URL_ENV_VAR];
      }
    };
    const newClient = async () => {
      const person = await newV2Submitter(server.current);
      const comfy = connect(person.key);
      const workflow = (graph: Workflow) => comfy.workflows.fromJson({ ...graph });
      return { ...person, comfy, workflow };
    };

    test('[API-29] uploads a file once, runs a workflow with it and downloads the result', async () => {
      const { comfy, workflow } = await newClient();
      await using folder = await temporaryFolder();
      const path = join(folder.path, 'photo.png');
      await writeFile(path, await plain(40, 20));
      const load = workflow({
        '1': { class_type: 'LoadImage', inputs: {} },
        '2': {
          class_type: 'ImageScale',
          inputs: { image: ['1', 0], upscale_method: 'lanczos', width: 8, height: 4, crop: 'disabled' },
        },
        '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'small' } },
      });
      const first = comfy.assets.fromFile(path);
      load.setInput('1', 'image', first);
      const job = await comfy.run(load);
      assert.equal(first.createdNew, true);
      const [output] = job.getOutputs('3');
      assert.ok(output);
      const bytes = Buffer.from(await output.toBytes());
      assert.deepEqual([bytes.readUInt32BE(16), bytes.readUInt32BE(20)], [8, 4]);
      await output.toFile(join(folder.path, 'out.png'));
      assert.deepEqual(await readFile(join(folder.path, 'out.png')), bytes);
      assert.match((await output.getDownloadUrl()).url, /^http/);
      const again = comfy.assets.fromFile(path);
      await again.commit();
      assert.deepEqual([again.createdNew, again.id], [false, first.id]);
      const known = await comfy.assets.get(again.id ?? '');
      assert.equal(await known.hash(), await first.hash());
      await known.delete();
      await assert.rejects(async () => await comfy.assets.get(first.id ?? ''), sdk.NotFound);
      const { format } = await job.getWorkflow();
      assert.equal(format, 'api');
      assert.equal((await comfy.jobs.get(job.id)).status, 'succeeded');
    });

    test('[API-17] [API-29] follows a job by its events: progress, previews, outputs, the end', async () => {
      const { comfy, workflow, api } = await newClient();
      const until = join(server.current.dataFolder, `let-go-${randomUUID()}`);
      const graph = { ...pictureWorkflow(), steps: { class_type: 'TestSteps', inputs: { until } } };
      const job = await comfy.submit(workflow(graph));
      const counts = { progress: 0, preview: 0, outputReady: 0, statusChange: 0, log: 0 };
      let last: sdk.ComfyEvent | undefined;
      let began = 0;
      for await (const event of job.events()) {
        if (began === 0) began = performance.now();
        counts[event.kind] += 1;
        if (event.kind === 'progress' && event.steps !== null) assert.ok((event.step ?? 0) <= event.steps);
        if (event.kind === 'preview') assert.deepEqual([event.nodeId, event.data[0]], ['steps', 0xff]);
        if (counts.preview === 4 && counts.progress >= 4) await writeFile(until, '');
        last = event;
      }
      const seconds = (performance.now() - began) / 1000;
      assert.deepEqual(last, { kind: 'statusChange', status: 'succeeded', queuePosition: null });
      assert.equal(counts.outputReady, 1);
      // A step comes every few milliseconds.
      for (const count of [counts.progress, counts.preview]) {
        assert.ok(count <= 2 * seconds + 2, `${count} in ${seconds} s`);
      }
      await job.refresh();
      assert.equal(job.outputs.length, 1);
      const { body } = await api.get<{ text: string; truncated: boolean }>(`/api/v2/jobs/${job.id}/logs`);
      assert.match(body.text, /^\[steps\] step \d+$/m);
    });

    test('[API-20] [API-26] [API-29] loses nothing when the connection breaks again and again', async () => {
      const { key, workflow } = await newClient();
      await using proxy = await startCuttingProxy(server.current.url);
      const comfy = connect(key, proxy.url);
      const until = join(server.current.dataFolder, `let-go-${randomUUID()}`);
      const asset = comfy.assets.fromBytes(await plain(9, 9), { filename: 'held.png' });
      const graph = {
        '1': { class_type: 'LoadImage', inputs: {} },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'cut' } },
        steps: { class_type: 'TestSteps', inputs: { until } },
      };
      const held = workflow(graph);
      held.setInput('1', 'image', asset);
      const job = await comfy.submit(held);
      // Until it has ended, the file stays.
      await assert.rejects(
        async () => await asset.delete(),
        (error) => error instanceof sdk.ComfyError && error.code === 'asset_in_use',
      );
      let progress = 0;
      let last: sdk.ComfyEvent | undefined;
      for await (const event of job.events()) {
        last = event;
        if (event.kind !== 'progress') continue;
        progress += 1;
        if (progress < 5) proxy.cut();
        else await writeFile(until, '');
        // The SDK asks once for the job, and must not do so over a connection that is about to close.
        await wait(50);
      }
      assert.deepEqual(last, { kind: 'statusChange', status: 'succeeded', queuePosition: null });
      assert.equal((await job.refresh()).outputs.length, 1);
      await asset.delete();
    });

    test('[API-29] cancels a job, and its stream ends', async () => {
      const { comfy, api } = await newClient();
      const held = await runHeld(server.current, api);
      const job = await comfy.jobs.get(held.prompt_id);
      const reading = Array.fromAsync(job.events());
      await job.cancel();
      assert.equal((await reading).at(-1)?.kind, 'statusChange');
      assert.equal((await job.wait()).status, 'canceled');
    });

    test('[API-29] raises its own errors for what is refused', async () => {
      const { comfy, workflow, id, key } = await newClient();
      const fails = async (work: () => Promise<unknown>, kind: new (...args: never[]) => Error) =>
        await assert.rejects(work, (error) => error instanceof kind);
      await fails(
        async () => await comfy.run(workflow({ '1': { class_type: 'Nope', inputs: {} } })),
        sdk.InvalidWorkflow,
      );
      await fails(
        async () => await comfy.submit(comfy.workflows.fromJson({ nodes: [], links: [] })),
        sdk.WorkflowFormatUi,
      );
      const reference = { __type: 'core/ASSET', info: { id: randomUUID() } };
      await fails(
        async () =>
          await comfy.run(workflow({ '1': { class_type: 'LoadImage', inputs: { image: reference } } })),
        sdk.MissingAsset,
      );
      const idempotencyKey = randomUUID();
      await comfy.submit(workflow(textWorkflow()), { idempotencyKey });
      await fails(
        async () => await comfy.submit(workflow(textWorkflow()), { idempotencyKey }),
        sdk.IdempotencyKeyReuse,
      );
      await fails(async () => await comfy.jobs.get(randomUUID()), sdk.NotFound);
      await fails(async () => await connect(`${key}x`).jobs.get(randomUUID()), sdk.Unauthorized);
      const failed = await comfy.run(workflow(failingWorkflow())).catch((error: unknown) => error);
      assert.ok(failed instanceof sdk.JobFailed);
      await setTier(server.current, id, 'free');
      await fails(async () => await comfy.run(workflow(pictureWorkflow())), sdk.InsufficientCredits);
    });
  },
  { environment: HOLDING },
);
