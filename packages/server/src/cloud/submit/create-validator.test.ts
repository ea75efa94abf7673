import assert from 'node:assert/strict';
import { after, describe, it } from 'node:test';
import {
  combo,
  createCatalogue,
  createFolderFiles,
  defineNode,
  describeNodes,
  int,
  link,
  mergeCatalogues,
  output,
  readNodeDescriptions,
  string,
} from '@atelier/engine';
import { pack } from '@atelier/nodes';

import { AppError } from '../../platform/errors/app-error.ts';
import { createValidator } from './create-validator.ts';
import { RefusedPrompt } from './refused-prompt.ts';

const folders = { input: 'none', output: 'none', temp: 'none' };
const LONG = 'x'.repeat(100_000);

const picky = defineNode({
  type: 'Picky',
  category: 'test',
  outputNode: true,
  inputs: { word: string() },
  outputs: [],
  validate: { inputs: ['word'], check: () => true },
  run: () => [],
});

const loader = defineNode({
  type: 'CheckpointLoaderSimple',
  category: 'test',
  inputs: { ckpt_name: combo(['a.safetensors', 'b.safetensors']), how: combo(['fast', 'slow']) },
  outputs: [output('MODEL')],
  run: () => [0],
});
/** Of the same name as a built-in one, with an input more. */
const show = defineNode({
  type: 'PreviewAny',
  category: 'test',
  outputNode: true,
  inputs: { source: link('*'), more: int() },
  outputs: [],
  run: () => [],
});
const partner = { ...show, type: 'ForeignPartner', apiNode: true };

describe('validating submissions', () => {
  const description = describeNodes(createCatalogue([pack, { name: 'test', nodes: [picky] }]));
  const catalogue = readNodeDescriptions(description);
  const foreign = describeNodes(createCatalogue([{ name: 'comfyui', nodes: [loader, show, partner] }]));
  const foreignTypes = readNodeDescriptions(foreign);
  const questions: unknown[] = [];
  let validatedInThread = 0;
  const validator = createValidator({
    nodeTypes: async () =>
      await Promise.resolve({
        catalogue: mergeCatalogues([foreignTypes, catalogue]),
        kinds: {
          'built-in': {
            catalogue,
            // Only a thread has to be given them.
            get descriptions() {
              validatedInThread += 1;
              return [description];
            },
          },
          comfyui: { catalogue: foreignTypes, descriptions: [foreign] },
        },
        conflicts: [],
        isModel: (name: string) => name.endsWith('.safetensors'),
        isAtOneComfyUi: () => true,
      }),
    async askCheck({ type, values, types }) {
      questions.push([type, values, types]);
      if (values['word'] === 'crash') throw Object.assign(new Error('no more'), { name: 'OddError' });
      return await Promise.resolve(values['word'] === 'please' || 'say please');
    },
    places: {
      namesOf: () => createFolderFiles(folders),
      foldersFor: async () => await Promise.resolve({ folders, [Symbol.asyncDispose]: async () => {} }),
    },
  });
  after(async () => await validator.close());

  async function validate(prompt: string, note: string, labels: readonly string[] = []) {
    const text = `{"prompt":${prompt},"client_id":"c","extra_data":{"seed":18446744073709551615,"note":${note},"worker_labels":${JSON.stringify(labels)}}}`;
    try {
      return await validator.validate('ada', { text, usageSource: 'test', createTime: 5 });
    } catch (error) {
      if (error instanceof RefusedPrompt) return error.body;
      return error instanceof AppError ? [error.code, error.message, error.details] : error;
    }
  }

  for (const [what, prompt] of [
    ['that can run', '{"2":{"class_type":"PreviewAny","inputs":{"source":18446744073709551615}}}'],
    ['with a wrong node', '{"2":{"class_type":"PreviewAny","inputs":{}}}'],
    ['with an unknown node type', '{"2":{"class_type":"Nope","inputs":{"source":18446744073709551615}}}'],
    ['whose check is custom', '{"2":{"class_type":"Picky","inputs":{"word":"please"}}}'],
    ['whose check refuses it', '{"2":{"class_type":"Picky","inputs":{"word":"now"}}}'],
    ['whose check fails', '{"2":{"class_type":"Picky","inputs":{"word":"crash"}}}'],
    ['as the editor saves it', '{"nodes":[],"links":[]}'],
    ['that cannot be stored', String.raw`{"2":{"class_type":"\ud800","inputs":{}}}`],
    ['that is not JSON', '{'],
    [
      'for ComfyUI',
      '{"1":{"class_type":"CheckpointLoaderSimple","inputs":{"ckpt_name":"b.safetensors","how":"slow"}},"2":{"class_type":"PreviewAny","inputs":{"source":["1",0],"more":1}}}',
    ],
    [
      'that runs nowhere',
      '{"1":{"class_type":"CheckpointLoaderSimple","inputs":{}},"2":{"class_type":"Picky","inputs":{}}}',
    ],
  ] as const) {
    it(`says the same in a thread as without one, of a workflow ${what}`, async () => {
      questions.length = 0;
      const here = await validate(prompt, '""');
      const before = validatedInThread;
      const inThread = await validate(prompt, `"${LONG}"`);
      assert.equal(validatedInThread, before + 1, 'it was not validated in the thread');
      const cut: unknown = JSON.parse(JSON.stringify(inThread).replaceAll(LONG, ''));
      // Where the text ends differs.
      const atEnd = (value: unknown) => JSON.stringify(value).replace(/char \d+/, '');
      assert.equal(atEnd(cut), atEnd(here));
      assert.deepEqual(questions[1], questions[0]);
    });
  }

  const needsOf = async (graph: object, labels: readonly string[] = []) => {
    const said = await validate(JSON.stringify(graph), '""', labels);
    return typeof said === 'object' && said !== null && 'needs' in said
      ? said.needs
      : (JSON.parse(String(said)) as unknown);
  };
  const builtIn = { class_type: 'PreviewAny', inputs: { source: 'x' } };
  const load = (ckpt_name: string) => ({
    class_type: 'CheckpointLoaderSimple',
    inputs: { ckpt_name, how: 'slow' },
  });
  const shown = { class_type: 'PreviewAny', inputs: { source: ['1', 0], more: 1 } };

  it('takes the built-in types, unless the workflow needs ComfyUI or asks for it', async () => {
    assert.deepEqual(await needsOf({ 2: builtIn }), { nodeTypes: ['PreviewAny'], labels: [] });
    assert.deepEqual(await needsOf({ 1: load('b.safetensors'), 2: shown }), {
      nodeTypes: ['CheckpointLoaderSimple', 'PreviewAny'],
      labels: [],
      kind: 'comfyui',
      models: ['b.safetensors'],
    });
    const more = { ...builtIn, inputs: { source: 'x', more: 1 } };
    assert.deepEqual(await needsOf({ 2: more }, ['gpu', 'comfyui']), {
      nodeTypes: ['PreviewAny'],
      labels: ['comfyui', 'gpu'],
      kind: 'comfyui',
    });
  });

  it('validates a workflow for ComfyUI as a whole by the types there', async () => {
    const missing = await needsOf({ 1: load('a.safetensors'), 2: builtIn });
    assert.match(JSON.stringify(missing), /"required_input_missing".*"more"/);
    assert.match(JSON.stringify(await needsOf({ 1: load('c.safetensors'), 2: shown })), /value_not_in_list/);
  });

  it('gives no credentials of this server to a partner node of ComfyUI', async () => {
    const graph = { 1: { class_type: 'ForeignPartner', inputs: { source: 'x', more: 1 } } };
    const validated = await validate(JSON.stringify(graph), '""');
    assert.deepEqual((validated as { partnerNodes: unknown }).partnerNodes, []);
  });

  it('refuses types that cannot run in one place as missing, and names them', async () => {
    const picked = { class_type: 'Picky', inputs: { word: 'please' } };
    assert.deepEqual(await needsOf({ 1: load('a.safetensors'), 2: shown, 3: picked }), {
      error: {
        type: 'missing_node_type',
        message: "Node 'Picky' not found. The custom node may not be installed.",
        details:
          "Node ID '#3'. Picky is a built-in node type and CheckpointLoaderSimple one of ComfyUI workers: the two never run in one place.",
        extra_info: { node_id: '3', class_type: 'Picky', node_title: 'Picky' },
      },
      node_errors: {},
    });
    const unknown = await needsOf({ 1: load('a.safetensors'), 3: { class_type: 'Nope', inputs: {} } });
    assert.match(JSON.stringify(unknown), /Node 'Nope' not found/);
  });

  it('gives accounts turns: one with many large workflows does not hold up another', async () => {
    const order: string[] = [];
    const large = async (userId: string) => {
      const text = JSON.stringify({ prompt: {}, extra_data: { note: LONG } });
      await validator
        .validate(userId, { text, usageSource: undefined, createTime: 5 })
        .catch((error: unknown) => assert.ok(error instanceof RefusedPrompt));
      order.push(userId);
    };
    await Promise.all([large('ada'), large('ada'), large('ada'), large('bob')]);
    assert.deepEqual(order, ['ada', 'bob', 'ada', 'ada']);
  });
});
