import { type Pointwise, pointwise } from '../../simd/pointwise.ts';
import { add, atMost, type Code, choose, float, mul, sqrt, sub } from '../../simd/wasm-code.ts';
import { clampUnit } from './levels.ts';

export const BLEND_MODES = ['normal', 'multiply', 'screen', 'overlay', 'soft_light', 'difference'] as const;
export type BlendMode = (typeof BLEND_MODES)[number];

const one = float(1);
const two = float(2);
const half = float(0.5);

const MIXED: Record<BlendMode, (base: Code, top: Code) => Code> = {
  normal: (_, top) => top,
  multiply: mul,
  screen: (base, top) => sub(one, mul(sub(one, base), sub(one, top))),
  overlay: (base, top) =>
    choose(
      atMost(base, half),
      mul(mul(two, base), top),
      sub(one, mul(mul(two, sub(one, base)), sub(one, top))),
    ),
  soft_light: (base, top) =>
    choose(
      atMost(top, half),
      sub(base, mul(mul(sub(one, mul(two, top)), base), sub(one, base))),
      add(base, mul(sub(mul(two, top), one), sub(softened(base), base))),
    ),
  // Signed on purpose: ComfyUI clamps only after mixing.
  difference: sub,
};

function softened(value: Code): Code {
  const cubic = mul(add(mul(sub(mul(float(16), value), float(12)), value), float(4)), value);
  return choose(atMost(value, float(0.25)), cubic, sqrt(value));
}

/** Two sources, base and top; two scalars, the share of the base and the share of the mixture. */
function blend(mixed: (base: Code, top: Code) => Code): Pointwise {
  return pointwise({ sources: 2, scalars: 2 }, (element, scalar) =>
    clampUnit(add(mul(element(0), scalar(0)), mul(mixed(element(0), element(1)), scalar(1)))),
  );
}

export const BLENDS = Object.fromEntries(BLEND_MODES.map((mode) => [mode, blend(MIXED[mode])])) as Record<
  BlendMode,
  Pointwise
>;
