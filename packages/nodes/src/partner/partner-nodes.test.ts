import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { createRunner, type EngineEvent, type Graph, type Outcome, toNodeInfo } from '@atelier/engine';
import sharp from 'sharp';
import { videoFixture } from '../test/media-fixtures.ts';
import { partnerNodes } from './partner-nodes.ts';
import { KEY, negativeOf } from './test/pictures.ts';
import { scriptedService } from './test/scripted-service.ts';

const NODES = new URL('../index.ts', import.meta.url).href;
const clip = Buffer.from(videoFixture('h264.mp4').file, 'base64');

describe('what editors are told', () => {
  for (const type of partnerNodes) {
    test(`${type.type} is a partner node with the hidden inputs of public ones`, async () => {
      const info = await toNodeInfo(type, { module: 'nodes', files: { list: async () => [] } });
      assert.equal(info.api_node, true);
      assert.match(info.category, /^partner\/(image|video)$/);
      assert.deepEqual(info.input.hidden, {
        auth_token_comfy_org: 'AUTH_TOKEN_COMFY_ORG',
        api_key_comfy_org: 'API_KEY_COMFY_ORG',
        unique_id: 'UNIQUE_ID',
      });
      assert.deepEqual(info.output, [type.type.endsWith('Video') ? 'VIDEO' : 'IMAGE']);
      assert.equal(info.output_node, false);
      const { required = {}, optional = {} } = info.input;
      for (const [name, [, options]] of Object.entries({ ...required, ...optional })) {
        assert.match(String(options['tooltip']), /\.$/, name);
      }
    });
  }

  test('the videos offer the seven models, every resolution and the bounds of the specification', async () => {
    for (const type of partnerNodes.filter(({ category }) => category === 'partner/video')) {
      const { input } = await toNodeInfo(type, { module: 'nodes', files: { list: async () => [] } });
      const models: unknown = input.optional?.['model']?.[1]['options'];
      assert.ok(Array.isArray(models) && models.length === 7);
      const { duration, seed, resolution } = input.optional ?? {};
      assert.deepEqual([duration?.[1]['min'], duration?.[1]['max']], [1, 16]);
      assert.deepEqual([seed?.[1]['min'], seed?.[1]['max']], [0, 2_147_483_647]);
      assert.deepEqual(resolution?.[1]['options'], ['auto', '360p', '540p', '720p', '1080p', '2K']);
    }
  });
});

/** A runner as the server has it: nodes see nothing of the environment but the address. */
function startRunner(url: string) {
  const root = mkdtempSync(join(tmpdir(), 'atelier-partner-'));
  const runner = createRunner({ packs: { modules: [NODES] }, env: () => ({ ATELIER_API_URL: url }) });
  const folders = { input: join(root, 'i'), output: join(root, 'o'), temp: join(root, 't') };
  let jobs = 0;
  return {
    folders,
    async run(graph: Graph, targets: string[]): Promise<{ outcome: Outcome; events: EngineEvent[] }> {
      const events: EngineEvent[] = [];
      jobs += 1;
      const job = { jobId: `job-${jobs}`, graph, targets, folders, extraData: { api_key_comfy_org: KEY } };
      const outcome = await runner.run(job, { onEvent: (event) => void events.push(event) });
      return { outcome, events };
    },
    async [Symbol.asyncDispose]() {
      await runner.close();
      rmSync(root, { recursive: true, force: true });
    },
  };
}

test('workflows in a thread of their own generate with the key of the submitter, and nothing they tell has it', async () => {
  await using service = await scriptedService({ picture: negativeOf, video: clip, progress: [50] });
  await using runner = startRunner(service.url);
  // Only what the thread was given counts.
  process.env['ATELIER_API_URL'] = 'http://127.0.0.1:9';
  const graph = {
    picture: { class_type: 'EmptyImage', inputs: { width: 6, height: 4, batch_size: 2, color: 0x336699 } },
    skin: {
      class_type: 'SkinEnhancer',
      inputs: { image: ['picture', 0], mode: 'creative', sharpen: 0, smart_grain: 2 },
    },
    saved: { class_type: 'SaveImage', inputs: { images: ['skin', 0], filename_prefix: 'skin' } },
    video: { class_type: 'TextToVideo', inputs: { model: 'clipq1', prompt: 'rain' } },
    film: {
      class_type: 'SaveVideo',
      inputs: { video: ['video', 0], filename_prefix: 'film', format: 'auto' },
    },
  };
  const targets = ['saved', 'film'];
  const first = await runner.run(graph, targets);
  assert.equal(first.outcome.status, 'success', JSON.stringify(first.outcome.error));
  assert.equal(service.tasks.length, 3);
  assert.ok(service.tasks.every(({ request }) => request.headers['x-api-key'] === KEY));
  const name = readdirSync(runner.folders.output).find((each) => each.endsWith('.png')) ?? '';
  const { data } = await sharp(readFileSync(join(runner.folders.output, name)))
    .raw()
    .toBuffer({ resolveWithObject: true });
  assert.deepEqual([...data.subarray(0, 3)], [0xcc, 0x99, 0x66]);
  const told = JSON.stringify(first);
  assert.equal(told.includes(KEY), false);
  assert.match(told, /Status: running/);

  const again = await runner.run(graph, targets);
  assert.equal(again.outcome.status, 'success');
  assert.equal(service.tasks.length, 3, 'what was bought is not bought again');

  rmSync(runner.folders.temp, { recursive: true });
  const film = { ...graph.film, inputs: { ...graph.film.inputs, filename_prefix: 'other' } };
  const later = await runner.run({ ...graph, film }, ['film']);
  assert.equal(later.outcome.status, 'success', 'a video whose file is gone is made again');
  assert.equal(service.tasks.length, 4);
});
