import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { colorFromHex, LINEAR_OF_BYTE, linearFromSrgb, luminance, srgbFromLinear, tintOf } from './color.ts';

describe('colors', () => {
  it('go to linear light and back', () => {
    for (let value = 0; value < 256; value++) {
      assert.ok(Math.abs(srgbFromLinear(LINEAR_OF_BYTE[value] ?? -1) * 255 - value) < 0.01);
    }
    assert.ok(Math.abs(linearFromSrgb(0.5) - 0.21404) < 1e-5);
  });

  it('are read from hex', () => {
    assert.deepEqual(colorFromHex('#ff0000'), [1, 0, 0]);
    assert.deepEqual(colorFromHex('#000000'), [0, 0, 0]);
  });

  it('have a tint of luminance 1', () => {
    assert.ok(Math.abs(luminance(...tintOf([0.2, 0.5, 0.1])) - 1) < 1e-9);
  });
});
