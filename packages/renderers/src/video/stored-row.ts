import {
  add,
  advance,
  type Code,
  compileVectorFunction,
  float,
  gather,
  get,
  greatest,
  least,
  lessUnsigned,
  load,
  loadFourShorts,
  mul,
  narrowInts,
  narrowShorts,
  repeat,
  set,
  shiftUp,
  signedToFloats,
  splat,
  storeFourBytes,
  sub,
  truncate,
} from '@atelier/nodes/simd';

const [target, end, from, glow, loss, grain, tones, level, levels, value] = [0, 1, 2, 3, 4, 5, 6, 7, 8, 9];

/**
 * Stores pixels as bytes up to `end`, four at a time, from `(from + glow) * (level - loss)`. Parameters: the addresses in the vector
 * memory of `target` and its end, of `from` (16-bit integers), of `glow`, `loss`, `grain` and the tone curve, and the level.
 */
const storePixels = (stored: Code) =>
  compileVectorFunction(() => {
    const lit = mul(
      add(signedToFloats(loadFourShorts(get(from))), load(get(glow))),
      sub(get(levels), load(get(loss))),
    );
    const body: Code = [
      ...set(value, lit),
      ...set(value, truncate(stored)),
      ...storeFourBytes(get(target), narrowShorts(narrowInts(get(value), get(value)), get(value))),
      ...advance(4, target),
      ...advance(8, from),
      ...advance(16, glow, loss, grain),
    ];
    return {
      params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'f32'],
      locals: ['v128', 'v128'],
      body: [...set(levels, splat(get(level))), ...repeat(body, lessUnsigned(get(target), get(end)))],
    };
  });

const within = (low: number, high: number, code: Code): Code =>
  least(greatest(code, float(low)), float(high));

/** The tone curve has one more entry. */
export const TONE_STEPS = 4096;

const toned: Code = [
  ...set(value, shiftUp(truncate(within(0, TONE_STEPS, get(value))), 2)),
  ...gather(tones, value),
];
export const storeTones = storePixels(add(toned, load(get(grain))));
export const storeColors = storePixels(within(16, 240, add(get(value), float(128.5))));
