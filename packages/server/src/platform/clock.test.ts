import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';

import { toIso } from './clock.ts';

describe('toIso', () => {
  it('writes every time as Date does', () => {
    fc.assert(
      fc.property(fc.integer({ min: -8.64e15, max: 8.64e15 }), (time) => {
        assert.equal(toIso(time), new Date(time).toISOString());
      }),
    );
    for (const time of [0, -1, 86_399_999, 86_400_000, 8.64e15, -8.64e15, 1_794_733_892_248]) {
      assert.equal(toIso(time), new Date(time).toISOString());
    }
  });

  it('throws for an invalid time, and works afterwards', () => {
    assert.throws(() => toIso(8.64e15 + 86_400_000), RangeError);
    assert.throws(() => toIso(Number.NaN), RangeError);
    assert.equal(toIso(1), '1970-01-01T00:00:00.001Z');
  });
});
