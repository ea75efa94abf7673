import { bigInt, defineNode, int, link, output, valueError } from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';
import { type Image, newImage } from '../../values/image.ts';
import { foldedMt19937, MAX_SEED, randomBelow } from '../../values/mt19937.ts';
import { type Area, copyInto, cropArea } from '../batch.ts';
import { savePreviews } from '../io/save-pictures.ts';
import { quantizeToBytes } from '../resize/bytes.ts';
import type { ResizeTools } from '../resize/pillow-resize.ts';

/** A corner beyond the picture moves to its last pixel, and the part beyond the picture is left out. */
function fittedArea(image: Image, { x, y, width, height }: Area): Area {
  const left = Math.max(0, Math.min(x, image.width - 1));
  const top = Math.max(0, Math.min(y, image.height - 1));
  return {
    x: left,
    y: top,
    width: Math.min(width, image.width - left),
    height: Math.min(height, image.height - top),
  };
}

export const imageCrop = defineNode({
  type: 'ImageCrop',
  title: 'Crop Image (DEPRECATED)',
  category: 'image/transform',
  searchAliases: ['trim'],
  deprecated: true,
  inputs: {
    image: link('IMAGE'),
    width: int({ default: 512, min: 1, max: MAX_EDGE, step: 1 }),
    height: int({ default: 512, min: 1, max: MAX_EDGE, step: 1 }),
    x: int({ default: 0, min: 0, max: MAX_EDGE, step: 1 }),
    y: int({ default: 0, min: 0, max: MAX_EDGE, step: 1 }),
  },
  outputs: [output('IMAGE')],
  run({ image, ...area }, { memory, checkpoint }) {
    return [cropArea(image, fittedArea(image, area), memory, checkpoint)];
  },
});

/** Editors send the box as a constant, so its members may be anything. */
function boxOf(region: unknown): Area {
  const members: Readonly<Record<string, unknown>> =
    typeof region === 'object' && region !== null ? { ...region } : {};
  const whole = (name: string, fallback: number): number => {
    const value = members[name] ?? fallback;
    if (typeof value === 'number' && Number.isInteger(value) && value >= 0) return value;
    throw valueError(`The ${name} of a bounding box must be a whole number of at least 0.`);
  };
  return { x: whole('x', 0), y: whole('y', 0), width: whole('width', 512), height: whole('height', 512) };
}

export const imageCropV2 = defineNode({
  type: 'ImageCropV2',
  title: 'Crop Image',
  category: 'image/transform',
  description: 'Cuts a rectangle out of an image.',
  searchAliases: ['crop', 'cut', 'trim'],
  hasIntermediateOutput: true,
  inputs: {
    image: link('IMAGE'),
    crop_region: link('BOUNDING_BOX', {
      socketless: true,
      default: { x: 0, y: 0, width: 512, height: 512 },
      component: 'ImageCrop',
    }),
  },
  outputs: [output('IMAGE')],
  async run({ image, crop_region: region }, context) {
    const part = cropArea(image, fittedArea(image, boxOf(region)), context.memory, context.checkpoint);
    return { outputs: [part], ui: { images: await savePreviews(part, context), animated: [false] } };
  },
});

export const primitiveBoundingBox = defineNode({
  type: 'PrimitiveBoundingBox',
  title: 'Bounding Box',
  category: 'utilities/primitive',
  inputs: {
    x: int({ default: 0, min: 0, max: MAX_EDGE }),
    y: int({ default: 0, min: 0, max: MAX_EDGE }),
    width: int({ default: 512, min: 1, max: MAX_EDGE }),
    height: int({ default: 512, min: 1, max: MAX_EDGE }),
  },
  outputs: [output('BOUNDING_BOX')],
  run: ({ x, y, width, height }) => [{ x, y, width, height }],
});

/** Shared by the two nodes for data sets. */
const datasetCrop = {
  category: 'image/transform',
  searchAliases: ['crop', 'cut', 'trim'],
  experimental: true,
  outputs: [output('IMAGE', { name: 'images', tooltip: 'The cropped images' })],
} as const;
const cropInputs = {
  images: link('IMAGE', { tooltip: 'The image to crop.' }),
  width: int({ default: 512, min: 1, max: 8192, tooltip: 'The width to keep.' }),
  height: int({ default: 512, min: 1, max: 8192, tooltip: 'The height to keep.' }),
};

/** The part in 8 bits. */
function cropBytes(image: Image, area: Area, { memory, checkpoint }: ResizeTools): Image {
  const result = newImage(memory, { ...image, width: area.width, height: area.height });
  copyInto(image, area, result, 0, 0, checkpoint);
  quantizeToBytes(result.data, checkpoint);
  return result;
}

export const centerCropImages = defineNode({
  ...datasetCrop,
  type: 'CenterCropImages',
  title: 'Crop Image (Center)',
  description: 'Keeps the middle of an image.',
  inputs: cropInputs,
  run({ images, width, height }, context) {
    const x = Math.max(0, Math.floor((images.width - width) / 2));
    const y = Math.max(0, Math.floor((images.height - height) / 2));
    return [cropBytes(images, fittedArea(images, { x, y, width, height }), context)];
  },
});

export const randomCropImages = defineNode({
  ...datasetCrop,
  type: 'RandomCropImages',
  title: 'Crop Image (Random)',
  description: 'Keeps a part of an image from a random place.',
  inputs: {
    ...cropInputs,
    seed: bigInt({ default: 0, min: 0, max: MAX_SEED, tooltip: 'Decides the place.' }),
  },
  run({ images, width, height, seed }, context) {
    const generator = foldedMt19937(seed);
    const x = randomBelow(generator, Math.max(0, images.width - width) + 1);
    const y = randomBelow(generator, Math.max(0, images.height - height) + 1);
    return [cropBytes(images, fittedArea(images, { x, y, width, height }), context)];
  },
});
