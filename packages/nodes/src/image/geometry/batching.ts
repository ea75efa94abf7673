import {
  autogrow,
  defineNode,
  int,
  link,
  listOutput,
  type NodeContext,
  output,
  valueError,
} from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';
import type { Image, Mask } from '../../values/image.ts';
import { joinBatches, repeatToBatchSize, separate, sliceBatch, withChannels } from '../batch.ts';
import { upscale } from '../resize/upscale.ts';

/** Joins pictures at the size of the first. Pictures without alpha become opaque if others have alpha. */
function batchImages(images: readonly Image[], context: NodeContext): Image {
  const channels = Math.max(...images.map((image) => image.channels));
  const widened = images.map((image) => withChannels(image, channels, context.memory, context.checkpoint));
  const resized = toFirstSize(widened, context);
  const result = joinBatches(resized, context.memory, context.checkpoint);
  for (const values of [widened, resized]) {
    for (const value of new Set(values)) {
      if (value !== result && !images.includes(value)) context.memory.free(value.data);
    }
  }
  return result;
}

function toFirstSize<T extends Image | Mask>(values: readonly T[], { memory, checkpoint }: NodeContext): T[] {
  const [first] = values;
  if (first === undefined) throw valueError('There is no picture to put into the batch.');
  const { width, height } = first;
  return values.map((value) =>
    upscale(value, { width, height, method: 'bilinear', crop: 'center' }, { memory, checkpoint }),
  );
}

export const imageBatch = defineNode({
  type: 'ImageBatch',
  title: 'Batch Images (DEPRECATED)',
  category: 'image/batch',
  searchAliases: ['combine images', 'merge images', 'stack images'],
  deprecated: true,
  inputs: { image1: link('IMAGE'), image2: link('IMAGE') },
  outputs: [output('IMAGE')],
  run: ({ image1, image2 }, context) => [batchImages([image1, image2], context)],
});

export const batchImagesNode = defineNode({
  type: 'BatchImagesNode',
  title: 'Batch Images',
  category: 'image/batch',
  searchAliases: ['batch', 'image batch', 'batch images', 'combine images', 'merge images', 'stack images'],
  inputs: { images: autogrow(link('IMAGE'), { prefix: 'image', min: 1, max: 50 }) },
  outputs: [output('IMAGE')],
  run: ({ images }, context) => [batchImages(Object.values(images), context)],
});

export const batchMasksNode = defineNode({
  type: 'BatchMasksNode',
  title: 'Batch Masks',
  category: 'image/mask',
  searchAliases: ['combine masks', 'stack masks', 'merge masks'],
  inputs: { masks: autogrow(link('MASK'), { prefix: 'mask', min: 1, max: 50 }) },
  outputs: [output('MASK')],
  run({ masks }, context) {
    const all = Object.values(masks);
    const resized = toFirstSize(all, context);
    const result = joinBatches(resized, context.memory, context.checkpoint);
    for (const value of resized) {
      if (value !== result && !all.includes(value)) context.memory.free(value.data);
    }
    return [result];
  },
});

export const repeatImageBatch = defineNode({
  type: 'RepeatImageBatch',
  title: 'Repeat Image Batch',
  category: 'image/batch',
  searchAliases: ['duplicate image', 'clone image'],
  inputs: { image: link('IMAGE'), amount: int({ default: 1, min: 1, max: 4096 }) },
  outputs: [output('IMAGE')],
  run: ({ image, amount }, { memory, checkpoint }) => [
    repeatToBatchSize(image, image.batch * amount, memory, checkpoint),
  ],
});

export const imageFromBatch = defineNode({
  type: 'ImageFromBatch',
  title: 'Get Image from Batch',
  category: 'image/batch',
  searchAliases: ['select image', 'pick from batch', 'extract image'],
  inputs: {
    image: link('IMAGE'),
    batch_index: int({ default: 0, min: -MAX_EDGE, max: MAX_EDGE }),
    length: int({ default: 1, min: 1, max: 4096 }),
  },
  outputs: [output('IMAGE')],
  run({ image, batch_index: index, length }, { memory }) {
    const wanted = index < 0 ? index + image.batch : index;
    const start = Math.max(0, Math.min(image.batch - 1, wanted));
    return [sliceBatch(image, start, Math.min(image.batch, start + length), memory)];
  },
});

export const rebatchImages = defineNode({
  type: 'RebatchImages',
  title: 'Rebatch Images',
  category: 'image/batch',
  inputIsList: true,
  inputs: { images: link('IMAGE'), batch_size: int({ default: 1, min: 1, max: 4096 }) },
  outputs: [listOutput('IMAGE')],
  run({ images, batch_size: [size = 1] }, context) {
    const singles = separate(images);
    const batches: Image[] = [];
    for (let start = 0; start < singles.length; start += size) {
      batches.push(joinBatches(singles.slice(start, start + size), context.memory));
      context.progress(Math.min(singles.length, start + size), singles.length);
    }
    return [batches];
  },
});

export const createList = defineNode({
  type: 'CreateList',
  title: 'Create List',
  category: 'utilities',
  searchAliases: ['Image Iterator', 'Text Iterator', 'Iterator'],
  inputIsList: true,
  inputs: { inputs: autogrow(link('*'), { prefix: 'input', min: 1, max: 10 }) },
  outputs: [listOutput('*', { name: 'list' })],
  run({ inputs }) {
    // Each item of a growing input is a list of its own.
    const lists = inputs as unknown as Readonly<Record<string, readonly unknown[]>>;
    return [Object.values(lists).flat(1)];
  },
});

export const getImageSize = defineNode({
  type: 'GetImageSize',
  title: 'Get Image Size',
  category: 'image',
  description: 'Tells the width and height of an image, and how many there are in its batch.',
  searchAliases: ['dimensions', 'resolution', 'image info'],
  inputs: { image: link('IMAGE') },
  hidden: { unique_id: 'UNIQUE_ID' },
  outputs: [
    output('INT', { name: 'width' }),
    output('INT', { name: 'height' }),
    output('INT', { name: 'batch_size' }),
  ],
  run({ image: { width, height, batch } }, context) {
    context.showText(`width: ${width}, height: ${height}\n batch size: ${batch}`);
    return [width, height, batch];
  },
});
