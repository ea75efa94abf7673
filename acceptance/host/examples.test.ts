import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createAtelier, loadWorkflow } from '@atelier/sdk';
import { PATIENCE_MS, type RunningServer, startServer } from '@atelier/testing';
import sharp from 'sharp';

import { client } from '../support/http-client.ts';
import { admin } from '../support/people.ts';

const NAMES = [
  'color-field',
  'kaleidoscope',
  'mountain-flight',
  'mountains-at-dusk',
  'neon-sign',
  'palette-sheet',
  'pixel-sunset',
  'topographic-map',
];

interface About {
  readonly title: string;
  readonly description: string;
  readonly tags: readonly string[];
  readonly inputs: readonly { readonly node: string; readonly input: string; readonly label: string }[];
}

describe('the example workflows', () => {
  let server: RunningServer;
  before(async () => {
    server = await startServer();
  });
  after(async () => await server?.[Symbol.asyncDispose]());
  const atelier = () => createAtelier({ url: server.url, apiKey: server.admin.api_key });

  test('[HOST-32] the templates dialog of ComfyUI finds them, in every language', async () => {
    const api = admin(server);
    for (const door of ['', '/api']) {
      for (const index of ['index', 'index.zh', 'index.zh-TW', 'index.pt-BR']) {
        const { status, body } = await api.get<{ templates: { name: string }[] }[]>(
          `${door}/templates/${index}.json`,
        );
        assert.equal(status, 200);
        assert.deepEqual(
          body.flatMap(({ templates }) => templates.map(({ name }) => name)),
          NAMES,
        );
      }
    }
    for (const name of ['none.json', 'none-1.webp', 'color-field-2.webp', 'color-field', '..%2Ffirst.json']) {
      assert.equal((await api.get(`/templates/${name}`)).status, 404, name);
    }
    assert.equal((await client(server.url).get('/templates/index.json')).status, 401);
  });

  test('[HOST-32] the client lists them, with what a page needs to show them', async () => {
    const examples = await atelier().workflows.examples();
    assert.deepEqual(
      examples.map(({ name }) => name),
      NAMES,
    );
    for (const { title, description, tags, thumbnail } of examples) {
      assert.ok(title.length > 3 && description.endsWith('.') && tags.length > 0, title);
      const answer = await fetch(server.url + thumbnail, { headers: { 'x-api-key': server.admin.api_key } });
      assert.equal(answer.headers.get('content-type'), 'image/webp');
      const bytes = Buffer.from(await answer.arrayBuffer());
      assert.ok(bytes.length < 30_000, title);
      const { width, height } = await sharp(bytes).metadata();
      assert.equal(Math.max(width, height), 400);
    }
  });

  for (const name of NAMES) {
    test(`[HOST-32] ${name} runs, and its pinned inputs can be set`, async () => {
      const own = atelier();
      const json = await own.workflows.example(name);
      const { inputs } = (json['extra'] as { atelier: About }).atelier;
      assert.ok(inputs.length >= 3);
      const workflow = await own.workflows.load(json);
      for (const { node, input, label } of inputs) {
        assert.notEqual(label, '');
        const value = workflow.get(`${node}.${input}`);
        assert.notEqual(value, undefined, `${node}.${input}`);
        workflow.set(`${node}.${input}`, value as string);
      }
      const job = await own.jobs.submit(loadWorkflow(workflow.toJSON()));
      const { outputs } = await job.result({ signal: AbortSignal.timeout(PATIENCE_MS) });
      assert.equal(outputs.length, 1);
      assert.match(outputs[0]?.type ?? '', name === 'mountain-flight' ? /^video\/mp4$/ : /^image\/png$/);
      assert.ok((outputs[0]?.size ?? 0) > 10_000);
    });
  }
});
