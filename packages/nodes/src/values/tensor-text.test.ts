import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { noiseMask } from '../test/run-node.ts';
import { pythonStr } from './python-text.ts';
import { tensorText } from './tensor-text.ts';

interface Fixture {
  readonly cases: readonly (readonly [
    shape: readonly number[],
    seed: number,
    scale: number,
    offset: number,
    whole: boolean,
    expected: string,
  ])[];
  readonly special: readonly [numbers: string, latent: string];
}

const fixture = JSON.parse(
  readFileSync(new URL('../../test/fixtures/tensor-text.json', import.meta.url), 'utf8'),
) as Fixture;

test('pictures and masks print as PyTorch prints them', () => {
  for (const [shape, seed, scale, offset, whole, expected] of fixture.cases) {
    const size = shape.reduce((a, b) => a * b, 1);
    const data = noiseMask({ height: 1, width: size }, { seed }).data.map((value) => {
      const moved = Math.fround(Math.fround(value * Math.fround(scale)) + offset);
      return whole ? Math.floor(moved) : moved;
    });
    assert.equal(tensorText({ shape, data }), expected, JSON.stringify(shape));
  }
});

test('numbers that are none stand in line with the others', () => {
  const data = Float32Array.of(Number.NaN, 1.5, Infinity, -Infinity, -2, -0);
  assert.equal(tensorText({ shape: [1, 2, 3], data }), fixture.special[0]);
});

test('a latent prints as the dictionary it is', () => {
  const samples = { batch: 1, channels: 4, height: 2, width: 3, data: new Float32Array(24) };
  assert.equal(pythonStr({ samples }), fixture.special[1]);
});
