import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { autogrow, defineNode, dynamicCombo, int } from '../index.ts';
import { flatInputs, nestInputs } from './flat-inputs.ts';

const node = defineNode({
  type: 'Odd',
  category: 'test',
  inputs: {
    constructor: dynamicCombo({ toString: { valueOf: int() } }),
    toString: autogrow(int(), { names: ['a', 'b'], min: 0 }),
    ...Object.fromEntries([['__proto__', int()]]),
  },
  outputs: [],
  run: () => [],
});

describe('inputs with names that every object has', () => {
  it('are those of the graph alone', () => {
    const names = flatInputs(node, {}).map(({ name }) => name);
    assert.deepEqual(names, ['constructor', '__proto__']);
  });

  it('come back in the shape that was declared', () => {
    const nested = nestInputs(
      node,
      JSON.parse('{"constructor": "toString", "constructor.valueOf": 1, "toString.b": 2, "__proto__": 3}'),
    );
    assert.equal(
      JSON.stringify(nested),
      '{"constructor":{"choice":"toString","valueOf":1},"toString":{"b":2},"__proto__":3}',
    );
    assert.equal(Object.getPrototypeOf(nested), Object.prototype);
  });

  it('have no choice unless the graph makes one', () => {
    assert.deepEqual(nestInputs(node, {})['constructor'], undefined);
  });
});
