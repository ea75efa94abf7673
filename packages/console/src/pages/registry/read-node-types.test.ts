import assert from 'node:assert/strict';
import { describe, test } from 'node:test';

import { readInputs, readOutputs } from './read-node-types.ts';

describe('the types of an inner node', () => {
  test('are inputs with their bounds, the required first', () => {
    const json = JSON.stringify({
      optional: { mode: [['fast', 'good']], kind: ['COMBO', { options: ['a', null] }] },
      required: { image: ['IMAGE'], steps: ['INT', { default: 20, min: 1, tooltip: 'x' }], later: null },
      hidden: { prompt: 'PROMPT' },
    });
    assert.deepEqual(readInputs(json), [
      { name: 'image', isOptional: false, type: 'IMAGE', options: [] },
      {
        name: 'steps',
        isOptional: false,
        type: 'INT',
        options: [
          ['default', '20'],
          ['min', '1'],
        ],
      },
      { name: 'later', isOptional: false, type: undefined, options: [] },
      { name: 'mode', isOptional: true, type: 'fast | good', options: [] },
      { name: 'kind', isOptional: true, type: 'a | …', options: [] },
    ]);
  });

  test('are unknown where the sources do not spell them out', () => {
    for (const json of [undefined, '', 'null', '[]', '"x"', '{']) assert.equal(readInputs(json), undefined);
    assert.deepEqual(readInputs('{"required":[],"optional":7}'), []);
  });

  test('are outputs with their names, or their types in the place of names', () => {
    assert.deepEqual(
      readOutputs({
        return_types: '["IMAGE","MASK",null]',
        return_names: '["picture"]',
        output_is_list: [false, true],
      }),
      [
        { name: 'picture', type: 'IMAGE', isList: false },
        { name: 'MASK', type: 'MASK', isList: true },
        { name: '…', type: '…', isList: false },
      ],
    );
    assert.deepEqual(readOutputs({}), []);
  });
});
