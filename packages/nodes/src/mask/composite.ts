import { boolean, combo, defineNode, int, link, NodeError, optional, output } from '@atelier/engine';
import { repeatToBatchSize, withChannels } from '../image/batch.ts';
import { upscale } from '../image/resize/upscale.ts';
import { MAX_EDGE } from '../values/arithmetic.ts';
import { type Image, type Mask, newImage, newMask, picture } from '../values/image.ts';
import { layOver } from './kernels/lay-over.ts';
import { PORTER_DUFF_MODES, porterDuff } from './kernels/porter-duff.ts';

const place = int({ default: 0, min: 0, max: MAX_EDGE, step: 1 });

export const imageCompositeMasked = defineNode({
  type: 'ImageCompositeMasked',
  title: 'Image Composite Masked',
  category: 'image/compositing',
  description: 'Lays one picture over another, where a mask says so.',
  searchAliases: ['overlay', 'layer', 'paste image', 'composition'],
  inputs: {
    destination: link('IMAGE'),
    source: link('IMAGE'),
    x: place,
    y: place,
    resize_source: boolean({ default: false }),
    mask: optional(link('MASK')),
  },
  outputs: [output('IMAGE')],
  run({ destination, source, x, y, resize_source, mask }, context) {
    const { memory } = context;
    const { width, height, batch } = destination;
    const method = 'bilinear';
    let over: Image = withChannels(source, destination.channels, memory);
    if (resize_source) over = upscale(over, { width, height, method }, context);
    over = repeatToBatchSize(over, batch, memory);
    const fitted = mask && upscale(mask, { width: over.width, height: over.height, method }, context);
    const cover: Mask | undefined = fitted && repeatToBatchSize(fitted, batch, memory);
    const result = newImage(memory, destination);
    result.data.set(destination.data);
    for (let index = 0; index < batch; index++) {
      layOver(picture(result, index), destination, {
        source: picture(over, index),
        width: over.width,
        height: over.height,
        mask: cover && picture(cover, index),
        x: Math.min(x, width),
        y: Math.min(y, height),
      });
      context.progress(index + 1, batch);
    }
    return [result];
  },
});

export const porterDuffImageComposite = defineNode({
  type: 'PorterDuffImageComposite',
  title: 'Porter-Duff Image Composite',
  category: 'mask/compositing',
  description:
    'Composites two pictures with transparency, by one of the modes of Porter and Duff and their relatives.',
  searchAliases: ['alpha composite', 'blend modes', 'layer blend', 'transparency blend'],
  inputs: {
    source: link('IMAGE'),
    source_alpha: link('MASK'),
    destination: link('IMAGE'),
    destination_alpha: link('MASK'),
    mode: combo(PORTER_DUFF_MODES, { default: 'DST' }),
  },
  outputs: [output('IMAGE'), output('MASK')],
  run({ source, source_alpha, destination, destination_alpha, mode }, context) {
    if (source.channels !== destination.channels) {
      throw new NodeError(
        'AssertionError',
        `Both pictures need the same number of channels, not ${source.channels} and ${destination.channels}.`,
      );
    }
    const { width, height, channels } = destination;
    const fit = { width, height, method: 'bicubic', crop: 'center' } as const;
    const images = { source: upscale(source, fit, context), destination };
    const alphas = {
      source: upscale(source_alpha, fit, context),
      destination: upscale(destination_alpha, fit, context),
    };
    const batch = Math.min(source.batch, source_alpha.batch, destination.batch, destination_alpha.batch);
    const image = newImage(context.memory, { batch, height, width, channels });
    const mask = newMask(context.memory, { batch, height, width });
    for (let index = 0; index < batch; index++) {
      porterDuff(mode, channels, {
        source: picture(images.source, index),
        sourceMask: picture(alphas.source, index),
        destination: picture(images.destination, index),
        destinationMask: picture(alphas.destination, index),
        image: picture(image, index),
        mask: picture(mask, index),
      });
      context.progress(index + 1, batch);
    }
    return [image, mask];
  },
});

export const splitImageWithAlpha = defineNode({
  type: 'SplitImageWithAlpha',
  title: 'Split Image with Alpha',
  category: 'mask/compositing',
  description: 'Parts a picture into its colors and a mask of its transparency.',
  searchAliases: ['extract alpha', 'separate transparency', 'remove alpha'],
  inputs: { image: link('IMAGE') },
  outputs: [output('IMAGE'), output('MASK')],
  run({ image }, { memory }) {
    const colors = Math.min(3, image.channels);
    const rgb = newImage(memory, { ...image, channels: colors });
    const mask = newMask(memory, image);
    for (let pixel = 0; pixel < mask.data.length; pixel++) {
      const from = pixel * image.channels;
      for (let channel = 0; channel < colors; channel++) {
        rgb.data[pixel * colors + channel] = image.data[from + channel] ?? 0;
      }
      mask.data[pixel] = image.channels > 3 ? 1 - (image.data[from + 3] ?? 0) : 0;
    }
    return [rgb, mask];
  },
});

export const joinImageWithAlpha = defineNode({
  type: 'JoinImageWithAlpha',
  title: 'Join Image with Alpha',
  category: 'mask/compositing',
  description: 'Gives a picture the transparency of a mask.',
  searchAliases: ['add transparency', 'apply alpha', 'composite alpha', 'RGBA'],
  inputs: { image: link('IMAGE'), alpha: link('MASK') },
  outputs: [output('IMAGE')],
  run({ image, alpha }, context) {
    const { memory } = context;
    const { width, height } = image;
    const batch = Math.max(image.batch, alpha.batch);
    const mask = repeatToBatchSize(
      upscale(alpha, { width, height, method: 'bilinear' }, context),
      batch,
      memory,
    );
    const colors = repeatToBatchSize(image, batch, memory);
    const kept = Math.min(3, image.channels);
    const channels = kept + 1;
    const result = newImage(memory, { batch, height, width, channels });
    for (let pixel = 0; pixel < mask.data.length; pixel++) {
      const to = pixel * channels;
      for (let channel = 0; channel < kept; channel++) {
        result.data[to + channel] = colors.data[pixel * image.channels + channel] ?? 0;
      }
      result.data[to + kept] = 1 - (mask.data[pixel] ?? 0);
    }
    return [result];
  },
});
