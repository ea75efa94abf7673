import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';

import { download, finish, newSubmitter, submit, untilStatus } from '../support/cloud.ts';
import { assertShape } from '../support/error-shapes.ts';
import { createImage, endOfImage, SKIN } from '../support/generation.ts';
import type { Client } from '../support/http-client.ts';
import { onAnyEngine } from '../support/servers.ts';
import { image, newPicture, sendForm, take, upload } from '../support/user-files.ts';
import { longTextWorkflow } from '../support/workflows.ts';

async function usedBytes(api: Client): Promise<number> {
  return (await api.get<{ storage: { used_bytes: number } }>('/api/usage')).body.storage.used_bytes;
}

onAnyEngine(
  'a user without room',
  (server) => {
    test('[FIL-6] uploads stop at the bound; a job may go beyond with one file, and the next one is refused', async () => {
      const { api } = await newSubmitter(server.current);
      const bytes = randomBytes(600_000);
      const { asset } = await upload(api, bytes, 'a.bin');
      await upload(api, bytes, 'again.bin');
      const over = await sendForm(api, '/api/upload/image', [image(randomBytes(500_000), 'b.bin')]);
      assert.deepEqual([over.status, over.body.code], [403, 'cloud.storage_full']);
      const made = await finish(api, {
        '1': { class_type: 'EmptyImage', inputs: { width: 16, height: 16, batch_size: 2, color: 1 } },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'x' } },
      });
      assert.equal(made.status, 'completed');
      await upload(api, randomBytes(2 ** 20 - (await usedBytes(api)) - 500), 'filling.bin');
      const large = await finish(api, {
        '1': { class_type: 'EmptyImage', inputs: { width: 600, height: 600, batch_size: 1, color: 2 } },
        '2': { class_type: 'SaveImage', inputs: { images: ['1', 0], filename_prefix: 'y' } },
      });
      assert.equal(large.status, 'completed');
      const [file] = large.outputs['2']?.['images'] ?? [];
      assert.ok(file);
      assert.ok((await download(api, file)).length > 0);
      const prompt = { '1': { class_type: 'PreviewAny', inputs: { source: 'x' } } };
      const refused = await api.post('/api/prompt', { prompt });
      assert.equal(refused.status, 403);
      assertShape(refused.body, 'prompt');
      assert.equal((await api.delete(`/api/assets/${asset.id}`)).status, 204);
      await upload(api, randomBytes(300_000), 'there is room.bin');
    });

    test('[FIL-6] a job that makes more than there is room for fails, and what fitted is kept', async () => {
      const { api } = await newSubmitter(server.current);
      await upload(api, randomBytes(700_000), 'a.bin');
      const { prompt_id } = await submit(api, {
        '1': { class_type: 'EmptyImage', inputs: { width: 512, height: 512, batch_size: 4, color: 1 } },
        '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], seed: 1, strength: 1 } },
        '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'q' } },
        '4': { class_type: 'PreviewAny', inputs: { source: 'shown' } },
      });
      assert.equal(await untilStatus(api, prompt_id), 'failed');
      const { body } = await api.get<{
        outputs: Record<string, unknown>;
        execution_error: { exception_type: string; exception_message: string };
      }>(`/api/jobs/${prompt_id}`);
      assert.deepEqual(body.outputs, { '4': { text: ['shown'] } });
      assert.equal(body.execution_error.exception_type, 'StorageFull');
      assert.match(body.execution_error.exception_message, /Delete assets .*tags_any=temp .* after 24 h\./);
      const listed = await api.get<{ assets: { size: number; job_id?: string }[] }>('/api/assets');
      const assets = listed.body.assets.filter(({ job_id }) => job_id === prompt_id);
      assert.equal(assets.length, 1);
      const besides = (await usedBytes(api)) - 700_000 - (assets[0]?.size ?? 0);
      assert.ok(besides > 0 && besides < 20_000, `the job takes ${besides} bytes besides its files`);
    });

    test('[FIL-6] [CLD-29] texts that are too long to be shown need room as other files do', async () => {
      const { api } = await newSubmitter(server.current);
      await upload(api, randomBytes(900_000), 'a.bin');
      const first = await finish(api, longTextWorkflow(18));
      assert.equal(first.status, 'completed');
      assert.ok((await usedBytes(api)) > 900_000 + 2 ** 18);
      const next = await api.post('/api/prompt', { prompt: longTextWorkflow(18) });
      assert.equal(next.status, 403);
    });

    test('[FIL-6] previews that fill the room can be found and deleted', async () => {
      const { api } = await newSubmitter(server.current);
      await finish(api, {
        '1': { class_type: 'EmptyImage', inputs: { width: 700, height: 700, batch_size: 1, color: 1 } },
        '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], seed: 1, strength: 1 } },
        '3': { class_type: 'PreviewImage', inputs: { images: ['2', 0] } },
      });
      const next = { '1': { class_type: 'PreviewAny', inputs: { source: 'x' } } };
      const refused = await api.post<{ error: { message: string } }>('/api/prompt', { prompt: next });
      assert.equal(refused.status, 403);
      assert.match(refused.body.error.message, /GET \/api\/assets\?tags_any=temp/);
      const { assets } = (await api.get<{ assets: { id: string }[] }>('/api/assets?tags_any=temp')).body;
      for (const { id } of assets) assert.equal((await api.delete(`/api/assets/${id}`)).status, 204);
      await submit(api, next);
    });

    test('[PRX-76] [FIL-6] files of generation tasks take room too, and without room there is no task', async () => {
      const { api } = await newSubmitter(server.current);
      const picture = await newPicture(128, 128);
      const body = { image: picture.toString('base64') };
      const { task_id } = await createImage(api, `${SKIN}/faithful`, body);
      const [result = ''] = (await endOfImage(api, task_id)).generated;
      const { bytes } = await take(result);
      const used = async () =>
        (await api.get<{ storage: { used_bytes: number } }>('/api/usage')).body.storage.used_bytes;
      assert.equal(await used(), picture.length + bytes.length);
      await upload(api, randomBytes(2 ** 20 - (await used())), 'the rest.bin');
      assert.equal((await api.post(`${SKIN}/faithful`, body)).status, 403);
      assert.equal(await used(), 2 ** 20);
    });

    test('[JOB-23] jobs that were waiting when the room ran out fail and say so', async () => {
      const { api } = await newSubmitter(server.current, 'standard');
      const noise = (seed: number) => ({
        '1': { class_type: 'EmptyImage', inputs: { width: 700, height: 700, batch_size: 1, color: 1 } },
        '2': { class_type: 'ImageAddNoise', inputs: { image: ['1', 0], seed, strength: 1 } },
        '3': { class_type: 'SaveImage', inputs: { images: ['2', 0], filename_prefix: 'noise' } },
      });
      const jobs = await Promise.all([1, 2, 3, 4].map(async (seed) => await submit(api, noise(seed))));
      const states = await Promise.all(jobs.map(async ({ prompt_id }) => await untilStatus(api, prompt_id)));
      assert.deepEqual(new Set(states), new Set(['completed', 'failed']));
      const failed = jobs[states.lastIndexOf('failed')]?.prompt_id;
      const { body } = await api.get<{ execution_error: { exception_type: string } }>(`/api/jobs/${failed}`);
      assert.equal(body.execution_error.exception_type, 'StorageFull');
    });
  },
  { environment: { ATELIER_CLOUD_STORAGE_MB: '1' } },
);
