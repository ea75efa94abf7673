import { combo, defineNode, link, type NodeContext, output } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { eachPicture } from '../each-picture.ts';
import { mirror, quarterTurn } from './kernels/turn.ts';

type Turn = (source: Float32Array, target: Float32Array) => void;

async function turnPictures(image: Image, result: Image, context: NodeContext, turn: Turn): Promise<Image> {
  await eachPicture(result, context, (index) => turn(picture(image, index), picture(result, index)));
  return result;
}

export const imageRotate = defineNode({
  type: 'ImageRotate',
  title: 'Rotate Image',
  category: 'image/transform',
  searchAliases: ['turn', 'flip orientation'],
  inputs: {
    image: link('IMAGE'),
    rotation: combo(['none', '90 degrees', '180 degrees', '270 degrees']),
  },
  outputs: [output('IMAGE')],
  async run({ image, rotation }, context) {
    if (rotation === 'none') return [image];
    if (rotation === '180 degrees') {
      const result = newImage(context.memory, image);
      const both = { across: true, down: true };
      return [
        await turnPictures(image, result, context, (from, to) =>
          mirror(from, image, to, both, context.checkpoint),
        ),
      ];
    }
    const result = newImage(context.memory, { ...image, width: image.height, height: image.width });
    const clockwise = rotation === '90 degrees';
    return [
      await turnPictures(image, result, context, (from, to) =>
        quarterTurn(from, image, to, clockwise, context.checkpoint),
      ),
    ];
  },
});

export const imageFlip = defineNode({
  type: 'ImageFlip',
  title: 'Flip Image',
  category: 'image/transform',
  searchAliases: ['mirror', 'reflect'],
  inputs: {
    image: link('IMAGE'),
    flip_method: combo(['x-axis: vertically', 'y-axis: horizontally']),
  },
  outputs: [output('IMAGE')],
  async run({ image, flip_method: method }, context) {
    const down = method === 'x-axis: vertically';
    const result = newImage(context.memory, image);
    const way = { across: !down, down };
    return [
      await turnPictures(image, result, context, (from, to) =>
        mirror(from, image, to, way, context.checkpoint),
      ),
    ];
  },
});

export const turningNodes = [imageRotate, imageFlip];
