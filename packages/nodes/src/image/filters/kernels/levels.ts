import { pointwise } from '../../simd/pointwise.ts';
import { add, type Code, div, float, greatest, least, mul, sub } from '../../simd/wasm-code.ts';

/** NaN stays NaN, as in ComfyUI. */
export function clampUnit(value: Code): Code {
  return least(greatest(value, float(0)), float(1));
}

export const invert = pointwise({ sources: 1 }, (element) => sub(float(1), element(0)));

/** One scalar: the factor. */
export const brighten = pointwise({ sources: 1, scalars: 1 }, (element, scalar) =>
  clampUnit(mul(element(0), scalar(0))),
);

/** One scalar: the factor by which values spread around the middle. */
export const spread = pointwise({ sources: 1, scalars: 1 }, (element, scalar) =>
  clampUnit(add(mul(sub(element(0), float(0.5)), scalar(0)), float(0.5))),
);

/** Two sources, the picture and its blur; one scalar, how much of their difference is added. */
export const sharpen = pointwise({ sources: 2, scalars: 1 }, (element, scalar) =>
  clampUnit(add(element(0), mul(sub(element(0), element(1)), scalar(0)))),
);

/** Two scalars: mean and deviation. */
export const standardize = pointwise({ sources: 1, scalars: 2 }, (element, scalar) =>
  div(sub(element(0), scalar(0)), scalar(1)),
);
