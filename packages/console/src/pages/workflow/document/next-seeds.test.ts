import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { withSeedControl, withValue } from './change-workflow.ts';
import { withNextSeeds } from './next-seeds.ts';
import { createNodeCatalogue } from './node-catalogue.ts';
import { readNodes } from './workflow-nodes.ts';

const catalogue = createNodeCatalogue({
  Noise: {
    input: {
      required: {
        seed: ['INT', { min: 0, max: 10, control_after_generate: true }],
        strength: ['FLOAT', {}],
      },
    },
  },
});
type File = { readonly nodes: readonly { readonly widgets_values: readonly unknown[] }[] };
const valuesOf = (json: unknown) => (json as File).nodes.map(({ widgets_values: values }) => values);
const file = (control: string, seed = 3) => ({
  nodes: [{ id: 1, type: 'Noise', widgets_values: [seed, control, 0.5] }],
  links: [],
});

describe('what happens to seeds after a run', () => {
  it('is what the file says', () => {
    const after = (control: string, seed?: number) =>
      valuesOf(withNextSeeds(file(control, seed), catalogue))[0];
    assert.deepEqual(after('fixed'), [3, 'fixed', 0.5]);
    assert.deepEqual(after('increment'), [4, 'increment', 0.5]);
    assert.deepEqual(after('increment', 10), [10, 'increment', 0.5]);
    assert.deepEqual(after('increment-wrap', 10), [0, 'increment-wrap', 0.5]);
    assert.deepEqual(after('decrement', 0), [0, 'decrement', 0.5]);
    const [seed] = after('randomize') ?? [];
    assert.ok(typeof seed === 'number' && seed >= 0 && seed <= 10);
  });

  it('can be changed, and nothing else is', () => {
    const changed = withSeedControl(
      file('fixed'),
      { nodeId: '1', input: 'seed', control: 'randomize' },
      catalogue,
    );
    assert.deepEqual(valuesOf(changed), [[3, 'randomize', 0.5]]);
    const same = withSeedControl(
      file('fixed'),
      { nodeId: '1', input: 'strength', control: 'randomize' },
      catalogue,
    );
    assert.deepEqual(valuesOf(same), [[3, 'fixed', 0.5]]);
  });
});

describe("the editor's own node for a value", () => {
  const json = {
    nodes: [
      { id: 1, type: 'PrimitiveNode', outputs: [{ type: 'INT' }], widgets_values: [3, 'increment'] },
      {
        id: 2,
        type: 'Noise',
        inputs: [{ name: 'seed', widget: { name: 'seed' }, link: 5 }],
        widgets_values: [0, 'fixed', 0.5],
      },
      { id: 3, type: 'PrimitiveNode', outputs: [{ type: 'STRING' }], widgets_values: ['text'] },
      { id: 4, type: 'PrimitiveNode', outputs: [{ type: 'connect to widget input' }], widgets_values: [] },
    ],
    links: [[5, 1, 0, 2, 0, 'INT']],
  };

  it('has one of the kind of the input that it leads to, and changes it', () => {
    const [first, , text, none] = readNodes(json, catalogue);
    const [widget] = first?.widgets ?? [];
    assert.deepEqual([widget?.label, widget?.value, widget?.control], ['seed', 3, 'increment']);
    assert.equal(widget?.input.kind === 'int' && widget.input.options.max, 10);
    assert.equal(text?.widgets[0]?.input.kind, 'string');
    assert.deepEqual(none?.widgets, []);
    const changed = withValue(json, { nodeId: '1', input: 'value', value: 7 }, catalogue);
    assert.deepEqual(valuesOf(changed)[0], [7, 'increment']);
    assert.deepEqual(valuesOf(withNextSeeds(changed, catalogue))[0], [8, 'increment']);
  });
});
