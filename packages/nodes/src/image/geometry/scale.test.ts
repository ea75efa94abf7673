import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeType } from '@atelier/engine';
import { freshMemory, nodeContext, noiseImage, noiseMask, runNode } from '../../test/run-node.ts';
import type { Image, Mask } from '../../values/image.ts';
import { type UpscaleOptions, upscale } from '../resize/upscale.ts';
import { resizeAndPadImage, resizeImagesByLongerEdge, resizeImagesByShorterEdge } from './resize-edges.ts';
import { resizeImageMask } from './resize-image-mask.ts';
import { imageScale, imageScaleBy, imageScaleToMaxDimension, imageScaleToTotalPixels } from './scale.ts';

const tools = { memory: freshMemory, checkpoint() {} };

async function only(type: NodeType, inputs: Readonly<Record<string, unknown>>): Promise<Image> {
  const { outputs } = await runNode(type, inputs);
  assert.equal(outputs.length, 1);
  return outputs[0] as Image;
}

async function sizeOf(type: NodeType, inputs: Readonly<Record<string, unknown>>): Promise<string> {
  const { width, height } = await only(type, inputs);
  return `${width}×${height}`;
}

test('ImageScale takes a missing side from the proportions, and leaves a picture alone when both are missing', async () => {
  const image = noiseImage({ height: 10, width: 25 });
  const base = { image, upscale_method: 'area', crop: 'disabled' };
  assert.equal(await only(imageScale, { ...base, width: 0, height: 0 }), image);
  // 12.5 rounds to the even 12.
  assert.equal(await sizeOf(imageScale, { ...base, width: 0, height: 5 }), '12×5');
  assert.equal(await sizeOf(imageScale, { ...base, width: 5, height: 0 }), '5×2');
  assert.equal(await sizeOf(imageScale, { ...base, width: 1, height: 0 }), '1×1');
});

test('ImageScale crops to the middle and tells how far it is in the batch', async () => {
  using context = nodeContext();
  const image = noiseImage({ batch: 3, height: 4, width: 9, channels: 4 });
  const inputs = { image, upscale_method: 'lanczos', crop: 'center', width: 2, height: 2 };
  const { outputs } = await runNode(imageScale, inputs, context);
  const expected = upscale(image, { width: 2, height: 2, method: 'lanczos', crop: 'center' }, tools);
  assert.deepEqual(outputs[0], expected);
  assert.deepEqual(context.progressed, [
    [1, 3],
    [2, 3],
    [3, 3],
  ]);
});

test('a cancelled job stops before the next picture', async () => {
  using context = nodeContext();
  context.cancel();
  const image = noiseImage({ height: 2, width: 2 });
  const inputs = { image, upscale_method: 'bilinear', crop: 'disabled', width: 3, height: 3 };
  await assert.rejects(async () => await runNode(imageScale, inputs, context), /cancelled/);
});

test('ImageScaleBy rounds halves to even, and a size of nothing is an error', async () => {
  const image = noiseImage({ height: 3, width: 5 });
  assert.equal(await sizeOf(imageScaleBy, { image, upscale_method: 'bicubic', scale_by: 0.5 }), '2×2');
  assert.equal(await sizeOf(imageScaleBy, { image, upscale_method: 'bicubic', scale_by: 8 }), '40×24');
  const small = { image, upscale_method: 'bicubic', scale_by: 0.01 };
  await assert.rejects(async () => await runNode(imageScaleBy, small), { name: 'ValueError' });
});

test('ImageScaleToTotalPixels reaches the number of pixels in steps', async () => {
  const image = noiseImage({ height: 30, width: 40 });
  const base = { image, upscale_method: 'nearest-exact', megapixels: 0.01 };
  assert.equal(await sizeOf(imageScaleToTotalPixels, { ...base, resolution_steps: 1 }), '118×89');
  assert.equal(await sizeOf(imageScaleToTotalPixels, { ...base, resolution_steps: 64 }), '128×64');
});

test('ImageScaleToMaxDimension sets the longer side', async () => {
  const base = { upscale_method: 'area', largest_size: 8 };
  const of = async (height: number, width: number): Promise<string> =>
    await sizeOf(imageScaleToMaxDimension, { ...base, image: noiseImage({ height, width }) });
  assert.equal(await of(20, 10), '4×8');
  assert.equal(await of(10, 20), '8×4');
  assert.equal(await of(5, 5), '8×8');
});

test('ResizeImageMaskNode takes the size in each of its ways, for images and masks', async () => {
  const ways: readonly (readonly [object, Partial<UpscaleOptions> & { width: number; height: number }])[] = [
    [
      { choice: 'scale dimensions', width: 9, height: 4, crop: 'center' },
      { width: 9, height: 4, crop: 'center' },
    ],
    [
      { choice: 'scale dimensions', width: 0, height: 5, crop: 'disabled' },
      { width: 6, height: 5 },
    ],
    [
      { choice: 'scale by multiplier', multiplier: 0.5 },
      { width: 6, height: 5 },
    ],
    [
      { choice: 'scale longer dimension', longer_size: 24 },
      { width: 24, height: 20 },
    ],
    [
      { choice: 'scale shorter dimension', shorter_size: 5 },
      { width: 6, height: 5 },
    ],
    [
      { choice: 'scale width', width: 6 },
      { width: 6, height: 5 },
    ],
    [
      { choice: 'scale height', height: 20 },
      { width: 24, height: 20 },
    ],
    [
      { choice: 'scale total pixels', megapixels: 0.01 },
      { width: 112, height: 93 },
    ],
    [
      { choice: 'match size', match: noiseMask({ height: 3, width: 7 }), crop: 'center' },
      { width: 7, height: 3, crop: 'center' },
    ],
  ];
  const image = noiseImage({ batch: 2, height: 10, width: 12 });
  const mask = noiseMask({ batch: 2, height: 10, width: 12 });
  for (const [resize_type, size] of ways) {
    for (const input of [image, mask]) {
      const result = await only(resizeImageMask, { input, resize_type, scale_method: 'bilinear' });
      assert.deepEqual(
        result,
        upscale(input, { ...size, method: 'bilinear' }, tools),
        JSON.stringify(resize_type),
      );
    }
  }
});

test('ResizeImageMaskNode keeps what needs no change', async () => {
  const input = noiseImage({ height: 16, width: 24 });
  for (const resize_type of [
    { choice: 'scale dimensions', width: 0, height: 0, crop: 'center' },
    { choice: 'scale width', width: 0 },
    { choice: 'scale height', height: 0 },
    { choice: 'scale to multiple', multiple: 8 },
    { choice: 'scale to multiple', multiple: 64 },
    { choice: 'scale to multiple', multiple: 1 },
  ]) {
    assert.equal(await only(resizeImageMask, { input, resize_type, scale_method: 'area' }), input);
  }
});

test('ResizeImageMaskNode covers the next smaller multiple and cuts off what is over', async () => {
  const image = noiseImage({ height: 21, width: 17 });
  const resize_type = { choice: 'scale to multiple', multiple: 8 };
  const result = await only(resizeImageMask, { input: image, resize_type, scale_method: 'area' });
  // 16/17 is the larger scale, so 21 becomes 20 rows, of which two are cut off on each side.
  const covered = upscale(image, { width: 16, height: 20, method: 'area' }, tools);
  assert.deepEqual([result.width, result.height], [16, 16]);
  assert.deepEqual(result.data, covered.data.slice(2 * 16 * 3, 18 * 16 * 3));
  const mask: Mask = noiseMask({ height: 17, width: 21 });
  assert.equal(await sizeOf(resizeImageMask, { input: mask, resize_type, scale_method: 'area' }), '16×16');
});

test('ResizeAndPadImage puts the picture into the middle of white or black', async () => {
  const image = noiseImage({ height: 2, width: 4, channels: 4 });
  const inputs = { image, target_width: 4, target_height: 5, interpolation: 'nearest-exact' };
  const white = await only(resizeAndPadImage, { ...inputs, padding_color: 'white' });
  assert.deepEqual([white.width, white.height], [4, 5]);
  assert.deepEqual(white.data.slice(16, 48), image.data);
  assert.ok(white.data.subarray(0, 16).every((value) => value === 1));
  const black = await only(resizeAndPadImage, { ...inputs, padding_color: 'black' });
  assert.ok(black.data.subarray(48).every((value) => value === 0));
});

test('resizing by an edge cuts sizes off and goes through 8 bits', async () => {
  const images = noiseImage({ batch: 3, height: 10, width: 19 });
  assert.equal(await sizeOf(resizeImagesByShorterEdge, { images, shorter_edge: 5 }), '9×5');
  assert.equal(await sizeOf(resizeImagesByLongerEdge, { images, longer_edge: 9 }), '9×4');
  const { data } = await only(resizeImagesByLongerEdge, { images, longer_edge: 9 });
  assert.deepEqual(data, upscale(images, { width: 9, height: 4, method: 'lanczos' }, tools).data);
  const thin = { images: noiseImage({ height: 50, width: 1 }), longer_edge: 5 };
  await assert.rejects(async () => await runNode(resizeImagesByLongerEdge, thin), { name: 'ValueError' });
});
