import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { NodeType } from '@atelier/engine';
import { freshMemory, nodeContext, noiseImage, noiseMask, runNode } from '../../test/run-node.ts';
import { type Image, type Latent, type Mask, picture } from '../../values/image.ts';
import { repeatToBatchSize, withChannels } from '../batch.ts';
import { upscale } from '../resize/upscale.ts';
import {
  batchImagesNode,
  batchMasksNode,
  createList,
  getImageSize,
  imageBatch,
  imageFromBatch,
  rebatchImages,
  repeatImageBatch,
} from './batching.ts';
import { imageDeduplication, imageGrid, shuffleDataset } from './dataset.ts';
import { emptyLatentImage } from './empty-latent.ts';
import { geometryNodes } from './geometry-nodes.ts';
import { imageFlip, imageRotate } from './rotate-flip.ts';
import { imageStitch } from './stitch.ts';
import { imageMergeTileList, splitImageToTileList, tileAreas } from './tiles.ts';

const tools = { memory: freshMemory, checkpoint() {} };

async function only<T = Image>(type: NodeType, inputs: Readonly<Record<string, unknown>>): Promise<T> {
  const { outputs } = await runNode(type, inputs);
  return outputs[0] as T;
}

test('a batch is repeated as a whole and cut, or shortened', () => {
  const image = noiseImage({ batch: 2, height: 1, width: 2 });
  const five = repeatToBatchSize(image, 5, freshMemory);
  for (let index = 0; index < 5; index++) assert.deepEqual(picture(five, index), picture(image, index % 2));
  assert.deepEqual(repeatToBatchSize(image, 1, freshMemory).data, picture(image, 0));
  assert.equal(repeatToBatchSize(image, 2, freshMemory), image);
});

test('channels are left out, or added as opaque alpha', () => {
  const rgb = noiseImage({ height: 1, width: 2 });
  const rgba = noiseImage({ height: 1, width: 2, channels: 4 }, { seed: 2 });
  const [red, green, blue] = rgb.data;
  assert.deepEqual([...withChannels(rgb, 4, freshMemory).data.subarray(0, 4)], [red, green, blue, 1]);
  assert.deepEqual(withChannels(rgba, 3, freshMemory).data.subarray(0, 3), rgba.data.subarray(0, 3));
  assert.equal(withChannels(rgb, 3, freshMemory), rgb);
});

test('batches of images take the size of the first and the alpha of any', async () => {
  const first = noiseImage({ batch: 2, height: 4, width: 6 });
  const second = noiseImage({ height: 9, width: 5, channels: 4 }, { seed: 2 });
  const size = { width: 6, height: 4, method: 'bilinear', crop: 'center' } as const;
  const expected = [
    ...withChannels(first, 4, freshMemory).data,
    ...upscale(second, size, tools).data,
    ...withChannels(first, 4, freshMemory).data,
  ];
  const batch = await only(batchImagesNode, { images: { image0: first, image1: second, image2: first } });
  assert.deepEqual([batch.batch, batch.height, batch.width, batch.channels], [5, 4, 6, 4]);
  assert.deepEqual([...batch.data], expected);
  const pair = await only(imageBatch, { image1: first, image2: second });
  assert.deepEqual([...pair.data], expected.slice(0, pair.data.length));
  assert.equal(await only(batchImagesNode, { images: { image0: first } }), first);
});

test('batches of masks take the size of the first', async () => {
  const first = noiseMask({ height: 4, width: 6 });
  const second = noiseMask({ batch: 2, height: 8, width: 3 }, { seed: 2 });
  const batch = await only<Mask>(batchMasksNode, { masks: { mask0: first, mask1: second } });
  const size = { width: 6, height: 4, method: 'bilinear', crop: 'center' } as const;
  assert.equal(batch.batch, 3);
  assert.deepEqual([...batch.data], [...first.data, ...upscale(second, size, tools).data]);
});

test('RepeatImageBatch tiles and ImageFromBatch counts from the end, both within the batch', async () => {
  const image = noiseImage({ batch: 3, height: 1, width: 1 });
  const twice = await only(repeatImageBatch, { image, amount: 2 });
  assert.deepEqual([...twice.data], [...image.data, ...image.data]);
  const last = await only(imageFromBatch, { image, batch_index: -1, length: 9 });
  assert.deepEqual(last.data, picture(image, 2));
  const clamped = await only(imageFromBatch, { image, batch_index: 99, length: 1 });
  assert.deepEqual(clamped.data, picture(image, 2));
  const before = await only(imageFromBatch, { image, batch_index: -99, length: 2 });
  assert.deepEqual(before.data, image.data.slice(0, 6));
});

test('RebatchImages makes batches of the size, with the rest at the end, and refuses to mix sizes', async () => {
  const images = [
    noiseImage({ batch: 3, height: 1, width: 2 }),
    noiseImage({ batch: 2, height: 1, width: 2 }, { seed: 2 }),
  ];
  const batches = await only<readonly Image[]>(rebatchImages, { images, batch_size: [2] });
  assert.deepEqual(
    batches.map(({ batch }) => batch),
    [2, 2, 1],
  );
  assert.deepEqual(
    batches.flatMap(({ data }) => [...data]),
    images.flatMap(({ data }) => [...data]),
  );
  const other = { images: [...images, noiseImage({ height: 2, width: 1 })], batch_size: [9] };
  await assert.rejects(async () => await runNode(rebatchImages, other), /one size: 2 × 1 .* and 1 × 2/);
});

test('CreateList joins the lists of its inputs', async () => {
  const list = await only(createList, { inputs: { input0: ['a', ['b']], input1: [1], input2: [] } });
  assert.deepEqual(list, ['a', ['b'], 1]);
});

test('GetImageSize tells the size and shows it', async () => {
  using context = nodeContext();
  const { outputs } = await runNode(
    getImageSize,
    { image: noiseImage({ batch: 3, height: 4, width: 5 }) },
    context,
  );
  assert.deepEqual(outputs, [5, 4, 3]);
  assert.deepEqual(context.texts, ['width: 5, height: 4\n batch size: 3']);
});

test('tiles cover the picture, the last ones moved back', () => {
  const starts = (length: number, size: number, overlap: number): number[] =>
    tileAreas({ width: length, height: 1 }, { width: size, height: 1 }, overlap).map(({ x }) => x);
  assert.deepEqual(starts(200, 64, 0), [0, 64, 128, 136]);
  assert.deepEqual(starts(128, 64, 0), [0, 64]);
  // The overlap leaves at least a quarter of a tile between two.
  assert.deepEqual(starts(100, 64, 4096), [0, 16, 32, 36]);
  assert.deepEqual(starts(10, 64, 16), [0]);
});

test('a picture cut into tiles and merged again is the same', async () => {
  const image = noiseImage({ batch: 2, height: 70, width: 150, channels: 4 });
  for (const overlap of [0, 20]) {
    const tiles = await only<readonly Image[]>(splitImageToTileList, {
      image,
      tile_width: 64,
      tile_height: 64,
      overlap,
    });
    assert.ok(tiles.length >= 6);
    const merged = await only(imageMergeTileList, {
      image_list: tiles,
      final_width: [150],
      final_height: [70],
      overlap: [overlap],
    });
    merged.data.forEach((value, index) => assert.ok(Math.abs(value - (image.data[index] ?? 0)) < 1e-6));
  }
});

test('merging leaves black what no tile covers, and refuses tiles of other channels', async () => {
  const tile = noiseImage({ height: 64, width: 64 });
  const size = { final_width: [128], final_height: [64], overlap: [0] };
  const half = await only(imageMergeTileList, { image_list: [tile], ...size });
  assert.equal(half.data[64 * 3], 0);
  assert.equal(half.data[63 * 3], tile.data[63 * 3]);
  const mixed = { image_list: [tile, noiseImage({ height: 64, width: 64, channels: 4 })], ...size };
  await assert.rejects(async () => await runNode(imageMergeTileList, mixed), /Tile 1 has another batch size/);
});

test('ShuffleDataset takes the order that NumPy draws, of single pictures', async () => {
  const images = [
    noiseImage({ batch: 3, height: 1, width: 1 }),
    noiseImage({ batch: 2, height: 2, width: 1 }, { seed: 2 }),
  ];
  const singles = images.flatMap((image) =>
    Array.from({ length: image.batch }, (_, index) => picture(image, index)),
  );
  const shuffled = await only<readonly Image[]>(shuffleDataset, { images, seed: [42n] });
  // numpy.random.seed(42): permutation(5)
  assert.deepEqual(
    shuffled.map(({ data }) => data),
    [1, 4, 2, 0, 3].map((index) => singles[index]),
  );
  assert.deepEqual(
    shuffled.map(({ batch }) => batch),
    [1, 1, 1, 1, 1],
  );
});

test('ImageDeduplication keeps the first of pictures that look alike', async () => {
  const one = noiseImage({ height: 16, width: 16 });
  const like = { ...one, data: one.data.map((value) => value * 0.999) };
  const other = noiseImage({ height: 16, width: 16 }, { seed: 9 });
  const images = [one, like, other];
  const kept = await only<readonly Image[]>(imageDeduplication, { images, similarity_threshold: [0.95] });
  assert.deepEqual(
    kept.map(({ data }) => data),
    [one.data, other.data],
  );
  const all = await only<readonly Image[]>(imageDeduplication, {
    images: [one, other],
    similarity_threshold: [0],
  });
  assert.equal(all.length, 1);
});

test('ImageGrid needs an image; gray ones become colored', async () => {
  const rest = { columns: [2], cell_width: [32], cell_height: [32], padding: [3] };
  await assert.rejects(async () => await runNode(imageGrid, { images: [], ...rest }), { name: 'ValueError' });
  const grid = await only(imageGrid, { images: [noiseImage({ height: 5, width: 5, channels: 1 })], ...rest });
  assert.deepEqual([grid.width, grid.height, grid.channels], [67, 32, 3]);
  assert.equal(grid.data[0], grid.data[2]);
});

test('ImageStitch without a second image gives the first', async () => {
  const image1 = noiseImage({ height: 1, width: 1 });
  const rest = { direction: 'up', match_image_size: true, spacing_width: 2, spacing_color: 'red' };
  assert.equal(await only(imageStitch, { image1, ...rest }), image1);
});

test('turning by nothing gives the picture itself, and a single pixel survives every turn', async () => {
  const image = noiseImage({ batch: 3, height: 1, width: 1, channels: 4 });
  assert.equal(await only(imageRotate, { image, rotation: 'none' }), image);
  for (const rotation of ['90 degrees', '180 degrees', '270 degrees']) {
    assert.deepEqual((await only(imageRotate, { image, rotation })).data, image.data);
  }
  const flipped = await only(imageFlip, { image, flip_method: 'y-axis: horizontally' });
  assert.deepEqual(flipped.data, image.data);
});

test('EmptyLatentImage is zeros at an eighth of the size', async () => {
  const { samples } = await only<Latent>(emptyLatentImage, { width: 24, height: 17, batch_size: 2 });
  const { data, ...shape } = samples;
  assert.deepEqual(shape, { batch: 2, channels: 4, height: 2, width: 3 });
  assert.equal(data.length, 48);
  assert.ok(data.every((value) => value === 0));
});

test('every node is declared once', () => {
  const types = geometryNodes.map(({ type }) => type);
  assert.equal(new Set(types).size, types.length);
  assert.equal(types.length, 32);
});
