import {
  add,
  addInt,
  addInts,
  advance,
  and,
  type Code,
  compileVectorFunction,
  float,
  gather,
  get,
  greatest,
  int,
  ints,
  lessUnsigned,
  load,
  maxInts,
  minInts,
  mul,
  mulInts,
  narrowInts,
  repeat,
  set,
  shiftInts,
  shiftUp,
  signedToFloats,
  splat,
  splatInt,
  store,
  storeEightBytes,
  sub,
  subInts,
  truncate,
} from '@atelier/nodes/simd';

const ZERO = ints(0, 0, 0, 0);
const four = (value: number): Code => ints(value, value, value, value);
/** The four values that begin with `first`. */
const ramp = (first: Code, step: Code): Code => add(splat(first), mul(splat(step), floats(0, 1, 2, 3)));
const floats = (...values: readonly [number, number, number, number]): Code =>
  signedToFloats(ints(...values));
const intRamp = (first: Code, step: Code): Code =>
  addInts(splatInt(first), mulInts(splatInt(step), ints(0, 1, 2, 3)));

/** Waves along a line repeat after this many values. Places are in 65536ths. */
export const WAVE_LENGTH = 512;

/**
 * Waves of a row, four pixels at a time: how far each moves what it mirrors, in pixels, and its own light, in units. Parameters: the
 * addresses in the vector memory of `lift` and its end, of `shine`, and of the two lines of waves; the place of the first pixel and the
 * step to the next one in both lines; how far waves reach, how they are shaded, above which height they break and how bright their foam
 * is; how bright the sun glitters, how far the first pixel is from its path, and the step to the next one.
 */
export const waveRow = compileVectorFunction(() => {
  const [lift, end, shine, swell, ripples, slow, slowStep, quick, quickStep] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const [reach, shade, breaks, foam, sparkle, aside, asideStep] = [9, 10, 11, 12, 13, 14, 15];
  const [slows, quicks, asides, offsets, value, a, b, height, glitter] = [16, 17, 18, 19, 20, 21, 22, 23, 24];
  const waveAt = (line: number, places: number): Code => {
    const part = mul(signedToFloats(and(get(places), four(65_535))), float(1 / 65_536));
    return [
      ...set(offsets, shiftUp(and(shiftInts(get(places), 16), four(WAVE_LENGTH - 1)), 2)),
      ...set(value, gather(line, offsets)),
      ...add(get(value), mul(sub(gather(line, offsets, 4), get(value)), part)),
    ];
  };
  const above = (code: Code): Code => greatest(code, float(0));
  const squared = (local: number): Code => set(local, mul(get(local), get(local)));
  const body: Code = [
    ...set(a, waveAt(swell, slows)),
    ...set(b, waveAt(ripples, quicks)),
    ...set(height, add(get(a), mul(get(b), float(0.5)))),
    ...store(
      get(lift),
      truncate(mul(splat(get(reach)), add(mul(get(a), float(1.1)), mul(get(b), float(0.6))))),
    ),
    // (1 - x²/8)⁸ is almost exp(-x²).
    ...set(glitter, above(sub(float(1), mul(mul(get(asides), get(asides)), float(1 / 8))))),
    ...squared(glitter),
    ...squared(glitter),
    ...squared(glitter),
    ...set(value, above(sub(add(get(a), mul(get(b), float(1.6))), float(0.3)))),
    ...set(value, mul(mul(get(value), get(glitter)), splat(get(sparkle)))),
    ...set(value, add(get(value), mul(get(height), splat(get(shade))))),
    ...set(value, add(get(value), mul(above(sub(get(height), splat(get(breaks)))), splat(get(foam))))),
    ...store(get(shine), truncate(get(value))),
    ...set(slows, addInts(get(slows), shiftUp(splatInt(get(slowStep)), 2))),
    ...set(quicks, addInts(get(quicks), shiftUp(splatInt(get(quickStep)), 2))),
    ...set(asides, add(get(asides), mul(splat(get(asideStep)), float(4)))),
    ...advance(16, lift, shine),
  ];
  return {
    params: [
      ...Array.from({ length: 9 }, () => 'i32' as const),
      ...Array.from({ length: 7 }, () => 'f32' as const),
    ],
    locals: Array.from({ length: 9 }, () => 'v128' as const),
    body: [
      ...set(slows, intRamp(get(slow), get(slowStep))),
      ...set(quicks, intRamp(get(quick), get(quickStep))),
      ...set(asides, ramp(get(aside), get(asideStep))),
      ...repeat(body, lessUnsigned(get(lift), get(end))),
    ],
  };
});

/**
 * Pixels of water, four at a time: what is above the shore, moved by the waves, mixed with the water's own color. Parameters: the
 * addresses of `target` and its end, of `lift` and `shine`, and of the picture above the shore; its width and its last row; the row that
 * is mirrored; the water's own value; and the shares of what is mirrored and of the light (256ths).
 */
export const mirrorRow = compileVectorFunction(() => {
  const [target, end, lift, shine, picture, width, lastRow, mirrored, own, part, tint] = [
    0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10,
  ];
  const [columns, moved, offsets, seen] = [11, 12, 13, 14];
  const within = (code: Code, last: Code): Code => minInts(maxInts(code, ZERO), last);
  const share = (code: Code, of: number): Code => shiftInts(mulInts(code, splatInt(get(of))), 8);
  const row = within(addInts(splatInt(get(mirrored)), get(moved)), splatInt(get(lastRow)));
  const column = within(
    addInts(get(columns), shiftInts(get(moved), 2)),
    splatInt(addInt(get(width), int(-1))),
  );
  const body: Code = [
    ...set(moved, load(get(lift))),
    ...set(offsets, shiftUp(addInts(mulInts(row, splatInt(get(width))), column), 1)),
    // Two values each, of which the first one is wanted, with its sign.
    ...set(seen, shiftInts(shiftUp(gather(picture, offsets), 16), 16)),
    ...set(seen, addInts(splatInt(get(own)), share(subInts(get(seen), splatInt(get(own))), part))),
    ...set(seen, addInts(get(seen), share(load(get(shine)), tint))),
    ...storeEightBytes(get(target), narrowInts(get(seen), get(seen))),
    ...set(columns, addInts(get(columns), four(4))),
    ...advance(8, target),
    ...advance(16, lift, shine),
  ];
  return {
    params: Array.from({ length: 11 }, () => 'i32' as const),
    locals: Array.from({ length: 4 }, () => 'v128' as const),
    body: [...set(columns, ints(0, 1, 2, 3)), ...repeat(body, lessUnsigned(get(target), get(end)))],
  };
});
