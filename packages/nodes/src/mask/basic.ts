import { combo, defineNode, float, int, link, NodeError, output, valueError } from '@atelier/engine';
import { cropArea, toGrayImage } from '../image/batch.ts';
import { MAX_EDGE, roundHalfEven } from '../values/arithmetic.ts';
import { newMask } from '../values/image.ts';

const edge = int({ default: 512, min: 1, max: MAX_EDGE, step: 1 });
const place = int({ default: 0, min: 0, max: MAX_EDGE, step: 1 });

export const solidMask = defineNode({
  type: 'SolidMask',
  title: 'Create Solid Mask',
  category: 'image/mask',
  description: 'A mask with one value everywhere.',
  searchAliases: ['blank mask', 'fill mask'],
  inputs: { value: float({ default: 1, min: 0, max: 1, step: 0.01 }), width: edge, height: edge },
  outputs: [output('MASK')],
  run({ value, width, height }, { memory }) {
    const mask = newMask(memory, { batch: 1, height, width });
    mask.data.fill(value);
    return [mask];
  },
});

export const invertMask = defineNode({
  type: 'InvertMask',
  title: 'Invert Mask',
  category: 'image/mask',
  description: 'Masks what was not masked.',
  searchAliases: ['reverse mask', 'flip mask'],
  inputs: { mask: link('MASK') },
  outputs: [output('MASK')],
  run({ mask }, { memory }) {
    const result = newMask(memory, mask);
    const { data } = result;
    for (let at = 0; at < data.length; at++) data[at] = 1 - (mask.data[at] ?? 0);
    return [result];
  },
});

export const thresholdMask = defineNode({
  type: 'ThresholdMask',
  title: 'Threshold Mask',
  category: 'image/mask',
  description: 'Makes every value above the threshold 1 and every other 0.',
  searchAliases: ['binary mask'],
  inputs: { mask: link('MASK'), value: float({ default: 0.5, min: 0, max: 1, step: 0.01 }) },
  outputs: [output('MASK')],
  run({ mask, value }, { memory }) {
    const result = newMask(memory, mask);
    const { data } = result;
    const threshold = Math.fround(value);
    for (let at = 0; at < data.length; at++) data[at] = (mask.data[at] ?? 0) > threshold ? 1 : 0;
    return [result];
  },
});

export const cropMask = defineNode({
  type: 'CropMask',
  title: 'Crop Mask',
  category: 'image/mask',
  description: 'Cuts a rectangle out of a mask; what lies outside the mask is left off.',
  searchAliases: ['cut mask', 'extract mask region'],
  inputs: { mask: link('MASK'), x: place, y: place, width: edge, height: edge },
  outputs: [output('MASK')],
  run({ mask, x, y, width, height }, { memory }) {
    if (x >= mask.width || y >= mask.height) {
      throw valueError(
        `Nothing is left: the mask is ${mask.width} × ${mask.height} and the crop begins at ${x}, ${y}.`,
      );
    }
    const area = { x, y, width: Math.min(width, mask.width - x), height: Math.min(height, mask.height - y) };
    return [cropArea(mask, area, memory)];
  },
});

export const maskToImage = defineNode({
  type: 'MaskToImage',
  title: 'Convert Mask to Image',
  category: 'image/mask',
  description: 'A gray picture of a mask.',
  searchAliases: ['convert mask'],
  inputs: { mask: link('MASK') },
  outputs: [output('IMAGE')],
  run: ({ mask }, { memory, checkpoint }) => [toGrayImage(mask, memory, checkpoint)],
});

const CHANNELS = ['red', 'green', 'blue', 'alpha'] as const;

export const imageToMask = defineNode({
  type: 'ImageToMask',
  title: 'Convert Image to Mask',
  category: 'image/mask',
  description: 'One channel of a picture as a mask.',
  searchAliases: ['extract channel', 'channel to mask'],
  inputs: { image: link('IMAGE'), channel: combo(CHANNELS) },
  outputs: [output('MASK')],
  run({ image, channel }, { memory }) {
    const offset = CHANNELS.indexOf(channel);
    if (offset >= image.channels) {
      throw new NodeError(
        'IndexError',
        `The picture has ${image.channels} channels, and none of them is ${channel}.`,
      );
    }
    const mask = newMask(memory, image);
    const { data } = mask;
    for (let to = 0, from = offset; to < data.length; to++, from += image.channels) {
      data[to] = image.data[from] ?? 0;
    }
    return [mask];
  },
});

export const imageColorToMask = defineNode({
  type: 'ImageColorToMask',
  title: 'Convert Image Color to Mask',
  category: 'image/mask',
  description: 'Masks every pixel that has exactly this color.',
  searchAliases: ['color keying', 'chroma key'],
  inputs: {
    image: link('IMAGE'),
    color: int({ default: 0, min: 0, max: 0xffffff, step: 1, display: 'color' }),
  },
  outputs: [output('MASK')],
  run({ image, color }, { memory }) {
    const mask = newMask(memory, image);
    const { data } = mask;
    const { channels } = image;
    for (let to = 0, from = 0; to < data.length; to++, from += channels) {
      const red = toByte(image.data[from] ?? 0);
      const green = toByte(image.data[from + 1] ?? 0);
      const blue = toByte(image.data[from + 2] ?? 0);
      data[to] = ((red << 16) | (green << 8) | blue) === color ? 1 : 0;
    }
    return [mask];
  },
});

/** The nearest of 256 levels, halves to even. */
function toByte(value: number): number {
  return roundHalfEven(Math.fround(Math.min(1, Math.max(0, value)) * 255));
}
