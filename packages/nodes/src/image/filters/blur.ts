import { defineNode, float, int, link, NodeError, output } from '@atelier/engine';
import type { Image } from '../../values/image.ts';
import { mapPictures } from '../each-picture.ts';
import { blur, gaussianWeights } from './kernels/gaussian-blur.ts';
import { sharpen } from './kernels/levels.ts';

/** Mirroring needs a pixel for each step beyond the edge. ComfyUI refuses smaller pictures too. */
function checkRadius(name: string, radius: number, { width, height }: Image): void {
  if (radius < width && radius < height) return;
  throw new NodeError(
    'RuntimeError',
    `${name} is ${radius}, but the image is only ${width} by ${height} pixels: use a radius below ${Math.min(width, height)}.`,
  );
}

export const imageBlur = defineNode({
  type: 'ImageBlur',
  title: 'Blur Image',
  category: 'image/filters',
  inputs: {
    image: link('IMAGE'),
    blur_radius: int({ default: 1, min: 1, max: 31, step: 1 }),
    sigma: float({ default: 1, min: 0.1, max: 10, step: 0.1 }),
  },
  outputs: [output('IMAGE')],
  async run({ image, blur_radius: radius, sigma }, context) {
    if (radius === 0) return [image];
    checkRadius('blur_radius', radius, image);
    const weights = gaussianWeights(radius, sigma);
    return [
      await mapPictures(image, context, (source, target) =>
        blur(source, target, image, weights, context.checkpoint),
      ),
    ];
  },
});

export const imageSharpen = defineNode({
  type: 'ImageSharpen',
  title: 'Sharpen Image',
  category: 'image/filters',
  inputs: {
    image: link('IMAGE'),
    sharpen_radius: int({ default: 1, min: 1, max: 31, step: 1, advanced: true }),
    sigma: float({ default: 1, min: 0.1, max: 10, step: 0.01, advanced: true }),
    alpha: float({ default: 1, min: 0, max: 5, step: 0.01, advanced: true }),
  },
  outputs: [output('IMAGE')],
  async run({ image, sharpen_radius: radius, sigma, alpha }, context) {
    if (radius === 0) return [image];
    checkRadius('sharpen_radius', radius, image);
    const weights = gaussianWeights(radius, sigma);
    const options = { scalars: [10 * alpha], checkpoint: context.checkpoint };
    return [
      await mapPictures(image, context, (source, target) => {
        blur(source, target, image, weights, context.checkpoint);
        sharpen(target, [source, target], options);
      }),
    ];
  },
});
