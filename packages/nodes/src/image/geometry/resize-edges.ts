import { combo, defineNode, int, link, output, valueError } from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';
import { newImage } from '../../values/image.ts';
import { copyInto } from '../batch.ts';
import type { PixelSize } from '../resize/pillow-resize.ts';
import { upscale } from '../resize/upscale.ts';

export const resizeAndPadImage = defineNode({
  type: 'ResizeAndPadImage',
  title: 'Resize And Pad Image',
  category: 'image/transform',
  searchAliases: ['fit to size'],
  inputs: {
    image: link('IMAGE'),
    target_width: int({ default: 512, min: 1, max: MAX_EDGE, step: 1 }),
    target_height: int({ default: 512, min: 1, max: MAX_EDGE, step: 1 }),
    padding_color: combo(['white', 'black'], { advanced: true }),
    interpolation: combo(['area', 'bicubic', 'nearest-exact', 'bilinear', 'lanczos'], { advanced: true }),
  },
  outputs: [output('IMAGE')],
  run(inputs, context) {
    const { image, target_width: width, target_height: height, interpolation: method } = inputs;
    const scale = Math.min(width / image.width, height / image.height);
    const size = { width: Math.trunc(image.width * scale), height: Math.trunc(image.height * scale) };
    const resized = upscale(image, { ...size, method }, context);
    if (size.width === width && size.height === height) return [resized];
    const result = newImage(context.memory, { ...image, width, height });
    result.data.fill(inputs.padding_color === 'white' ? 1 : 0);
    const x = Math.floor((width - size.width) / 2);
    const y = Math.floor((height - size.height) / 2);
    copyInto(resized, { x: 0, y: 0, ...size }, result, x, y, context.checkpoint);
    context.memory.free(resized.data);
    return [result];
  },
});

/** Truncates to whole pixels, where the other scaling nodes round. */
function cutSize({ width, height }: PixelSize, edge: number, edgeIsWidth: boolean): PixelSize {
  const size = edgeIsWidth
    ? { width: edge, height: Math.trunc(height * (edge / width)) }
    : { width: Math.trunc(width * (edge / height)), height: edge };
  if (size.width >= 1 && size.height >= 1) return size;
  throw valueError(`A picture of ${width} × ${height} would be less than a pixel wide or high.`);
}

function resizeByEdge(edge: 'shorter' | 'longer', standard: number) {
  const [capital, input] =
    edge === 'shorter' ? (['Shorter', 'shorter_edge'] as const) : (['Longer', 'longer_edge'] as const);
  const length = int({ default: standard, min: 1, max: 8192, tooltip: `The length of the ${edge} edge.` });
  return defineNode({
    type: `ResizeImagesBy${capital}Edge`,
    title: `Resize Images by ${capital} Edge (DEPRECATED)`,
    category: 'image/transform',
    description: `Resizes images to a given length of their ${edge} edge; the proportions stay.`,
    deprecated: true,
    experimental: true,
    inputs: { images: link('IMAGE', { tooltip: 'The image to resize.' }), [input]: length },
    outputs: [output('IMAGE', { name: 'images', tooltip: 'The resized images' })],
    run({ images, ...lengths }, context) {
      const { width, height } = images;
      const size = cutSize(
        images,
        lengths[input] as number,
        edge === 'shorter' ? width < height : width > height,
      );
      return [upscale(images, { ...size, method: 'lanczos' }, context)];
    },
  });
}

export const resizeImagesByShorterEdge = resizeByEdge('shorter', 512);
export const resizeImagesByLongerEdge = resizeByEdge('longer', 1024);
