import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findMissing, problemsOfRefusal } from './find-problems.ts';
import { findFormInputs } from './form-inputs.ts';
import type { Json } from './json.ts';
import { catalogue } from './test/node-types.ts';
import { readNodes } from './workflow-nodes.ts';

const api: Json = {
  1: { class_type: 'Model', inputs: { name: 'b.safetensors' } },
  2: { class_type: 'Prompt', inputs: { text: 'a cat' }, _meta: { title: 'Positive' } },
  3: { class_type: 'Prompt', inputs: { text: 'ugly' }, _meta: { title: 'Negative' } },
  4: { class_type: 'Sampler', inputs: { model: ['1', 0], positive: ['2', 0], seed: 5, steps: 20 } },
  5: { class_type: 'Load', inputs: { image: 'a.png' } },
  6: { class_type: 'Unheard', inputs: {} },
};

const inputsOf = (json: Json) => findFormInputs(json, readNodes(json, catalogue));

describe('the inputs that matter', () => {
  it('are pictures, prompts and seeds, with the names of their nodes where those are needed', () => {
    const { main, advanced, isPinned } = inputsOf(api);
    assert.equal(isPinned, false);
    assert.deepEqual(
      main.map(({ key, kind, label, detail }) => [key, kind, label, detail]),
      [
        ['5.image', 'picture', 'Image', undefined],
        ['2.text', 'prompt', 'Text', 'Positive'],
        ['3.text', 'prompt', 'Text', 'Negative'],
        ['4.seed', 'seed', 'Seed', undefined],
      ],
    );
    assert.deepEqual(
      advanced.map(({ node, inputs }) => [node.id, inputs.map(({ key }) => key)]),
      [
        ['1', ['1.name']],
        ['4', ['4.steps', '4.sampler']],
        ['5', ['5.note']],
      ],
    );
  });

  it('are those the author has pinned; what is not there is left out', () => {
    const node = { id: 2, type: 'Prompt', widgets_values: ['a cat'] };
    const pinned = [
      { node: '2', input: 'text', label: 'Words' },
      { node: '9', input: 'gone' },
    ];
    const own: Json = { nodes: [node], links: [], extra: { atelier: { inputs: pinned } } };
    assert.deepEqual(
      inputsOf(own).main.map(({ key, label }) => [key, label]),
      [['2.text', 'Words']],
    );
    const app: Json = { nodes: [node], links: [], extra: { linearData: { inputs: [[2, 'text']] } } };
    assert.deepEqual(
      inputsOf(app).main.map(({ key }) => key),
      ['2.text'],
    );
    assert.equal(inputsOf(app).isPinned, true);
  });
});

describe('what keeps a workflow from running', () => {
  it('is named before the run', () => {
    assert.deepEqual(findMissing(readNodes(api, catalogue)), [
      { nodeId: '1', input: 'name', kind: 'missing-model', text: 'b.safetensors' },
      { nodeId: '6', input: undefined, kind: 'missing-type', text: 'Unheard' },
    ]);
  });

  it('has the sentence of the server', () => {
    const errors = [
      {
        type: 'value_smaller_than_min',
        message: 'Too small',
        details: 'steps',
        extra_info: { input_name: 'steps' },
      },
      { type: 'other', message: 'Broken', details: '', extra_info: {} },
    ];
    assert.deepEqual(problemsOfRefusal({ 4: { errors, dependent_outputs: [], class_type: 'Sampler' } }), [
      { nodeId: '4', input: 'steps', kind: 'refused', text: 'Too small: steps' },
      { nodeId: '4', input: undefined, kind: 'refused', text: 'Broken' },
    ]);
  });
});
