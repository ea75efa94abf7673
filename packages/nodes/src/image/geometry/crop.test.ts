import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeType } from '@atelier/engine';
import { nodeContext, noiseImage, noiseMask, runNode } from '../../test/run-node.ts';
import type { Image } from '../../values/image.ts';
import { centerCropImages, imageCrop, imageCropV2, primitiveBoundingBox, randomCropImages } from './crop.ts';
import { imageCropToMask } from './crop-to-mask.ts';
import { imagePadForOutpaint } from './pad-for-outpaint.ts';

/** A picture in which every element tells where it is. */
function numbered(height: number, width: number, channels = 3, batch = 1): Image {
  const data = Float32Array.from({ length: batch * height * width * channels }, (_, index) => index / 256);
  return { batch, height, width, channels, data };
}

async function only(type: NodeType, inputs: Readonly<Record<string, unknown>>): Promise<Image> {
  const { outputs } = await runNode(type, inputs);
  return outputs[0] as Image;
}

function part(image: Image, x: number, y: number, width: number, height: number): number[] {
  return Array.from({ length: image.batch * height * width * image.channels }, (_, at) => {
    const channel = at % image.channels;
    const column = x + (Math.floor(at / image.channels) % width);
    const line = Math.floor(at / image.channels / width);
    const row = y + (line % height);
    const index = Math.floor(line / height);
    return (
      image.data[((index * image.height + row) * image.width + column) * image.channels + channel] ??
      Number.NaN
    );
  });
}

test('ImageCrop moves a corner beyond the picture to its last pixel and cuts off what reaches beyond it', async () => {
  const image = numbered(5, 7, 4, 2);
  const inside = await only(imageCrop, { image, width: 3, height: 2, x: 2, y: 1 });
  assert.deepEqual([...inside.data], part(image, 2, 1, 3, 2));
  const beyond = await only(imageCrop, { image, width: 512, height: 512, x: 99, y: 4 });
  assert.deepEqual([beyond.width, beyond.height], [1, 1]);
  assert.deepEqual([...beyond.data], part(image, 6, 4, 1, 1));
  assert.equal(await only(imageCrop, { image, width: 512, height: 512, x: 0, y: 0 }), image);
});

test('ImageCropV2 takes the box, whose missing members have their defaults', async () => {
  const image = numbered(5, 7);
  const box = await only(primitiveBoundingBox, { x: 1, y: 2, width: 3, height: 2 });
  assert.deepEqual(box, { x: 1, y: 2, width: 3, height: 2 });
  const cut = await only(imageCropV2, { image, crop_region: box });
  assert.deepEqual([...cut.data], part(image, 1, 2, 3, 2));
  assert.equal(await only(imageCropV2, { image, crop_region: {} }), image);
  for (const crop_region of [{ x: '1' }, { width: 0.5 }, { y: -1 }, { height: 0 }]) {
    await assert.rejects(async () => await runNode(imageCropV2, { image, crop_region }), {
      name: 'ValueError',
    });
  }
});

test('ImageCropV2 shows every picture of the result', async () => {
  using context = nodeContext();
  const inputs = { image: numbered(5, 7, 4, 2), crop_region: { x: 1, y: 1, width: 2, height: 2 } };
  const { ui } = await runNode(imageCropV2, inputs, context);
  assert.deepEqual(ui?.['animated'], [false]);
  assert.equal(ui['images']?.length, 2);
  const [{ filename, type }] = ui['images'] as readonly [{ filename: string; type: string }];
  assert.equal(type, 'temp');
  assert.ok(await context.files.exists({ folder: 'temp', subfolder: '', name: filename }));
});

test('CenterCropImages keeps the middle, with 8 bits of every value', async () => {
  const images = numbered(6, 9, 3, 3);
  const { data, width, height } = await only(centerCropImages, { images, width: 4, height: 100 });
  assert.deepEqual([width, height], [4, 6]);
  const expected = part(images, 2, 0, 4, 6).map((value) =>
    Math.fround(Math.min(255, Math.floor(Math.fround(value * 255))) / 255),
  );
  assert.deepEqual([...data], expected);
});

test('RandomCropImages takes the place that NumPy draws from the seed, the same for the whole batch', async () => {
  const images = noiseImage({ batch: 2, height: 30, width: 40 });
  // numpy.random.seed(42): randint(0, 31), then randint(0, 21)
  const { data } = await only(randomCropImages, { images, width: 10, height: 10, seed: 42n });
  const expected = part(images, 6, 19, 10, 10).map((value) =>
    Math.fround(Math.floor(Math.fround(value * 255)) / 255),
  );
  assert.deepEqual([...data], expected);
  const whole = await only(randomCropImages, { images, width: 99, height: 99, seed: 2n ** 64n - 1n });
  assert.deepEqual([whole.width, whole.height], [40, 30]);
});

test('ImagePadForOutpaint of a single pixel has a mask of all but that pixel', async () => {
  const image = noiseImage({ height: 1, width: 1, channels: 4 });
  const inputs = { image, left: 1, top: 0, right: 0, bottom: 1, feathering: 40 };
  const { outputs } = await runNode(imagePadForOutpaint, inputs);
  const [padded, mask] = outputs as [Image, Image];
  assert.deepEqual([...padded.data.subarray(4, 8)], [...image.data]);
  assert.deepEqual([...mask.data], [1, 0, 1, 1]);
});

test('ImageCropToMask takes one mask for a batch and refuses another number', async () => {
  const rest = { width: 64, height: 64, pad_factor: 1, grow_mask: 0, background: '#ffffff' };
  const images = noiseImage({ batch: 3, height: 8, width: 8 });
  const nothing = { batch: 1, height: 8, width: 8, data: new Float32Array(64) };
  // Without a subject the mask is taken the other way round, and so everything is kept.
  const kept = await only(imageCropToMask, { images, masks: nothing, ...rest });
  assert.deepEqual([kept.batch, kept.width, kept.height, kept.channels], [3, 64, 64, 3]);
  const two = noiseMask({ batch: 2, height: 8, width: 8 });
  await assert.rejects(async () => await runNode(imageCropToMask, { images, masks: two, ...rest }), {
    name: 'ValueError',
    message: 'Mask batch 2 does not match image batch 3',
  });
});
