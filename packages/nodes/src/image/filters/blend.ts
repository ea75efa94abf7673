import { combo, defineNode, float, link, NodeError, output } from '@atelier/engine';
import { type Image, newImage, picture } from '../../values/image.ts';
import { withChannels } from '../batch.ts';
import { upscale } from '../resize/upscale.ts';
import { BLEND_MODES, BLENDS } from './kernels/blend.ts';

export const imageBlend = defineNode({
  type: 'ImageBlend',
  title: 'Blend Images',
  category: 'image/filters',
  searchAliases: ['mix images'],
  inputs: {
    image1: link('IMAGE'),
    image2: link('IMAGE'),
    blend_factor: float({ default: 0.5, min: 0, max: 1, step: 0.01 }),
    blend_mode: combo(BLEND_MODES),
  },
  outputs: [output('IMAGE')],
  run({ image1, image2, blend_factor: factor, blend_mode: mode }, context) {
    const { memory, checkpoint, progress } = context;
    const batch = commonBatch(image1, image2);
    const { width, height } = image1;
    const fixed = withChannels(image2, image1.channels, memory);
    const top =
      fixed.width === width && fixed.height === height
        ? fixed
        : upscale(fixed, { width, height, method: 'bicubic', crop: 'center' }, { memory, checkpoint });
    const result = newImage(memory, { ...image1, batch });
    const options = { scalars: [1 - factor, factor], checkpoint };
    for (let index = 0; index < batch; index++) {
      const sources = [picture(image1, index % image1.batch), picture(top, index % top.batch)];
      BLENDS[mode](picture(result, index), sources, options);
      progress(index + 1, batch);
    }
    for (const { data } of new Set([fixed, top])) if (data !== image2.data) memory.free(data);
    return [result];
  },
});

/** A single picture matches any number; other batches must have the same length. */
function commonBatch(image1: Image, image2: Image): number {
  if (image1.batch === image2.batch || image2.batch === 1) return image1.batch;
  if (image1.batch === 1) return image2.batch;
  throw new NodeError(
    'RuntimeError',
    `image1 has ${image1.batch} pictures and image2 ${image2.batch}: give as many of both, or a single one of either.`,
  );
}
