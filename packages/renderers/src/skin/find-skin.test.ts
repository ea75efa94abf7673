import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { downscaleRgb } from '../pixels/downscale.ts';
import { PART, type Portrait, portrait, SKIN_TONES } from '../samples/portrait.ts';
import { findSkin } from './find-skin.ts';
import { smallPlanes } from './small-planes.ts';

function maskOf(rgb: Uint8Array, width: number, height: number): Float32Array | undefined {
  return findSkin(smallPlanes(downscaleRgb(rgb, { width, height }, 1)))?.mask;
}

function meanOn(mask: Float32Array, { parts }: Portrait, part: number): number {
  let [sum, count] = [0, 0];
  parts.forEach((found, at) => {
    if (found !== part) return;
    sum += mask[at] ?? 0;
    count++;
  });
  return sum / count;
}

describe('the mask of skin', () => {
  for (const skinTone of SKIN_TONES) {
    it(`finds ${skinTone} skin, and leaves hair, eyes, lips, brows, cloth and backdrop`, () => {
      const person = portrait({ width: 200, height: 200, seed: 11, skinTone });
      const mask = maskOf(person.rgb, 200, 200);
      assert.ok(mask !== undefined);
      assert.ok(meanOn(mask, person, PART.skin) > 0.75, `skin ${meanOn(mask, person, PART.skin)}`);
      for (const part of ['hair', 'eye', 'lips', 'brow', 'cloth', 'background'] as const) {
        assert.ok(meanOn(mask, person, PART[part]) < 0.15, `${part} ${meanOn(mask, person, PART[part])}`);
      }
    });
  }

  it('goes over into what is no skin softly', () => {
    const person = portrait({ width: 200, height: 200, seed: 11, skinTone: 'light' });
    const mask = maskOf(person.rgb, 200, 200) ?? new Float32Array();
    let steepest = 0;
    for (let at = 1; at < mask.length; at++) {
      if (at % 200 > 0) steepest = Math.max(steepest, Math.abs((mask[at] ?? 0) - (mask[at - 1] ?? 0)));
    }
    assert.ok(steepest < 0.75, `a step of ${steepest}`);
  });

  for (const [what, color] of [
    ['grey', (at: number) => [at % 256, at % 256, at % 256]],
    ['leaves', (at: number) => [40 + (at % 50), 110 + (at % 90), 30 + (at % 30)]],
    ['sky', (at: number) => [100 + (at % 20), 150 + (at % 20), 220]],
    ['black', () => [0, 0, 0]],
    ['white', () => [255, 255, 255]],
  ] as const) {
    it(`is absent for a picture of ${what}`, () => {
      const rgb = new Uint8Array(90 * 60 * 3);
      for (let at = 0; at < 90 * 60; at++) rgb.set(color((at * 31) % 997), at * 3);
      assert.equal(maskOf(rgb, 90, 60), undefined);
    });
  }
});
