import { combo, defineNode, float, int, link, listCombo, output } from '@atelier/engine';
import { MAX_EDGE, roundHalfEven } from '../../values/arithmetic.ts';
import type { PixelSize } from '../resize/pillow-resize.ts';
import { upscale } from '../resize/upscale.ts';

export const UPSCALE_METHODS = ['nearest-exact', 'bilinear', 'area', 'bicubic', 'lanczos'] as const;
export const CROP_METHODS = ['disabled', 'center'] as const;

/** Derives a side of 0 from the other side and the proportions. If both are 0, the size stays the same. */
export function filledSize(source: PixelSize, { width, height }: PixelSize): PixelSize {
  if (width === 0 && height === 0) return { width: source.width, height: source.height };
  if (width === 0) {
    return { width: Math.max(1, roundHalfEven((source.width * height) / source.height)), height };
  }
  if (height === 0) {
    return { width, height: Math.max(1, roundHalfEven((source.height * width) / source.width)) };
  }
  return { width, height };
}

export function sizeBySide(source: PixelSize, length: number, side: 'longer' | 'shorter'): PixelSize {
  const { width, height } = source;
  if (width === height) return { width: length, height: length };
  if (height > width === (side === 'longer')) {
    return { width: roundHalfEven((width / height) * length), height: length };
  }
  return { width: length, height: roundHalfEven((height / width) * length) };
}

export const imageScale = defineNode({
  type: 'ImageScale',
  title: 'Upscale Image',
  category: 'image/upscaling',
  searchAliases: ['resize', 'resize image', 'scale image', 'image resize', 'zoom', 'zoom in', 'change size'],
  inputs: {
    image: link('IMAGE'),
    upscale_method: listCombo(UPSCALE_METHODS),
    width: int({ default: 512, min: 0, max: MAX_EDGE, step: 1 }),
    height: int({ default: 512, min: 0, max: MAX_EDGE, step: 1 }),
    crop: listCombo(CROP_METHODS),
  },
  outputs: [output('IMAGE')],
  run({ image, upscale_method: method, width, height, crop }, context) {
    if (width === 0 && height === 0) return [image];
    return [upscale(image, { ...filledSize(image, { width, height }), method, crop }, context)];
  },
});

export const imageScaleBy = defineNode({
  type: 'ImageScaleBy',
  title: 'Upscale Image By',
  category: 'image/upscaling',
  inputs: {
    image: link('IMAGE'),
    upscale_method: listCombo(UPSCALE_METHODS),
    scale_by: float({ default: 1, min: 0.01, max: 8, step: 0.01 }),
  },
  outputs: [output('IMAGE')],
  run({ image, upscale_method: method, scale_by: factor }, context) {
    const width = roundHalfEven(image.width * factor);
    const height = roundHalfEven(image.height * factor);
    return [upscale(image, { width, height, method }, context)];
  },
});

export const imageScaleToTotalPixels = defineNode({
  type: 'ImageScaleToTotalPixels',
  title: 'Scale Image to Total Pixels',
  category: 'image/upscaling',
  inputs: {
    image: link('IMAGE'),
    upscale_method: combo(UPSCALE_METHODS),
    megapixels: float({ default: 1, min: 0.01, max: 16, step: 0.01 }),
    resolution_steps: int({ default: 1, min: 1, max: 256, advanced: true }),
  },
  outputs: [output('IMAGE')],
  run({ image, upscale_method: method, megapixels, resolution_steps: steps }, context) {
    const factor = Math.sqrt((megapixels * 1024 * 1024) / (image.width * image.height));
    const width = roundHalfEven((image.width * factor) / steps) * steps;
    const height = roundHalfEven((image.height * factor) / steps) * steps;
    return [upscale(image, { width, height, method }, context)];
  },
});

export const imageScaleToMaxDimension = defineNode({
  type: 'ImageScaleToMaxDimension',
  title: 'Scale Image to Max Dimension',
  category: 'image/upscaling',
  inputs: {
    image: link('IMAGE'),
    upscale_method: combo(['area', 'lanczos', 'bilinear', 'nearest-exact', 'bilinear', 'bicubic']),
    largest_size: int({ default: 512, min: 0, max: MAX_EDGE, step: 1 }),
  },
  outputs: [output('IMAGE')],
  run({ image, upscale_method: method, largest_size: length }, context) {
    return [upscale(image, { ...sizeBySide(image, length, 'longer'), method }, context)];
  },
});
