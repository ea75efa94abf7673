import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { imageBlur, imageSharpen } from './blur.ts';

async function blurred(image: Image, blur_radius: number, sigma = 1): Promise<Image> {
  const { outputs } = await runNode(imageBlur, { image, blur_radius, sigma });
  return outputs[0] as Image;
}

test('a radius that reaches over the whole picture is refused with a sentence', async () => {
  await assert.rejects(blurred(noiseImage({ height: 1, width: 1 }), 1), { message: /use a radius below 1/ });
  await assert.rejects(blurred(noiseImage({ height: 40, width: 5 }), 5), { message: /only 5 by 40 pixels/ });
  const sharpen = runNode(imageSharpen, {
    image: noiseImage({ height: 2, width: 9 }),
    sharpen_radius: 2,
    sigma: 1,
    alpha: 1,
  });
  await assert.rejects(sharpen, { exceptionType: 'RuntimeError', message: /sharpen_radius is 2/ });
});

test('the largest radius that fits works', async () => {
  const result = await blurred(noiseImage({ height: 2, width: 2 }), 1);
  assert.ok(result.data.every((value) => value > 0 && value < 1));
});

test('an even picture stays even, at its edges too', async () => {
  const image = { ...noiseImage({ batch: 3, height: 40, width: 37, channels: 4 }) };
  image.data.fill(0.3);
  for (const sigma of [0.1, 1, 10]) {
    for (const value of (await blurred(image, 31, sigma)).data) assert.ok(Math.abs(value - 0.3) < 1e-6);
  }
});

test('wide pictures are blurred like narrow ones', async () => {
  const wide = noiseImage({ height: 3, width: 5000, channels: 3 });
  const columns = [0, 1, 2].flatMap((y) => [
    ...wide.data.subarray((y * 5000 + 2000) * 3, (y * 5000 + 2005) * 3),
  ]);
  const narrow: Image = { batch: 1, height: 3, width: 5, channels: 3, data: Float32Array.from(columns) };
  const [all, part] = [await blurred(wide, 2, 0.5), await blurred(narrow, 2, 0.5)];
  assert.ok(Math.abs(all.data[(5000 + 2002) * 3]! - part.data[(5 + 2) * 3]!) < 1e-6);
});

test('infinity spreads no further than the radius', async () => {
  const image = noiseImage({ height: 9, width: 9, channels: 1 });
  image.data[40] = Number.POSITIVE_INFINITY;
  const result = await blurred(image, 1);
  assert.equal(result.data.filter(Number.isFinite).length, 72);
});

test('a cancelled job stops within a picture', async () => {
  using context = nodeContext();
  context.cancel();
  const running = runNode(
    imageBlur,
    { image: noiseImage({ height: 64, width: 64 }), blur_radius: 3, sigma: 1 },
    context,
  );
  await assert.rejects(running, { name: 'Interrupted' });
  assert.equal(context.progressed.length, 0);
});

test('sharpening with strength 0 only clamps', async () => {
  const image = noiseImage({ height: 5, width: 5 }, { beyond: 0.2 });
  const { outputs } = await runNode(imageSharpen, { image, sharpen_radius: 1, sigma: 1, alpha: 0 });
  assert.deepEqual(
    (outputs[0] as Image).data,
    image.data.map((value) => Math.min(1, Math.max(0, value))),
  );
});
