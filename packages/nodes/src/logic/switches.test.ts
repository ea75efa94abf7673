import assert from 'node:assert/strict';
import { test } from 'node:test';
import { inspect } from 'node:util';
import type { NodeType } from '@atelier/engine';
import { noiseImage, runNode } from '../test/run-node.ts';
import { numberConvert, resolutionSelector } from './numbers.ts';
import * as primitives from './primitives.ts';
import { andNode, customCombo, notNode, orNode, switchNode } from './switches.ts';

async function outputs(
  type: NodeType,
  inputs: Readonly<Record<string, unknown>>,
): Promise<readonly unknown[]> {
  return (await runNode(type, inputs)).outputs;
}

test('the switch asks for the branch it needs, once', () => {
  assert.deepEqual(switchNode.needs?.({ switch: true }), ['on_true']);
  assert.deepEqual(switchNode.needs?.({ switch: false }), ['on_false']);
  assert.deepEqual(switchNode.needs?.({ switch: true, on_false: 1 }), ['on_true']);
  assert.deepEqual(switchNode.needs?.({ switch: true, on_true: 0 }), []);
});

test('the switch passes its branch on, and none where nothing is linked', async () => {
  assert.deepEqual(await outputs(switchNode, { switch: true, on_true: 'a', on_false: 'b' }), ['a']);
  assert.deepEqual(await outputs(switchNode, { switch: false, on_true: 'a', on_false: 0 }), [0]);
  assert.deepEqual(await outputs(switchNode, { switch: true, on_false: 'b' }), [null]);
});

test('truth is as Python sees it', async () => {
  const falsy = [false, 0, -0, 0n, '', null, undefined, [], {}, new Map()];
  const truthy = [true, 1, -0.5, Number.NaN, 'False', ' ', [0], { a: 0 }, new Map([['a', 1]])];
  for (const value of falsy) assert.deepEqual(await outputs(notNode, { value }), [true], inspect(value));
  for (const value of truthy) assert.deepEqual(await outputs(notNode, { value }), [false], inspect(value));
});

test('a picture has no truth, unless it is one number', async () => {
  await assert.rejects(outputs(notNode, { value: noiseImage({ height: 2, width: 2 }) }), {
    name: 'RuntimeError',
  });
  const one = { batch: 1, height: 1, width: 1, data: Float32Array.of(0) };
  assert.deepEqual(await outputs(notNode, { value: one }), [true]);
});

test('And and Or stop at the value that decides', async () => {
  const picture = noiseImage({ height: 2, width: 2 });
  assert.deepEqual(await outputs(andNode, { values: { value0: 1, value1: 'a' } }), [true]);
  assert.deepEqual(await outputs(andNode, { values: { value0: 0, value1: picture } }), [false]);
  assert.deepEqual(await outputs(orNode, { values: { value0: '', value1: [] } }), [false]);
  assert.deepEqual(await outputs(orNode, { values: { value0: 'x', value1: picture } }), [true]);
});

test('CustomCombo takes whatever the editor sends', async () => {
  assert.equal(customCombo.validate?.inputs, 'all');
  assert.deepEqual(await outputs(customCombo, { choice: 'mine', index: 2, option1: 'mine' }), ['mine', 2]);
  assert.deepEqual(await outputs(customCombo, { choice: 'mine' }), ['mine', 0]);
});

test('primitives pass their value on', async () => {
  assert.deepEqual(await outputs(primitives.primitiveString, { value: 'a' }), ['a']);
  assert.deepEqual(await outputs(primitives.primitiveStringMultiline, { value: 'a\nb' }), ['a\nb']);
  assert.deepEqual(await outputs(primitives.primitiveInt, { value: -5n }), [-5]);
  assert.deepEqual(await outputs(primitives.primitiveFloat, { value: 0.1 }), [0.1]);
  assert.deepEqual(await outputs(primitives.primitiveBoolean, { value: false }), [false]);
  assert.deepEqual(await outputs(primitives.primitiveInt, { value: 2n ** 53n + 1n }), [2n ** 53n + 1n]);
  assert.deepEqual(await outputs(primitives.seedNode, { seed: 7n }), [7]);
  assert.deepEqual(await outputs(primitives.seedNode, { seed: 2n ** 63n - 1n }), [2n ** 63n - 1n]);
});

test('ComfyNumberConvert makes a float and an integer of what it is given', async () => {
  const cases = [
    [true, 1, 1],
    [false, 0, 0],
    [7, 7, 7],
    [-2.9, -2.9, -2],
    [' 42 ', 42, 42],
    ['3.99', 3.99, 3],
    ['-1e3', -1000, -1000],
    ['1_000', 1000, 1000],
    ['٣', 3, 3],
    ['18446744073709551615', 2 ** 64, 2n ** 64n - 1n],
    [2n ** 53n + 1n, 2 ** 53, 2n ** 53n + 1n],
    [1e20, 1e20, 10n ** 20n],
    [-0.5, -0.5, 0],
  ] as const;
  for (const [value, float, integer] of cases) {
    assert.deepEqual(await outputs(numberConvert, { value }), [float, integer], String(value));
  }
});

test('ComfyNumberConvert refuses what is not a finite number', async () => {
  for (const value of ['', '  ', 'abc', 'nan', '-inf', '0x10', '1e400', Number.NaN, Infinity]) {
    await assert.rejects(outputs(numberConvert, { value }), { name: 'ValueError' }, String(value));
  }
});

test('ResolutionSelector rounds to the multiple, halves to even', async () => {
  const size = (aspect_ratio: string, megapixels: number, multiple: number): Promise<readonly unknown[]> =>
    outputs(resolutionSelector, { aspect_ratio, megapixels, multiple });
  assert.deepEqual(await size('1:1 (Square)', 1, 8), [1024, 1024]);
  assert.deepEqual(await size('16:9 (Widescreen)', 1, 8), [1368, 768]);
  assert.deepEqual(await size('9:16 (Portrait Widescreen)', 1, 64), [768, 1344]);
  assert.deepEqual(await size('21:9 (Ultrawide)', 2, 8), [2216, 952]);
  assert.deepEqual(await size('3:2 (Photo)', 0.1, 128), [384, 256]);
});
