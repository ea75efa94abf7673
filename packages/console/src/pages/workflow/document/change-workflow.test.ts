import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { withMode, withValue } from './change-workflow.ts';
import type { Json } from './json.ts';
import { catalogue } from './test/node-types.ts';
import { toPrompt } from './to-prompt.ts';
import { readNodes } from './workflow-nodes.ts';

const SUBGRAPH = '11111111-2222-4333-8444-555555555555';

const editor: Json = {
  nodes: [
    { id: 1, type: 'Model', widgets_values: ['a.safetensors'], outputs: [{ type: 'MODEL' }] },
    {
      id: 2,
      type: 'Sampler',
      title: 'My sampler',
      inputs: [
        { name: 'model', type: 'MODEL', link: 1 },
        { name: 'positive', type: 'CONDITIONING', link: 2 },
      ],
      widgets_values: [7, 'randomize', 20, 'euler'],
    },
    { id: 3, type: SUBGRAPH, outputs: [{ type: 'CONDITIONING' }], widgets_values: ['a cat'] },
    { id: 4, type: 'Note', widgets_values: ['Read me'] },
    { id: 5, type: 'Gone' },
  ],
  links: [
    [1, 1, 0, 2, 0, 'MODEL'],
    [2, 3, 0, 2, 1, 'CONDITIONING'],
  ],
  definitions: {
    subgraphs: [
      {
        id: SUBGRAPH,
        name: 'Words',
        inputs: [{ name: 'words', label: 'What to draw' }],
        outputs: [{ linkIds: [2] }],
        nodes: [
          {
            id: 9,
            type: 'Prompt',
            inputs: [{ name: 'text', type: 'STRING', link: 1, widget: { name: 'text' } }],
            outputs: [{ type: 'CONDITIONING' }],
            widgets_values: ['a dog'],
          },
        ],
        links: [
          [1, -10, 0, 9, 0, 'STRING'],
          [2, 9, 0, -20, 0, 'CONDITIONING'],
        ],
      },
    ],
  },
};

const valuesOf = (json: Json, id: string) =>
  Object.fromEntries(
    readNodes(json, catalogue)
      .find((node) => node.id === id)
      ?.widgets.map(({ name, value }) => [name, value]) ?? [],
  );

describe('a workflow of the editor', () => {
  it('is read with titles, kinds and values', () => {
    const nodes = readNodes(editor, catalogue);
    assert.deepEqual(
      nodes.map(({ id, title, kind }) => [id, title, kind]),
      [
        ['1', 'Model', 'node'],
        ['2', 'My sampler', 'node'],
        ['3', 'Words', 'subgraph'],
        ['3:9', 'Prompt', 'node'],
        ['4', 'Note', 'editor'],
        ['5', 'Gone', 'missing'],
      ],
    );
    assert.deepEqual(valuesOf(editor, '2'), { seed: 7, steps: 20, sampler: 'euler' });
    assert.deepEqual(valuesOf(editor, '3'), { words: 'a cat' });
    assert.equal(nodes.find(({ id }) => id === '3')?.widgets[0]?.label, 'What to draw');
    assert.equal(nodes.find(({ id }) => id === '3:9')?.widgets[0]?.isLinked, true);
  });

  it('has another value, and what stands behind a seed stays', () => {
    const changed = withValue(editor, { nodeId: '2', input: 'steps', value: 8 }, catalogue);
    const [, sampler] = changed['nodes'] as Json[];
    assert.deepEqual(sampler?.['widgets_values'], [7, 'randomize', 8, 'euler']);
    assert.deepEqual(valuesOf(editor, '2'), { seed: 7, steps: 20, sampler: 'euler' });
  });

  it('has another value of a subgraph, which is what runs', () => {
    const runnable = { ...editor, nodes: (editor['nodes'] as Json[]).slice(0, 3) };
    const changed = withValue(runnable, { nodeId: '3', input: 'words', value: 'a fox' }, catalogue);
    assert.deepEqual(valuesOf(changed, '3'), { words: 'a fox' });
    assert.deepEqual(toPrompt(changed, catalogue)['3:9']?.inputs, { text: 'a fox' });
  });

  it('has modes', () => {
    const changed = withMode(editor, '2', 'bypass');
    assert.equal(readNodes(changed, catalogue).find(({ id }) => id === '2')?.mode, 'bypass');
    const inner = withMode(editor, '3:9', 'mute');
    assert.equal(readNodes(inner, catalogue).find(({ id }) => id === '3:9')?.mode, 'mute');
  });

  it('gets the inputs of the choice that is made', () => {
    const resize: Json = {
      nodes: [{ id: 1, type: 'Resize', widgets_values: ['size', 640, 480, true] }],
      links: [],
    };
    assert.deepEqual(valuesOf(resize, '1'), { how: 'size', 'how.width': 640, 'how.height': 480, crop: true });
    const changed = withValue(resize, { nodeId: '1', input: 'how', value: 'factor' }, catalogue);
    assert.deepEqual(valuesOf(changed, '1'), { how: 'factor', 'how.by': 2, crop: true });
    const [node] = changed['nodes'] as Json[];
    assert.deepEqual(node?.['widgets_values'], ['factor', 2, true]);
  });

  it('keeps the value of the upload button', () => {
    const load: Json = {
      nodes: [{ id: 1, type: 'Load', widgets_values: ['a.png', 'image', 'x'] }],
      links: [],
    };
    assert.deepEqual(valuesOf(load, '1'), { image: 'a.png', note: 'x' });
    const changed = withValue(load, { nodeId: '1', input: 'image', value: 'b.png' }, catalogue);
    assert.deepEqual((changed['nodes'] as Json[])[0]?.['widgets_values'], ['b.png', 'image', 'x']);
  });
});

describe('a workflow of the API format', () => {
  const api: Json = {
    1: { class_type: 'Load', inputs: { image: 'a.png' } },
    2: { class_type: 'Resize', inputs: { image: ['1', 0], how: 'factor', 'how.by': 3 } },
    3: { class_type: 'Save', inputs: { images: ['2', 0] } },
  };

  it('has another value', () => {
    const changed = withValue(api, { nodeId: '2', input: 'how.by', value: 4 }, catalogue);
    assert.deepEqual(valuesOf(changed, '2'), { how: 'factor', 'how.by': 4, crop: false });
  });

  it('passes on what a bypassed node gets, and leaves out what is muted', () => {
    const bypassed = toPrompt(withMode(api, '2', 'bypass'), catalogue);
    assert.deepEqual(bypassed['3']?.inputs, { images: ['1', 0] });
    assert.equal(bypassed['2'], undefined);
    const muted = toPrompt(withMode(api, '1', 'mute'), catalogue);
    assert.deepEqual(muted['2']?.inputs, { how: 'factor', 'how.by': 3 });
  });
});
