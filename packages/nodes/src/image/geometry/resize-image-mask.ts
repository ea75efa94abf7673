import {
  combo,
  defineNode,
  dynamicCombo,
  float,
  int,
  link,
  matchOutput,
  matchType,
  NodeError,
} from '@atelier/engine';
import { MAX_EDGE, roundHalfEven } from '../../values/arithmetic.ts';
import type { Image, Mask } from '../../values/image.ts';
import { cropArea } from '../batch.ts';
import type { PixelSize, ResizeTools } from '../resize/pillow-resize.ts';
import { type UpscaleMethod, upscale } from '../resize/upscale.ts';
import { CROP_METHODS, filledSize, sizeBySide, UPSCALE_METHODS } from './scale.ts';

const crop = combo(CROP_METHODS, {
  default: 'center',
  tooltip: 'What to do when the proportions differ: stretch the picture, or cut its sides off to keep them.',
});
const side = (tooltip: string) => int({ default: 512, min: 0, max: MAX_EDGE, step: 1, tooltip });

export const resizeImageMask = defineNode({
  type: 'ResizeImageMaskNode',
  title: 'Resize Image/Mask',
  category: 'image/transform',
  description: 'Resizes an image or a mask, with the new size given in one of several ways.',
  searchAliases: [
    'resize',
    'resize image',
    'resize mask',
    'scale',
    'scale image',
    'scale mask',
    'image resize',
    'change size',
    'dimensions',
    'shrink',
    'enlarge',
  ],
  inputs: {
    input: matchType('input_type', { allowed: 'IMAGE,MASK' }),
    resize_type: dynamicCombo(
      {
        'scale dimensions': {
          width: side('The width in pixels; 0 keeps the proportions.'),
          height: side('The height in pixels; 0 keeps the proportions.'),
          crop,
        },
        'scale by multiplier': {
          multiplier: float({
            default: 1,
            min: 0.01,
            max: 8,
            step: 0.01,
            tooltip: 'How many times as large: 2 doubles both sides, 0.5 halves them.',
          }),
        },
        'scale longer dimension': {
          longer_size: side('The length of the longer side; the proportions stay.'),
        },
        'scale shorter dimension': {
          shorter_size: side('The length of the shorter side; the proportions stay.'),
        },
        'scale width': { width: side('The width in pixels; the height follows.') },
        'scale height': { height: side('The height in pixels; the width follows.') },
        'scale total pixels': {
          megapixels: float({
            default: 1,
            min: 0.01,
            max: 16,
            step: 0.01,
            tooltip: 'How many pixels in all, in units of 1024 × 1024; the proportions stay.',
          }),
        },
        'match size': {
          match: link('IMAGE,MASK', { tooltip: 'The image or mask whose size to take.' }),
          crop,
        },
        'scale to multiple': {
          multiple: int({
            default: 8,
            min: 1,
            max: MAX_EDGE,
            step: 1,
            tooltip: 'What both sides shall be divisible by, such as 8 or 64.',
          }),
        },
      },
      { tooltip: 'How the new size is given.' },
    ),
    scale_method: combo(UPSCALE_METHODS, {
      default: 'area',
      tooltip:
        'How pixels are mixed: area suits making smaller, lanczos making larger, nearest-exact pixel art.',
    }),
  },
  outputs: [matchOutput('input_type', { name: 'resized' })],
  run({ input, resize_type: type, scale_method: method }, context) {
    const value = imageOrMask(input);
    switch (type.choice) {
      case 'scale dimensions':
        if (type.width === 0 && type.height === 0) return [value];
        return [upscale(value, { ...filledSize(value, type), method, crop: type.crop }, context)];
      case 'scale by multiplier':
        return [upscale(value, { ...multiplied(value, type.multiplier), method }, context)];
      case 'scale longer dimension':
        return [upscale(value, { ...sizeBySide(value, type.longer_size, 'longer'), method }, context)];
      case 'scale shorter dimension':
        return [upscale(value, { ...sizeBySide(value, type.shorter_size, 'shorter'), method }, context)];
      case 'scale width':
        if (type.width === 0) return [value];
        return [upscale(value, { ...filledSize(value, { width: type.width, height: 0 }), method }, context)];
      case 'scale height':
        if (type.height === 0) return [value];
        return [upscale(value, { ...filledSize(value, { width: 0, height: type.height }), method }, context)];
      case 'scale total pixels': {
        const total = Math.trunc(type.megapixels * 1024 * 1024);
        const factor = Math.sqrt(total / (value.width * value.height));
        return [upscale(value, { ...multiplied(value, factor), method }, context)];
      }
      case 'match size': {
        const { width, height } = type.match;
        return [upscale(value, { width, height, method, crop: type.crop }, context)];
      }
      case 'scale to multiple':
        return [coverMultiple(value, type.multiple, method, context)];
    }
  },
});

function imageOrMask(value: unknown): Image | Mask {
  if (typeof value === 'object' && value !== null && 'data' in value) return value as Image | Mask;
  throw new NodeError('TypeError', 'Only an image or a mask can be resized.');
}

function multiplied({ width, height }: PixelSize, factor: number): PixelSize {
  return { width: roundHalfEven(width * factor), height: roundHalfEven(height * factor) };
}

/** Scales to cover the next smaller size that `multiple` divides, and crops the rest. */
function coverMultiple(
  value: Image | Mask,
  multiple: number,
  method: UpscaleMethod,
  tools: ResizeTools,
): Image | Mask {
  const width = Math.floor(value.width / multiple) * multiple;
  const height = Math.floor(value.height / multiple) * multiple;
  if (width === 0 || height === 0 || (width === value.width && height === value.height)) return value;
  const across = width / value.width;
  const down = height / value.height;
  const scaled =
    across >= down
      ? { width, height: Math.max(height, Math.ceil(value.height * across)) }
      : { width: Math.max(width, Math.ceil(value.width * down)), height };
  const x = Math.floor((scaled.width - width) / 2);
  const y = Math.floor((scaled.height - height) / 2);
  return cropArea(upscale(value, { ...scaled, method }, tools), { x, y, width, height }, tools.memory);
}
