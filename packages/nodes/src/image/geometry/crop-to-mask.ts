import { defineNode, float, int, link, type NodeContext, output, valueError } from '@atelier/engine';
import { type Image, type Mask, newImage, picture } from '../../values/image.ts';
import { withChannels } from '../batch.ts';
import { squareExtremum } from '../filters/kernels/square-extremum.ts';
import { lanczosFloats, type PixelSize } from '../resize/pillow-resize.ts';
import { upscale } from '../resize/upscale.ts';
import {
  clampUnit,
  compositeArea,
  foregroundBounds,
  invert,
  isInverted,
  subjectArea,
} from './kernels/subject.ts';

export const imageCropToMask = defineNode({
  type: 'ImageCropToMask',
  title: 'Crop Image to Mask',
  category: 'image/transform',
  description: 'Cuts out what a mask covers, with a margin, over a plain background.',
  searchAliases: [
    'crop to mask',
    'mask crop',
    'crop mask',
    'mask crop resize',
    'crop mask resize',
    'trellis2',
    'pixal3d',
  ],
  inputs: {
    images: link('IMAGE'),
    masks: link('MASK'),
    width: int({ default: 1024, min: 64, max: 4096, step: 8, tooltip: 'The width of the result in pixels.' }),
    height: int({
      default: 1024,
      min: 64,
      max: 4096,
      step: 8,
      tooltip: 'The height of the result in pixels.',
    }),
    pad_factor: float({
      default: 1,
      min: 1,
      max: 2,
      step: 0.01,
      tooltip: 'How many times as large as what the mask covers the part to keep is.',
    }),
    grow_mask: int({
      default: 0,
      min: -32,
      max: 32,
      step: 1,
      tooltip: 'By how many pixels to widen the mask first; below 0 it shrinks.',
    }),
    background: link('COLOR', {
      default: '#000000',
      socketless: true,
      tooltip: 'The color where the mask covers nothing.',
    }),
  },
  outputs: [output('IMAGE', { name: 'images' })],
  run({ images, masks, width, height, ...options }, context) {
    if (masks.batch !== 1 && masks.batch !== images.batch) {
      throw valueError(`Mask batch ${masks.batch} does not match image batch ${images.batch}`);
    }
    const { memory, checkpoint } = context;
    const size = { width: images.width, height: images.height };
    const fitted = upscale(masks, { ...size, method: 'bilinear' }, { memory, checkpoint });
    const color = colorOf(options.background);
    const result = newImage(memory, { batch: images.batch, width, height, channels: 3 });
    for (let index = 0; index < images.batch; index++) {
      const image = colorsOf(images, index, context);
      const mask = maskOf(fitted, Math.min(index, fitted.batch - 1), options.grow_mask, context);
      const subject = cutOut(
        { image, mask },
        { width, height },
        { padFactor: options.pad_factor, color },
        context,
      );
      lanczosFloats(subject.data, subject, picture(result, index), { width, height }, { memory, checkpoint });
      memory.free(subject.data);
      context.progress(index + 1, images.batch);
    }
    if (fitted !== masks) memory.free(fitted.data);
    return [result];
  },
});

/** `#rrggbb`; anything else is black. */
function colorOf(value: unknown): readonly [number, number, number] {
  const digits = /^#*([0-9a-f]{2})([0-9a-f]{2})([0-9a-f]{2})$/i.exec(String(value));
  const share = (group: number): number => Number.parseInt(digits?.[group] ?? '0', 16) / 255;
  return [share(1), share(2), share(3)];
}

/** The colors of one picture, between 0 and 1. */
function colorsOf(images: Image, index: number, { memory, checkpoint }: NodeContext): Image {
  const single = { ...images, batch: 1, data: picture(images, index) };
  if (images.channels !== 1 && images.channels < 3) {
    throw valueError(`A picture of ${images.channels} channels has no colors to keep.`);
  }
  const result = newImage(memory, { ...single, channels: 3 });
  if (images.channels === 1) {
    for (let at = 0; at < result.data.length; at++) result.data[at] = single.data[Math.floor(at / 3)] ?? 0;
  } else {
    const colors = withChannels(single, 3, memory, checkpoint);
    result.data.set(colors.data);
    if (colors !== single) memory.free(colors.data);
  }
  clampUnit(result.data);
  return result;
}

/** One mask, grown and not inverted. */
function maskOf(masks: Mask, index: number, grow: number, { memory, checkpoint }: NodeContext): Mask {
  const { width, height } = masks;
  const data = memory.dirtyFloats(width * height);
  data.set(picture(masks, index));
  clampUnit(data);
  if (isInverted(data, width, height)) invert(data);
  if (grow !== 0) {
    const kind = grow > 0 ? 'greatest' : 'least';
    const shape = { width, height, channels: 1 };
    squareExtremum(data, data, shape, { kind, size: 2 * Math.abs(grow) + 1, checkpoint });
  }
  // Almost transparent pixels are not part of the subject.
  for (let at = 0; at < data.length; at++) if ((data[at] ?? 0) < 0.05) data[at] = 0;
  return { batch: 1, width, height, data };
}

interface Subject {
  readonly image: Image;
  readonly mask: Mask;
}

function cutOut(
  full: Subject,
  size: PixelSize,
  { padFactor, color }: { readonly padFactor: number; readonly color: readonly [number, number, number] },
  context: NodeContext,
): Image {
  const { image, mask } = shrunk(full, Math.max(size.width, size.height), context);
  const found = foregroundBounds(mask.data, mask.width, mask.height);
  if (found.inverted) invert(mask.data);
  const area = found.bounds
    ? subjectArea(found.bounds, size.width / size.height, padFactor)
    : { x: 0, y: 0, width: mask.width, height: mask.height };
  if (area.width < 1 || area.height < 1) {
    throw valueError('What the mask covers is too thin to be cut out.');
  }
  const result = newImage(context.memory, { ...image, width: area.width, height: area.height });
  compositeArea(image, mask.data, area, color, result, context.checkpoint);
  context.memory.free(image.data);
  context.memory.free(mask.data);
  return result;
}

/** Makes pictures that are larger than the result smaller first. */
function shrunk({ image, mask }: Subject, most: number, { memory, checkpoint }: NodeContext): Subject {
  const longer = Math.max(image.width, image.height);
  if (longer <= most) return { image, mask };
  const scale = most / longer;
  const size = {
    width: Math.trunc(image.width * scale),
    height: Math.trunc(image.height * scale),
    method: 'lanczos',
  } as const;
  const smaller = {
    image: upscale(image, size, { memory, checkpoint }),
    mask: upscale(mask, size, { memory, checkpoint }),
  };
  memory.free(image.data);
  memory.free(mask.data);
  return smaller;
}
