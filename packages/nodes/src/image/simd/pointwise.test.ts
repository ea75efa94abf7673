import assert from 'node:assert/strict';
import { test } from 'node:test';
import { pointwise } from './pointwise.ts';
import { add, atMost, choose, float, mul, sqrt, sub } from './wasm-code.ts';

const twice = pointwise({ sources: 1, scalars: 1 }, (element, scalar) =>
  add(mul(element(0), float(2)), scalar(0)),
);

test('every element is computed, whatever the length', () => {
  for (const length of [0, 1, 3, 4, 5, 4095, 4096, 4097, 8193]) {
    const source = Float32Array.from({ length }, (_, index) => index);
    const target = new Float32Array(length).fill(Number.NaN);
    twice(target, [source], { scalars: [0.5] });
    assert.deepEqual(
      target,
      source.map((value) => 2 * value + 0.5),
    );
  }
});

test('elements before and behind a part of an array are left alone', () => {
  const target = new Float32Array(12).fill(7);
  twice(target.subarray(3, 8), [new Float32Array(5)], { scalars: [1] });
  assert.deepEqual([...target], [7, 7, 7, 1, 1, 1, 1, 1, 7, 7, 7, 7]);
});

test('the target may be a source', () => {
  const minus = pointwise({ sources: 2 }, (element) => sub(element(0), element(1)));
  const target = Float32Array.from({ length: 5000 }, (_, index) => index);
  minus(target, [new Float32Array(5000).fill(1), target]);
  assert.equal(target[4999], 1 - 4999);
});

test('each operation rounds to float32', () => {
  const third = pointwise({ sources: 1 }, (element) => mul(add(element(0), float(0.1)), float(1 / 3)));
  const target = new Float32Array(1);
  third(target, [Float32Array.of(0.7)]);
  const sum = Math.fround(Math.fround(0.7) + Math.fround(0.1));
  assert.equal(target[0], Math.fround(sum * Math.fround(1 / 3)));
});

test('choices and roots are made element by element', () => {
  const chosen = pointwise({ sources: 1 }, (element) =>
    choose(atMost(element(0), float(4)), sqrt(element(0)), element(0)),
  );
  const target = new Float32Array(4);
  chosen(target, [Float32Array.of(4, 9, 1, Number.NaN)]);
  assert.deepEqual([...target], [2, 9, 1, Number.NaN]);
});

test('a checkpoint that throws ends the work', () => {
  const source = new Float32Array(1 << 20);
  const stop = (): never => {
    throw new Error('stopped');
  };
  assert.throws(() => twice(source, [source], { scalars: [0], checkpoint: stop }), { message: 'stopped' });
});
