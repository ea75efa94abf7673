import { combo, defineNode, int, link, type NodeContext, output } from '@atelier/engine';
import type { Image } from '../../values/image.ts';
import { mapPictures } from '../each-picture.ts';
import { pointwise } from '../simd/pointwise.ts';
import { sub } from '../simd/wasm-code.ts';
import { type Extremum, squareExtremum } from './kernels/square-extremum.ts';

const OPERATIONS = ['erode', 'dilate', 'open', 'close', 'gradient', 'bottom_hat', 'top_hat'] as const;

const subtract = pointwise({ sources: 2 }, (element) => sub(element(0), element(1)));

type Picture = Float32Array<ArrayBuffer>;

function operate(
  operation: (typeof OPERATIONS)[number],
  source: Picture,
  target: Picture,
  { image, size, context }: { readonly image: Image; readonly size: number; readonly context: NodeContext },
): void {
  const { memory, checkpoint } = context;
  const extremum = (kind: Extremum, from: Picture, to: Picture): void =>
    squareExtremum(from, to, image, { kind, size, checkpoint });
  const twice = (first: Extremum, second: Extremum): void => {
    extremum(first, source, target);
    extremum(second, target, target);
  };
  switch (operation) {
    case 'erode':
      return extremum('least', source, target);
    case 'dilate':
      return extremum('greatest', source, target);
    case 'open':
      return twice('least', 'greatest');
    case 'close':
      return twice('greatest', 'least');
    case 'top_hat':
      twice('least', 'greatest');
      return subtract(target, [source, target], context);
    case 'bottom_hat':
      twice('greatest', 'least');
      return subtract(target, [target, source], context);
    case 'gradient': {
      const eroded = memory.dirtyFloats(source.length);
      extremum('greatest', source, target);
      extremum('least', source, eroded);
      subtract(target, [target, eroded], context);
      return memory.free(eroded);
    }
  }
}

export const morphology = defineNode({
  type: 'Morphology',
  title: 'Apply Morphology',
  category: 'image/filters',
  searchAliases: ['erode', 'dilate'],
  inputs: {
    image: link('IMAGE'),
    operation: combo(OPERATIONS),
    kernel_size: int({ default: 3, min: 3, max: 999, step: 1 }),
  },
  outputs: [output('IMAGE')],
  async run({ image, operation, kernel_size: size }, context) {
    return [
      await mapPictures(image, context, (source, target) =>
        operate(operation, source, target, { image, size, context }),
      ),
    ];
  },
});
