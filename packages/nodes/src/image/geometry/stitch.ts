import { boolean, combo, defineNode, int, link, optional, output } from '@atelier/engine';
import { type Image, newImage } from '../../values/image.ts';
import type { Area } from '../batch.ts';
import type { PixelSize, ResizeTools } from '../resize/pillow-resize.ts';
import { upscale } from '../resize/upscale.ts';
import { fillArea, placePicture } from './kernels/place.ts';

const COLORS = {
  white: [1, 1, 1],
  black: [0, 0, 0],
  red: [1, 0, 0],
  green: [0, 1, 0],
  blue: [0, 0, 1],
} as const;

export const imageStitch = defineNode({
  type: 'ImageStitch',
  title: 'Stitch Images',
  category: 'image/transform',
  description:
    'Puts image2 beside image1, with space between them if wanted. Without image2 it gives image1 as it is.',
  searchAliases: ['combine images', 'join images', 'concatenate images', 'side by side'],
  inputs: {
    image1: link('IMAGE'),
    direction: combo(['right', 'down', 'left', 'up'], { default: 'right' }),
    match_image_size: boolean({ default: true }),
    spacing_width: int({ default: 0, min: 0, max: 1024, step: 2, advanced: true }),
    spacing_color: combo(['white', 'black', 'red', 'green', 'blue'], { default: 'white', advanced: true }),
    image2: optional(link('IMAGE')),
  },
  outputs: [output('IMAGE')],
  run({ image1, direction, match_image_size: matched, image2, ...spacing }, context) {
    if (image2 === undefined) return [image1];
    const across = direction === 'left' || direction === 'right';
    const second = matched ? matchedTo(image1, image2, across, context) : image2;
    const color = COLORS[spacing.spacing_color];
    // Colored space leaves the padding black; white and black color it too.
    const padding = spacing.spacing_color === 'white' ? 1 : 0;
    const gap = spacing.spacing_width + (spacing.spacing_width % 2);
    const pair = direction === 'left' || direction === 'up' ? [second, image1] : [image1, second];
    const result = stitch(pair, across, { gap, color, padding }, context);
    if (second !== image2) context.memory.free(second.data);
    return [result];
  },
});

/** The second picture at the height of the first, or at its width if they are stacked. */
function matchedTo(first: Image, second: Image, across: boolean, tools: ResizeTools): Image {
  const aspect = second.width / second.height;
  const size = across
    ? { width: Math.trunc(first.height * aspect), height: first.height }
    : { width: first.width, height: Math.trunc(first.width / aspect) };
  const { memory, checkpoint } = tools;
  return upscale(second, { ...size, method: 'lanczos' }, { memory, checkpoint });
}

interface Spacing {
  readonly gap: number;
  readonly color: readonly number[];
  readonly padding: number;
}

function stitch(
  images: readonly Image[],
  across: boolean,
  { gap, color, padding }: Spacing,
  { memory, checkpoint }: ResizeTools,
): Image {
  const most = (value: (image: Image) => number): number => Math.max(...images.map(value));
  const edge = most(across ? (image) => image.height : (image) => image.width);
  const length = images.reduce((sum, image) => sum + (across ? image.width : image.height), gap);
  const size: PixelSize = across ? { width: length, height: edge } : { width: edge, height: length };
  const result = newImage(memory, {
    batch: most((image) => image.batch),
    ...size,
    channels: most((image) => image.channels),
  });
  const part = (start: number, end: number): Area =>
    across
      ? { x: start, y: 0, width: end - start, height: edge }
      : { x: 0, y: start, width: edge, height: end - start };
  for (let index = 0; index < result.batch; index++) {
    let at = 0;
    for (const image of images) {
      checkpoint();
      if (at > 0 && gap > 0) {
        fillArea(result, index, part(at, at + gap), [...color, 1]);
        at += gap;
      }
      const end = at + (across ? image.width : image.height);
      placePicture(image, Math.min(index, image.batch - 1), result, index, { area: part(at, end), padding });
      at = end;
    }
  }
  return result;
}
