import { pointwise } from '../../simd/pointwise.ts';
import { add, mul, sub } from '../../simd/wasm-code.ts';
import { clampUnit } from './levels.ts';

/** Two sources, the picture and its blur; one scalar, how much of their difference is added. */
export const sharpen = pointwise({ sources: 2, scalars: 1 }, (element, scalar) =>
  clampUnit(add(element(0), mul(sub(element(0), element(1)), scalar(0)))),
);
