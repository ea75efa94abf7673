import { defineNode, float, link, output } from '@atelier/engine';
import { brighten, invert, spread, standardize } from './kernels/levels.ts';
import { mapPictures } from './map-pictures.ts';

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

export const adjustBrightness = defineNode({
  type: 'AdjustBrightness',
  title: 'Adjust Brightness',
  category: 'image/adjustments',
  description: 'Makes an image brighter or darker.',
  searchAliases: ['brightness'],
  experimental: true,
  inputs: {
    images: link('IMAGE', { tooltip: 'The image to change.' }),
    factor: float({
      default: 1,
      min: 0,
      max: 2,
      tooltip: 'What every value is multiplied by: 1 changes nothing, less is darker, more is brighter.',
    }),
  },
  outputs: [output('IMAGE', { name: 'images', tooltip: 'The changed image.' })],
  async run({ images, factor }, context) {
    const options = { scalars: [factor], checkpoint: context.checkpoint };
    return [await mapPictures(images, context, (source, target) => brighten(target, [source], options))];
  },
});

export const adjustContrast = defineNode({
  type: 'AdjustContrast',
  title: 'Adjust Contrast',
  category: 'image/adjustments',
  description: 'Raises or lowers the contrast of an image.',
  searchAliases: ['contrast'],
  experimental: true,
  inputs: {
    images: link('IMAGE', { tooltip: 'The image to change.' }),
    factor: float({
      default: 1,
      min: 0,
      max: 2,
      tooltip:
        'How far values move away from the middle: 1 changes nothing, less is flatter, more is harder.',
    }),
  },
  outputs: [output('IMAGE', { name: 'images', tooltip: 'The changed image.' })],
  async run({ images, factor }, context) {
    const options = { scalars: [factor], checkpoint: context.checkpoint };
    return [await mapPictures(images, context, (source, target) => spread(target, [source], options))];
  },
});

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
  outputs: [output('IMAGE', { name: 'images', tooltip: 'The changed image.' })],
  async run({ images, mean, std }, context) {
    const options = { scalars: [mean, std], checkpoint: context.checkpoint };
    return [await mapPictures(images, context, (source, target) => standardize(target, [source], options))];
  },
});
