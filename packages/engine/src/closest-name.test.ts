import assert from 'node:assert/strict';
import { test } from 'node:test';

import { closestName } from './closest-name.ts';

const KNOWN = ['width', 'height', 'prompt', 'SaveImage', 'LoadImage', 'PreviewImage', 'a'];

for (const [given, meant] of [
  ['widht', 'width'],
  ['promt', 'prompt'],
  ['SaveImages', 'SaveImage'],
  ['saveimage', 'SaveImage'],
  ['Load Image', 'LoadImage'],
  ['color', undefined],
  ['', undefined],
  ['b', undefined],
  ['x'.repeat(10_000), undefined],
] as const) {
  test(`"${given.slice(0, 20)}" is ${meant === undefined ? 'no known name' : `taken for ${meant}`}`, () => {
    assert.equal(closestName(given, KNOWN), meant);
  });
}
