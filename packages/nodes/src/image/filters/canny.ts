import { defineNode, float, link, NodeError, output, valueError } from '@atelier/engine';
import { newImage, picture } from '../../values/image.ts';
import { canny } from './kernels/canny.ts';

export const cannyEdges = defineNode({
  type: 'Canny',
  title: 'Detect Edges (Canny)',
  category: 'image/filters',
  searchAliases: ['edge detection', 'outline', 'contour detection', 'line art'],
  inputs: {
    image: link('IMAGE'),
    low_threshold: float({ default: 0.4, min: 0.01, max: 0.99, step: 0.01 }),
    high_threshold: float({ default: 0.8, min: 0.01, max: 0.99, step: 0.01 }),
  },
  outputs: [output('IMAGE')],
  run({ image, low_threshold: low, high_threshold: high }, context) {
    const { batch, height, width, channels } = image;
    if (low > high) {
      throw valueError(`low_threshold is ${low}: it may not be more than high_threshold, ${high}.`);
    }
    if (height < 3 || width < 3) {
      throw new NodeError(
        'RuntimeError',
        `Edges need an image of at least 3 by 3 pixels; this one is ${width} by ${height}.`,
      );
    }
    const result = newImage(context.memory, { batch, height, width, channels: 3 });
    const { memory, checkpoint } = context;
    for (let index = 0; index < batch; index++) {
      const options = { height, width, channels, low, high, memory, checkpoint };
      canny(picture(image, index), picture(result, index), options);
      context.progress(index + 1, batch);
    }
    return [result];
  },
});
