import assert from 'node:assert/strict';
import { it } from 'node:test';

import { compareSettings } from './differences.ts';

const node = (class_type: string, inputs: object, title?: string) => ({
  class_type,
  inputs,
  ...(title !== undefined && { _meta: { title } }),
});

it('lists inputs that differ, with the names of their nodes, and counts the others', () => {
  const a = { 1: node('Load', { image: 'a.png', size: 1 }, 'Photo'), 2: node('Save', { images: ['1', 0] }) };
  const b = { 1: node('Load', { image: 'b.png', size: 1 }, 'Photo'), 2: node('Save', { images: ['1', 0] }) };
  const { differing, sameCount } = compareSettings(a, b);
  assert.deepEqual(
    differing.map((row) => [row.node, row.input, row.a, row.b]),
    [['Photo', 'image', 'a.png', 'b.png']],
  );
  assert.equal(sameCount, 2);
});

it('tells seeds of 64 bits apart, links, and nodes that only one job has', () => {
  const a = { 1: node('Noise', { seed: 9_007_199_254_740_993n }), 2: node('Save', { images: ['1', 0] }) };
  const b = {
    1: node('Noise', { seed: 9_007_199_254_740_992n }),
    2: node('Save', { images: ['3', 0] }),
    3: node('Blur', { radius: 2 }),
  };
  assert.deepEqual(
    compareSettings(a, b).differing.map((row) => [row.input, row.a, row.b]),
    [
      ['seed', '9007199254740993', '9007199254740992'],
      ['images', '← Noise (1)', '← Blur (3)'],
      ['radius', undefined, '2'],
    ],
  );
});

it('takes anything but a workflow for an empty one', () => {
  assert.deepEqual(compareSettings({ 1: null, 2: 'text' }, { 3: { inputs: [] } }), {
    differing: [],
    sameCount: 0,
  });
});
