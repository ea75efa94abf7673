import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { imageRgbToYuv, imageYuvToRgb } from './yuv.ts';

test('colors taken apart and put together again are the same within half a level of a byte', async () => {
  const image = noiseImage({ batch: 3, height: 7, width: 5 });
  const [Y, U, V] = (await runNode(imageRgbToYuv, { image })).outputs;
  const [back] = (await runNode(imageYuvToRgb, { Y, U, V })).outputs as [Image];
  for (const [index, value] of back.data.entries())
    assert.ok(Math.abs(value - image.data[index]!) < 0.5 / 255);
});

test('alpha is dropped, gray cannot be taken apart', async () => {
  const [y] = (await runNode(imageRgbToYuv, { image: noiseImage({ height: 2, width: 2, channels: 4 }) }))
    .outputs;
  assert.equal((y as Image).channels, 3);
  const gray = runNode(imageRgbToYuv, { image: noiseImage({ height: 2, width: 2, channels: 1 }) });
  await assert.rejects(gray, { message: /needs three channels/ });
});

test('Y, U and V of different sizes are refused with a sentence', async () => {
  const [small, large] = [noiseImage({ height: 2, width: 2 }), noiseImage({ height: 3, width: 2 })];
  await assert.rejects(runNode(imageYuvToRgb, { Y: small, U: small, V: large }), {
    message: /V is 1 of 2 by 3/,
  });
  const many = noiseImage({ batch: 2, height: 2, width: 2 });
  await assert.rejects(runNode(imageYuvToRgb, { Y: small, U: many, V: small }), {
    exceptionType: 'RuntimeError',
  });
});

test('progress is told for every picture', async () => {
  using context = nodeContext();
  await runNode(imageRgbToYuv, { image: noiseImage({ batch: 2, height: 1, width: 1 }) }, context);
  assert.deepEqual(context.progressed, [
    [1, 2],
    [2, 2],
  ]);
});
