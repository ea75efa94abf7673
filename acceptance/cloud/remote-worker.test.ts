import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { type RunningServer, startServer } from '@atelier/testing';

import { download, type FileReference, finish, newSubmitter, type Outputs } from '../support/cloud.ts';
import { client } from '../support/http-client.ts';
import { measure } from '../support/metrics.ts';
import { type RemoteWorker, startRemoteWorker } from '../support/remote-worker.ts';
import { onAnyEngine } from '../support/servers.ts';
import { newPicture, upload } from '../support/user-files.ts';

const invert = (image: string, blur: number) => ({
  '1': { class_type: 'LoadImage', inputs: { image } },
  '2': { class_type: 'ImageInvert', inputs: { image: ['1', 0] } },
  '3': { class_type: 'ImageBlur', inputs: { image: ['2', 0], blur_radius: blur, sigma: 1 } },
  '4': { class_type: 'SaveImage', inputs: { images: ['3', 0], filename_prefix: 'deep/er/out' } },
  '5': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
});

function fileOf(outputs: Outputs, node: string): FileReference {
  const [file] = outputs[node]?.['images'] ?? [];
  assert.ok(file);
  return file;
}

onAnyEngine(
  'a worker on another machine',
  (server) => {
    let worker: RemoteWorker | undefined;
    let beside: RunningServer | undefined;
    before(async () => {
      worker = await startRemoteWorker(server.current, { name: 'gpu-1' });
      beside = await startServer();
    });
    after(async () => {
      await worker?.[Symbol.asyncDispose]();
      await beside?.[Symbol.asyncDispose]();
    });

    /** How often workers have asked for the bytes of a file. */
    async function fetches(): Promise<number> {
      const { text } = await measure(server.current.url);
      const lines = text
        .split('\n')
        .filter((line) => /^atelier_http_request_seconds_count\{.*"workers\.files\.read"/.test(line));
      return lines.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0);
    }

    test('[WRK-10] its outputs are those of a worker beside the server, and an input is fetched once', async () => {
      assert.ok(beside);
      const picture = await newPicture(64, 48);
      const here = await newSubmitter(server.current);
      const there = await newSubmitter(beside);
      const { name } = await upload(here.api, picture);
      await upload(there.api, picture);

      const fetched = await fetches();
      for (const blur of [1, 2]) {
        const [remote, local] = [
          await finish(here.api, invert(name, blur)),
          await finish(there.api, invert(name, blur)),
        ];
        assert.deepEqual([remote.status, local.status], ['completed', 'completed'], worker?.output() ?? '');
        const file = fileOf(remote.outputs, '4');
        assert.deepEqual(file, fileOf(local.outputs, '4'));
        assert.deepEqual(
          await download(here.api, file),
          await download(there.api, fileOf(local.outputs, '4')),
        );
        await download(here.api, fileOf(remote.outputs, '5'));
      }
      assert.equal((await fetches()) - fetched, 1);

      const [mine] = (await here.api.get<{ assets: { job_id?: string }[] }>('/api/assets?tags_any=output'))
        .body.assets;
      assert.ok(mine?.job_id, 'its outputs are assets as any other');
      const output = fileOf((await finish(here.api, invert(name, 3))).outputs, '4');
      const loaded = await finish(here.api, invert(`${output.subfolder}/${output.filename} [output]`, 1));
      assert.equal(loaded.status, 'completed', 'an output can be loaded again');
    });

    test('[WRK-11] its token opens no file, and neither does a key that was made up', async () => {
      assert.ok(worker);
      const { api } = await newSubmitter(server.current);
      const { prompt_id } = await finish(api, invert((await upload(api, await newPicture())).name, 1));
      for (const bearer of [worker.token, 'x'.repeat(43), server.current.admin.api_key]) {
        const path = `/workers/attempts/${prompt_id}/1/files?folder=input`;
        assert.equal((await client(server.current.url, { bearer }).get(path)).status, 401);
      }
    });
  },
  { environment: { ATELIER_RUNNERS: '0' } },
);
