import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { WorkflowInputError } from '../errors.ts';
import { loadWorkflow } from './load-workflow.ts';

const GRAPH = {
  '3': {
    class_type: 'KSampler',
    inputs: { seed: 1, steps: 20, model: ['4', 0] },
    _meta: { title: 'Sampler v1.5' },
  },
  '6': { class_type: 'CLIPTextEncode', inputs: { text: 'a' }, _meta: { title: 'Positive' } },
  '7': { class_type: 'CLIPTextEncode', inputs: { text: 'b' }, _meta: { title: 'Negative' } },
  KSampler: { class_type: 'Other', inputs: { seed: 5, 'resize.width': 3 } },
};

function refusal(work: () => unknown): WorkflowInputError {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof WorkflowInputError);
    return error;
  }
  assert.fail('it was to be refused');
}

describe('a workflow in the API format', () => {
  it('is set by id, title and type, in this order, and leaves what it was made of alone', () => {
    const workflow = loadWorkflow(GRAPH);
    workflow.set('3.seed', 7).set('Positive.text', 'c').set('Sampler v1.5.steps', 30);
    workflow.set('KSampler.seed', 9).set('KSampler.resize.width', 4);
    assert.deepEqual(
      ['3.seed', '6.text', '3.steps', 'KSampler.seed', 'KSampler.resize.width'].map((name) =>
        workflow.get(name),
      ),
      [7, 'c', 30, 9, 4],
    );
    assert.equal(GRAPH['3'].inputs.seed, 1);
    const copy = workflow.copy().set('3.seed', 8);
    assert.deepEqual([workflow.get('3.seed'), copy.get('3.seed')], [7, 8]);
  });

  it('says what was meant', () => {
    const workflow = loadWorkflow(GRAPH);
    assert.deepEqual(refusal(() => workflow.set('3.sede', 1)).suggestions, ['seed']);
    assert.match(
      refusal(() => workflow.set('Positiv.text', 1)).message,
      /no node Positiv\. Did you mean Positive/,
    );
    assert.match(
      refusal(() => workflow.set('CLIPTextEncode.text', 1)).message,
      /Name one by its id: 6\.text, 7\.text/,
    );
    assert.match(refusal(() => workflow.set('99.x', 1)).message, /no node 99/);
    assert.match(refusal(() => workflow.set('seed', 1)).message, /node\.input/);
  });

  it('may be text, and stand in a request', () => {
    assert.equal(loadWorkflow(JSON.stringify({ prompt: GRAPH })).get('7.text'), 'b');
    assert.match(refusal(() => loadWorkflow('{')).message, /not JSON/);
    assert.match(refusal(() => loadWorkflow('[]')).message, /JSON object/);
    assert.match(refusal(() => loadWorkflow({ a: 1 })).message, /a is not a node/);
    assert.match(refusal(() => loadWorkflow({})).message, /no nodes/);
  });
});

describe('a file of the editor', () => {
  const sampler = {
    id: 3,
    type: 'KSampler',
    widgets_values: [5, 'randomize', 20, 'euler'],
    inputs: [{ name: 'seed', type: 'INT', widget: { name: 'seed' }, link: 4 }],
  };
  const file = (node: object) => ({ nodes: [node], links: [] });
  const nodeTypes = {
    KSampler: {
      input: {
        required: {
          model: ['MODEL'],
          seed: ['INT', { control_after_generate: true }],
          steps: ['INT', {}],
          sampler: [['euler', 'heun'], {}],
        },
      },
    },
  };

  it('is set by the order of its widgets, past the buttons between them, and loses the link of the input', () => {
    const workflow = loadWorkflow(file(sampler), { nodeTypes })
      .set('3.sampler', 'heun')
      .set('KSampler.seed', 6);
    const [node] = workflow.toJSON()['nodes'] as { widgets_values: unknown[]; inputs: { link: unknown }[] }[];
    assert.deepEqual(node?.widgets_values, [6, 'randomize', 20, 'heun']);
    assert.equal(node.inputs[0]?.link, null);
    assert.match(refusal(() => workflow.set('3.model', 'x')).message, /no input model/);
  });

  it('that names its widgets needs no node types', () => {
    const named = {
      ...sampler,
      inputs: ['seed', 'steps', 'sampler'].map((name) => ({ name, widget: { name }, link: null })),
    };
    assert.equal(loadWorkflow(file(named)).set('3.steps', 4).get('3.steps'), 4);
    assert.equal(loadWorkflow(file({ ...sampler, widgets_values: { steps: 3 } })).get('3.steps'), 3);
  });

  it('is refused where it is unclear which value is which', () => {
    const more = { ...sampler, widgets_values: [5, 'randomize', 20, 'euler', 1] };
    for (const options of [{}, { nodeTypes }]) {
      assert.match(
        refusal(() => loadWorkflow(file(more), options).set('3.steps', 1)).message,
        /does not say which value/,
      );
    }
  });
});
