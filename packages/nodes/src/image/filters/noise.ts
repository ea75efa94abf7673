import { bigInt, defineNode, float, link, output } from '@atelier/engine';
import { picture } from '../../values/image.ts';
import { MAX_SEED } from '../../values/mt19937.ts';
import { mapPictures } from '../each-picture.ts';
import { pointwise } from '../simd/pointwise.ts';
import { add, mul } from '../simd/wasm-code.ts';
import { clampUnit } from './kernels/levels.ts';
import { fillNormal } from './kernels/normal-noise.ts';

/** Two sources, picture and noise; one scalar, the strength. */
const addNoise = pointwise({ sources: 2, scalars: 1 }, (element, scalar) =>
  clampUnit(add(element(0), mul(scalar(0), element(1)))),
);

export const imageAddNoise = defineNode({
  type: 'ImageAddNoise',
  title: 'Add Noise to Image',
  category: 'image/filters',
  searchAliases: ['film grain'],
  inputs: {
    image: link('IMAGE'),
    seed: bigInt({
      default: 0,
      min: 0,
      max: MAX_SEED,
      control_after_generate: true,
      tooltip: 'The same seed makes the same noise.',
    }),
    strength: float({ default: 0.5, min: 0, max: 1, step: 0.01 }),
  },
  outputs: [output('IMAGE')],
  async run({ image, seed, strength }, context) {
    const { memory, checkpoint } = context;
    // One run of numbers for the whole batch, so that the noise of each picture differs.
    const noise = { ...image, data: memory.dirtyFloats(image.data.length) };
    fillNormal(noise.data, seed, checkpoint);
    const options = { scalars: [strength], checkpoint };
    const result = await mapPictures(image, context, (source, target, index) =>
      addNoise(target, [source, picture(noise, index)], options),
    );
    memory.free(noise.data);
    return [result];
  },
});
