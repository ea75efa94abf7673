import { defineNode, float, link, output } from '@atelier/engine';
import { mapPictures } from '../each-picture.ts';
import type { Pointwise } from '../simd/pointwise.ts';
import { brighten, invert, spread, standardize } from './kernels/levels.ts';

export const imageInvert = defineNode({
  type: 'ImageInvert',
  title: 'Invert Image Colors',
  category: 'image/color',
  searchAliases: ['reverse colors'],
  inputs: { image: link('IMAGE') },
  outputs: [output('IMAGE')],
  async run({ image }, context) {
    return [await mapPictures(image, context, (source, target) => invert(target, [source], context))];
  },
});

const changed = output('IMAGE', { name: 'images', tooltip: 'The changed image.' });

function adjusting(what: 'Brightness' | 'Contrast', description: string, tooltip: string, adjust: Pointwise) {
  return defineNode({
    type: `Adjust${what}`,
    title: `Adjust ${what}`,
    category: 'image/adjustments',
    description,
    searchAliases: [what.toLowerCase()],
    experimental: true,
    inputs: {
      images: link('IMAGE', { tooltip: 'The image to change.' }),
      factor: float({ default: 1, min: 0, max: 2, tooltip }),
    },
    outputs: [changed],
    async run({ images, factor }, context) {
      const options = { scalars: [factor], checkpoint: context.checkpoint };
      return [await mapPictures(images, context, (source, target) => adjust(target, [source], options))];
    },
  });
}

export const adjustBrightness = adjusting(
  'Brightness',
  'Makes an image brighter or darker.',
  'What every value is multiplied by: 1 changes nothing, less is darker, more is brighter.',
  brighten,
);

export const adjustContrast = adjusting(
  'Contrast',
  'Raises or lowers the contrast of an image.',
  'How far values move away from the middle: 1 changes nothing, less is flatter, more is harder.',
  spread,
);

export const normalizeImages = defineNode({
  type: 'NormalizeImages',
  title: 'Normalize Image Colors',
  category: 'image/color',
  description: 'Subtracts a mean from every value and divides by a standard deviation.',
  searchAliases: ['normalize', 'normalize colors'],
  experimental: true,
  inputs: {
    images: link('IMAGE', { tooltip: 'The image to change.' }),
    mean: float({ default: 0.5, min: 0, max: 1, advanced: true, tooltip: 'What is subtracted.' }),
    std: float({ default: 0.5, min: 0.001, max: 1, advanced: true, tooltip: 'What is divided by.' }),
  },
  outputs: [changed],
  async run({ images, mean, std }, context) {
    const options = { scalars: [mean, std], checkpoint: context.checkpoint };
    return [await mapPictures(images, context, (source, target) => standardize(target, [source], options))];
  },
});
