import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nodeContext, noiseImage, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { adjustBrightness, adjustContrast, imageInvert, normalizeImages } from './adjust.ts';

const strange: Image = {
  batch: 1,
  height: 1,
  width: 1,
  channels: 4,
  data: Float32Array.of(Number.NaN, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, 2),
};

async function values(promise: ReturnType<typeof runNode>): Promise<readonly number[]> {
  return [...((await promise).outputs[0] as Image).data];
}

test('NaN stays, infinity is clamped where values are', async () => {
  const factor = 1;
  assert.deepEqual(await values(runNode(adjustBrightness, { images: strange, factor })), [
    Number.NaN,
    1,
    0,
    1,
  ]);
  assert.deepEqual(await values(runNode(adjustContrast, { images: strange, factor })), [Number.NaN, 1, 0, 1]);
  assert.deepEqual(await values(runNode(imageInvert, { image: strange })), [
    Number.NaN,
    Number.NEGATIVE_INFINITY,
    Number.POSITIVE_INFINITY,
    -1,
  ]);
});

test('inverting inverts alpha too, and twice gives the bytes back', async () => {
  const image = noiseImage({ batch: 3, height: 5, width: 7, channels: 4 });
  const bytes = { ...image, data: image.data.map((value) => Math.round(value * 255) / 255) };
  const once = (await runNode(imageInvert, { image: bytes })).outputs[0] as Image;
  const again = (await runNode(imageInvert, { image: once })).outputs[0] as Image;
  assert.deepEqual(
    again.data.map((value) => Math.round(value * 255)),
    bytes.data.map((value) => Math.round(value * 255)),
  );
  assert.equal(once.data[3], Math.fround(1 - bytes.data[3]!));
});

test('inputs are not changed, and progress is told for every picture', async () => {
  for (const node of [imageInvert, adjustBrightness, adjustContrast, normalizeImages]) {
    using context = nodeContext();
    const image = noiseImage({ batch: 3, height: 3, width: 2 });
    const before = image.data.slice();
    await runNode(node, { image, images: image, factor: 1.5, mean: 0.5, std: 0.5 }, context);
    assert.deepEqual(image.data, before);
    assert.deepEqual(context.progressed, [
      [1, 3],
      [2, 3],
      [3, 3],
    ]);
    context.cancel();
    await assert.rejects(runNode(node, { image, images: image, factor: 1, mean: 0, std: 1 }, context), {
      name: 'Interrupted',
    });
  }
});

test('normalizing is undone by its inverse', async () => {
  const images = noiseImage({ height: 4, width: 4 });
  const [first] = await values(runNode(normalizeImages, { images, mean: 0.25, std: 0.5 }));
  assert.ok(Math.abs(first! * 0.5 + 0.25 - images.data[0]!) < 1e-6);
});
