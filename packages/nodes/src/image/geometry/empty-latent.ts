import { defineNode, int, output } from '@atelier/engine';
import { MAX_EDGE } from '../../values/arithmetic.ts';

export const emptyLatentImage = defineNode({
  type: 'EmptyLatentImage',
  title: 'Empty Latent Image',
  category: 'model/latent',
  description: 'Makes a batch of empty latent images, for sampling to fill.',
  searchAliases: ['empty', 'empty latent', 'new latent', 'create latent', 'blank latent', 'blank'],
  inputs: {
    width: int({ default: 512, min: 16, max: MAX_EDGE, step: 8, tooltip: 'The width in pixels.' }),
    height: int({ default: 512, min: 16, max: MAX_EDGE, step: 8, tooltip: 'The height in pixels.' }),
    batch_size: int({ default: 1, min: 1, max: 4096, tooltip: 'How many there are in the batch.' }),
  },
  outputs: [output('LATENT', { tooltip: 'The empty latent images.' })],
  run({ width: fullWidth, height: fullHeight, batch_size: batch }, { memory }) {
    const channels = 4;
    const width = Math.floor(fullWidth / 8);
    const height = Math.floor(fullHeight / 8);
    const data = memory.floats(batch * channels * height * width);
    return [{ samples: { batch, channels, height, width, data } }];
  },
});
