import { defineNode, link, NodeError, output, valueError } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { inRuns } from './in-runs.ts';
import { channelMean, fromYuv, toYuv } from './kernels/yuv.ts';

export const imageRgbToYuv = defineNode({
  type: 'ImageRGBToYUV',
  title: 'Image RGB to YUV',
  category: 'image/color',
  searchAliases: ['color space conversion'],
  inputs: { image: link('IMAGE') },
  outputs: [output('IMAGE', { name: 'Y' }), output('IMAGE', { name: 'U' }), output('IMAGE', { name: 'V' })],
  run({ image }, context) {
    if (image.channels < 3) {
      throw valueError('The image has no colors to take apart: it needs three channels.');
    }
    const shape = { ...image, channels: 3 };
    const [y, u, v] = [
      newImage(context.memory, shape),
      newImage(context.memory, shape),
      newImage(context.memory, shape),
    ];
    const { channels } = image;
    for (let index = 0; index < image.batch; index++) {
      inRuns(image.width * image.height, context.checkpoint, (from, to) => {
        const part = (plane: Image): Float32Array => picture(plane, index).subarray(from * 3, to * 3);
        const source = picture(image, index).subarray(from * channels, to * channels);
        toYuv(source, channels, [part(y), part(u), part(v)]);
      });
      context.progress(index + 1, image.batch);
    }
    return [y, u, v];
  },
});

export const imageYuvToRgb = defineNode({
  type: 'ImageYUVToRGB',
  title: 'Image YUV to RGB',
  category: 'image/color',
  searchAliases: ['color space conversion'],
  inputs: { Y: link('IMAGE'), U: link('IMAGE'), V: link('IMAGE') },
  outputs: [output('IMAGE')],
  run({ Y, U, V }, { memory, checkpoint, progress }) {
    checkSameSize('U', U, Y);
    checkSameSize('V', V, Y);
    const result = newImage(memory, { ...Y, channels: 3 });
    for (let index = 0; index < Y.batch; index++) {
      inRuns(Y.width * Y.height, checkpoint, (from, to) => {
        const [y, u, v] = [Y, U, V].map((image) => {
          const part = picture(image, index).subarray(from * image.channels, to * image.channels);
          return channelMean(part, image.channels, new Float32Array(to - from));
        }) as [Float32Array, Float32Array, Float32Array];
        fromYuv(y, u, v, picture(result, index).subarray(from * 3, to * 3));
      });
      progress(index + 1, Y.batch);
    }
    return [result];
  },
});

function checkSameSize(name: string, image: Image, y: Image): void {
  if (image.width === y.width && image.height === y.height && image.batch === y.batch) return;
  const size = ({ width, height, batch }: Image): string => `${batch} of ${width} by ${height}`;
  throw new NodeError(
    'RuntimeError',
    `Y, U and V must have one size, but ${name} is ${size(image)} and Y is ${size(y)}.`,
  );
}
