import { bigInt, defineNode, float, int, link, listOutput, output, valueError } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { foldedMt19937, MAX_SEED, randomPermutation } from '../../values/mt19937.ts';
import { separate } from '../batch.ts';
import { upscale } from '../resize/upscale.ts';
import {
  type AverageHash,
  averageHash,
  differingBits,
  HASH_BITS,
  HASH_EDGE,
} from './kernels/average-hash.ts';
import { placeCell } from './kernels/place-cell.ts';

const IMAGE_LIST = link('IMAGE', { tooltip: 'The list of images.' });

export const shuffleDataset = defineNode({
  type: 'ShuffleDataset',
  title: 'Shuffle Images List',
  category: 'image/batch',
  description: 'Puts the images of a list into a random order.',
  searchAliases: ['shuffle', 'randomize', 'mix'],
  experimental: true,
  inputIsList: true,
  inputs: {
    images: IMAGE_LIST,
    seed: bigInt({ default: 0, min: 0, max: MAX_SEED, tooltip: 'Decides the order.' }),
  },
  outputs: [listOutput('IMAGE', { name: 'images', tooltip: 'The images in their new order' })],
  run({ images, seed: [seed = 0n] }) {
    const singles = separate(images);
    const order = randomPermutation(foldedMt19937(seed), singles.length);
    return [Array.from(order, (index) => singles[index]).filter((image) => image !== undefined)];
  },
});

export const imageDeduplication = defineNode({
  type: 'ImageDeduplication',
  title: 'Deduplicate Images',
  category: 'image/batch',
  description: 'Leaves out images of a list that look like an earlier one.',
  searchAliases: ['deduplicate', 'remove duplicates', 'similarity filter'],
  experimental: true,
  inputIsList: true,
  inputs: {
    images: IMAGE_LIST,
    similarity_threshold: float({
      default: 0.95,
      min: 0,
      max: 1,
      tooltip: 'From which similarity on, between 0 and 1, two images count as the same.',
      advanced: true,
    }),
  },
  outputs: [listOutput('IMAGE', { name: 'images', tooltip: 'The images that differ' })],
  run({ images, similarity_threshold: [threshold = 0.95] }, context) {
    const singles = separate(images);
    const { memory, checkpoint } = context;
    const kept: { readonly image: Image; readonly hash: AverageHash }[] = [];
    for (const [index, image] of singles.entries()) {
      const size = { width: HASH_EDGE, height: HASH_EDGE, method: 'lanczos' } as const;
      const hash = averageHash(upscale(image, size, { memory, checkpoint }));
      const known = kept.some((other) => 1 - differingBits(hash, other.hash) / HASH_BITS >= threshold);
      if (!known) kept.push({ image, hash });
      context.progress(index + 1, singles.length);
    }
    return [kept.map(({ image }) => image)];
  },
});

export const imageGrid = defineNode({
  type: 'ImageGrid',
  title: 'Make Image Grid',
  category: 'image/batch',
  description: 'Arranges images in rows and columns.',
  searchAliases: ['grid', 'collage', 'combine'],
  experimental: true,
  inputIsList: true,
  inputs: {
    images: IMAGE_LIST,
    columns: int({ default: 4, min: 1, max: 20, tooltip: 'How many images there are in a row.' }),
    cell_width: int({
      default: 256,
      min: 32,
      max: 2048,
      tooltip: 'The width of each image.',
      advanced: true,
    }),
    cell_height: int({
      default: 256,
      min: 32,
      max: 2048,
      tooltip: 'The height of each image.',
      advanced: true,
    }),
    padding: int({ default: 4, min: 0, max: 50, tooltip: 'The space between images.', advanced: true }),
  },
  outputs: [output('IMAGE', { name: 'images', tooltip: 'The grid' })],
  run({ images, columns: [columns = 4], padding: [padding = 4], ...cell }, context) {
    const [width = 256] = cell.cell_width;
    const [height = 256] = cell.cell_height;
    const count = images.reduce((sum, image) => sum + image.batch, 0);
    if (count === 0) throw valueError('A grid needs at least one image.');
    const rows = Math.ceil(count / columns);
    const grid = newImage(context.memory, {
      batch: 1,
      width: columns * width + (columns - 1) * padding,
      height: rows * height + (rows - 1) * padding,
      channels: 3,
    });
    grid.data.fill(0);
    const { memory, checkpoint } = context;
    let done = 0;
    for (const image of images) {
      for (let index = 0; index < image.batch; index++, done++) {
        const single = { ...image, batch: 1, data: picture(image, index) };
        const resized = upscale(single, { width, height, method: 'lanczos' }, { memory, checkpoint });
        const x = (done % columns) * (width + padding);
        placeCell(resized, grid, x, Math.floor(done / columns) * (height + padding));
        memory.free(resized.data);
        context.progress(done + 1, count);
      }
    }
    return [grid];
  },
});
