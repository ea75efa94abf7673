import assert from 'node:assert/strict';
import { describe, it } from 'node:test';

import { findReferences, nameReferences } from './asset-references.ts';

const reference = (id: unknown) => ({ __type: 'core/ASSET', info: { id } });

describe('references to assets in a workflow', () => {
  it('are found at any depth and replaced, and nothing else changes', () => {
    const float = new (class Float {
      readonly value = 5;
    })();
    const workflow = {
      '1': {
        class_type: 'A',
        inputs: { image: reference('a'), list: [[reference('b')], { c: reference('a') }] },
      },
      '2': { class_type: 'B', inputs: { link: ['1', 0], seed: 2n ** 60n, float, other: { __type: 'x' } } },
    };
    assert.deepEqual(findReferences(workflow).toSorted(), ['a', 'b']);
    assert.deepEqual(nameReferences(workflow, { a: 'a.png', b: 'b.png [output]' }), {
      '1': { class_type: 'A', inputs: { image: 'a.png', list: [['b.png [output]'], { c: 'a.png' }] } },
      '2': workflow['2'],
    });
    assert.deepEqual(findReferences({ '1': {} }), []);
  });

  it('are refused without an id, and when there are too many', () => {
    for (const bad of [{ __type: 'core/ASSET' }, reference(''), reference(5), reference('x'.repeat(129))]) {
      assert.throws(() => findReferences({ a: bad }), { code: 'v2.missing_asset' });
    }
    const many = Array.from({ length: 1001 }, (_, n) => reference(String(n)));
    assert.throws(() => findReferences(many), { code: 'v2.missing_asset' });
  });
});
