import { defineNode, int, link, output } from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';
import { newImage, newMask } from '../../values/image.ts';
import { copyInto } from '../batch.ts';
import { featherInto } from './kernels/feather.ts';

const margin = int({ default: 0, min: 0, max: MAX_EDGE, step: 8 });

export const imagePadForOutpaint = defineNode({
  type: 'ImagePadForOutpaint',
  title: 'Pad Image for Outpainting',
  category: 'image/transform',
  searchAliases: ['extend canvas', 'expand image'],
  inputs: {
    image: link('IMAGE'),
    left: margin,
    top: margin,
    right: margin,
    bottom: margin,
    feathering: int({ default: 40, min: 0, max: MAX_EDGE, step: 1, advanced: true }),
  },
  outputs: [output('IMAGE'), output('MASK')],
  run({ image, left, top, right, bottom, feathering }, { memory, checkpoint }) {
    const width = image.width + left + right;
    const height = image.height + top + bottom;
    const result = newImage(memory, { ...image, width, height });
    result.data.fill(0.5);
    checkpoint();
    copyInto(image, { x: 0, y: 0, width: image.width, height: image.height }, result, left, top, checkpoint);
    const mask = newMask(memory, { batch: 1, height, width });
    mask.data.fill(1);
    featherInto(mask, image, { left, top, right, bottom, feathering }, checkpoint);
    return [result, mask];
  },
});
