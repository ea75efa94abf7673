import { boolean, combo, defineNode, int, link, NodeError, output } from '@atelier/engine';
import { MAX_EDGE, roundHalfEven } from '../values/arithmetic.ts';
import { type Mask, newMask, picture } from '../values/image.ts';
import { growOnce } from './kernels/grow.ts';

const place = int({ default: 0, min: 0, max: MAX_EDGE, step: 1 });
const OPERATIONS = ['multiply', 'add', 'subtract', 'and', 'or', 'xor'] as const;

const isSet = (value: number): boolean => roundHalfEven(value) !== 0;

/** Combines one value of the destination with one of the source. */
const combine: Readonly<Record<(typeof OPERATIONS)[number], (a: number, b: number) => number>> = {
  multiply: (a, b) => a * b,
  add: (a, b) => a + b,
  subtract: (a, b) => a - b,
  and: (a, b) => Number(isSet(a) && isSet(b)),
  or: (a, b) => Number(isSet(a) || isSet(b)),
  xor: (a, b) => Number(isSet(a) !== isSet(b)),
};

export const maskComposite = defineNode({
  type: 'MaskComposite',
  title: 'Combine Masks',
  category: 'image/mask',
  description: 'Combines two masks where the source lies over the destination.',
  searchAliases: ['combine masks', 'blend masks', 'layer masks'],
  inputs: {
    destination: link('MASK'),
    source: link('MASK'),
    x: place,
    y: place,
    operation: combo(OPERATIONS),
  },
  outputs: [output('MASK')],
  run({ destination, source, x, y, operation }, context) {
    if (source.batch !== 1 && source.batch !== destination.batch) {
      throw new NodeError(
        'RuntimeError',
        `The source has ${source.batch} masks and the destination ${destination.batch}: it must be one, or as many.`,
      );
    }
    const result = newMask(context.memory, destination);
    result.data.set(destination.data);
    const width = Math.min(source.width, destination.width - x);
    const height = Math.min(source.height, destination.height - y);
    const value = combine[operation];
    for (let index = 0; index < destination.batch; index++) {
      const target = picture(result, index);
      const from = picture(source, source.batch === 1 ? 0 : index);
      for (let row = 0; row < height; row++) {
        const start = (y + row) * destination.width + x;
        for (let column = 0; column < width; column++) {
          target[start + column] = value(target[start + column] ?? 0, from[row * source.width + column] ?? 0);
        }
      }
      for (let at = 0; at < target.length; at++) target[at] = Math.min(1, Math.max(0, target[at] ?? 0));
      context.progress(index + 1, destination.batch);
    }
    return [result];
  },
});

export const featherMask = defineNode({
  type: 'FeatherMask',
  title: 'Feather Mask',
  category: 'image/mask',
  description: 'Lets a mask fade out towards its edges.',
  searchAliases: ['soft edge mask', 'blur mask edges', 'gradient mask edge'],
  inputs: { mask: link('MASK'), left: place, top: place, right: place, bottom: place },
  outputs: [output('MASK')],
  run({ mask, left, top, right, bottom }, { memory }) {
    const result = newMask(memory, mask);
    result.data.set(mask.data);
    const { width, height } = mask;
    fade(result, Math.min(left, width), (step) => step, 'column');
    // ComfyUI uses negative indices, and its first is −0, which is the other edge.
    fade(result, Math.min(right, width), (step) => (width - step) % width, 'column');
    fade(result, Math.min(top, height), (step) => step, 'row');
    fade(result, Math.min(bottom, height), (step) => (height - step) % height, 'row');
    return [result];
  },
});

function fade(mask: Mask, steps: number, at: (step: number) => number, along: 'row' | 'column'): void {
  const { width, height, data } = mask;
  for (let step = 0; step < steps; step++) {
    const rate = Math.fround((step + 1) / steps);
    const position = at(step);
    for (let index = 0; index < mask.batch; index++) {
      const start = index * width * height;
      const count = along === 'row' ? width : height;
      for (let along1 = 0; along1 < count; along1++) {
        const offset = along === 'row' ? position * width + along1 : along1 * width + position;
        data[start + offset] = (data[start + offset] ?? 0) * rate;
      }
    }
  }
}

export const growMask = defineNode({
  type: 'GrowMask',
  title: 'Grow Mask',
  category: 'image/mask',
  description: 'Lets the masked parts grow by so many pixels, or shrink when the number is negative.',
  searchAliases: ['expand mask', 'shrink mask'],
  inputs: {
    mask: link('MASK'),
    expand: int({ default: 0, min: -MAX_EDGE, max: MAX_EDGE, step: 1 }),
    tapered_corners: boolean({ default: true, advanced: true }),
  },
  outputs: [output('MASK')],
  run({ mask, expand, tapered_corners }, context) {
    if (expand === 0) return [mask];
    const result = newMask(context.memory, mask);
    const scratch = context.memory.dirtyFloats(mask.width * mask.height);
    const { width, height } = mask;
    for (let index = 0; index < mask.batch; index++) {
      let source = picture(mask, index);
      const target = picture(result, index);
      let spare = scratch;
      let other = target;
      for (let pass = 0; pass < Math.abs(expand); pass++) {
        const changed = growOnce(source, other, { width, height, shrink: expand < 0, plus: tapered_corners });
        context.checkpoint();
        source = other;
        [other, spare] = [spare, other];
        // Further passes change nothing either.
        if (!changed) break;
      }
      if (source !== target) target.set(source);
      context.progress(index + 1, mask.batch);
    }
    context.memory.free(scratch);
    return [result];
  },
});
