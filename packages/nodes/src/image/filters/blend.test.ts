import assert from 'node:assert/strict';
import { test } from 'node:test';
import { noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { imageBlend } from './blend.ts';

async function blend(image1: Image, image2: Image, options: object = {}): Promise<Image> {
  const { outputs } = await runNode(imageBlend, {
    image1,
    image2,
    blend_mode: 'normal',
    blend_factor: 0.5,
    ...options,
  });
  return outputs[0] as Image;
}

test('a single picture is blended with every picture of a batch, on either side', async () => {
  const [one, three] = [
    noiseImage({ height: 2, width: 3 }),
    noiseImage({ batch: 3, height: 2, width: 3 }, { seed: 2 }),
  ];
  for (const result of [await blend(one, three), await blend(three, one)]) {
    assert.equal(result.batch, 3);
    assert.equal(
      result.data[20],
      Math.fround(Math.fround(one.data[2]! * 0.5) + Math.fround(three.data[20]! * 0.5)),
    );
  }
});

test('batches of different lengths are refused with a sentence', async () => {
  const [two, three] = [
    noiseImage({ batch: 2, height: 1, width: 1 }),
    noiseImage({ batch: 3, height: 1, width: 1 }),
  ];
  await assert.rejects(blend(two, three), {
    exceptionType: 'RuntimeError',
    message: /2 pictures and image2 3/,
  });
});

test('a second image without alpha counts as opaque, one with too much loses it', async () => {
  const [rgb, rgba] = [noiseImage({ height: 2, width: 2 }), noiseImage({ height: 2, width: 2, channels: 4 })];
  const opaque = await blend(rgba, rgb, { blend_factor: 1 });
  assert.deepEqual([opaque.data[3], opaque.data[7]], [1, 1]);
  assert.equal((await blend(rgb, rgba)).channels, 3);
});

test('the second image is made as large as the first', async () => {
  const result = await blend(
    noiseImage({ height: 5, width: 3 }),
    noiseImage({ height: 1, width: 1 }, { seed: 9 }),
  );
  assert.deepEqual([result.height, result.width], [5, 3]);
});

test('a difference is signed, so what is darker than the second image turns black', async () => {
  const [dark, bright] = [0.25, 0.75].map((value) => ({
    ...noiseImage({ height: 1, width: 1 }),
    data: new Float32Array(3).fill(value),
  }));
  const result = await blend(dark!, bright!, { blend_mode: 'difference', blend_factor: 1 });
  assert.deepEqual([...result.data], [0, 0, 0]);
});

test('a factor of 0 leaves the first image, clamped', async () => {
  const image = noiseImage({ height: 4, width: 4 }, { beyond: 0.5 });
  const result = await blend(image, noiseImage({ height: 4, width: 4 }), { blend_factor: 0 });
  assert.deepEqual(
    result.data,
    image.data.map((value) => Math.min(1, Math.max(0, value))),
  );
});
