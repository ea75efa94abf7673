import { combo, defineNode, link, type NodeContext, output } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { eachPicture } from '../each-picture.ts';
import type { PixelSize } from '../resize/pillow-resize.ts';
import { mirrored, quarterTurned, type Turn } from './kernels/turn.ts';

async function turnPictures(
  image: Image,
  size: PixelSize,
  context: NodeContext,
  turn: Turn,
): Promise<readonly [Image]> {
  const result = newImage(context.memory, { ...image, ...size });
  await eachPicture(result, context, (index) =>
    turn(picture(image, index), image, picture(result, index), context.checkpoint),
  );
  return [result];
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
    if (rotation === '180 degrees')
      return await turnPictures(image, image, context, mirrored({ across: true, down: true }));
    const size = { width: image.height, height: image.width };
    return await turnPictures(image, size, context, quarterTurned(rotation === '90 degrees'));
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
    return await turnPictures(image, image, context, mirrored({ across: !down, down }));
  },
});
