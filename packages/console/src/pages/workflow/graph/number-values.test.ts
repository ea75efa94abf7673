import assert from 'node:assert/strict';
import { test } from 'node:test';

import { type NumberInput, parseNumber, stepBy } from './number-values.ts';

const int: NumberInput = {
  kind: 'int',
  big: false,
  optional: false,
  options: { min: 0, max: 2n ** 64n - 1n },
};
const float: NumberInput = { kind: 'float', optional: false, options: { min: -1, max: 1, step: 0.1 } };

test('numbers are exact however large, within their bounds, and half a number is none', () => {
  assert.equal(parseNumber('18446744073709551615', int), 2n ** 64n - 1n);
  assert.equal(parseNumber('18446744073709551616', int), 2n ** 64n - 1n);
  assert.equal(parseNumber(' 12.6 ', int), 13);
  assert.equal(parseNumber('-3', int), 0);
  assert.equal(parseNumber('0,5', float), 0.5);
  assert.equal(parseNumber('7', float), 1);
  for (const nothing of ['', '-', 'abc', '1e999', '1.2.3'])
    assert.equal(parseNumber(nothing, float), undefined);
});

test('steps leave no dust behind and stay within bounds', () => {
  assert.equal(stepBy(0.1, 2, float), 0.3);
  assert.equal(stepBy(0.95, 1, float), 1);
  assert.equal(stepBy(2n ** 63n, -1, int), 2n ** 63n - 1n);
  assert.equal(stepBy(undefined, 1, int), 1);
});
