import {
  addInts,
  addProducts,
  addShorts,
  advance,
  and,
  type Code,
  compileVectorFunction,
  gather,
  get,
  ints,
  lessUnsigned,
  load,
  loadEightBytes,
  loadFourShorts,
  maxInts,
  minInts,
  mulInts,
  mulShorts,
  narrowInts,
  repeat,
  set,
  shiftInts,
  shiftShorts,
  shiftShortsUp,
  shiftUp,
  splatInt,
  splatShort,
  store,
  storeEightBytes,
  subInts,
  subShorts,
} from '@atelier/nodes/simd';

const ZERO = ints(0, 0, 0, 0);

/**
 * Mixes two rows of a texture up to `end`, eight values at a time. Parameters: the addresses in the vector memory of `target` and its
 * end, of the upper and the lower row, and how far down between them it is (32768ths). The result is 16-bit integers.
 */
const mixRows = (bytesEach: 1 | 2) =>
  compileVectorFunction(() => {
    const [target, end, upper, lower, down, downs, value, mixed] = [0, 1, 2, 3, 4, 5, 6, 7];
    // An alpha of 255 becomes 32767: 7 more bits, and the gap that they leave.
    const filled: Code = [
      ...set(value, shiftShortsUp(get(value), 7)),
      ...addShorts(get(value), shiftShorts(get(value), 8)),
    ];
    const valueAt = (row: number): Code =>
      bytesEach === 2 ? load(get(row)) : [...set(value, loadEightBytes(get(row))), ...filled];
    const body: Code = [
      ...set(mixed, valueAt(upper)),
      ...set(mixed, addShorts(get(mixed), mulShorts(subShorts(valueAt(lower), get(mixed)), get(downs)))),
      ...store(get(target), get(mixed)),
      ...advance(16, target),
      ...advance(8 * bytesEach, upper, lower),
    ];
    return {
      params: ['i32', 'i32', 'i32', 'i32', 'i32'],
      locals: ['v128', 'v128', 'v128'],
      body: [...set(downs, splatShort(get(down))), ...repeat(body, lessUnsigned(get(target), get(end)))],
    };
  });

/**
 * Draws a row of a texture up to `end`, four pixels at a time. Parameters: `target` and `end`; the row's colors, then its alphas; and
 * the place of the first pixel in them, the step to the next one, and the last place (65536ths of a pixel). Addresses as above.
 */
const drawPixels = (isOpaque: boolean) =>
  compileVectorFunction(() => {
    const [target, end, color, alpha, first, step, last] = [0, 1, 2, 3, 4, 5, 6];
    const [places, lasts, steps, held, shares, under, value] = [7, 8, 9, 10, 11, 12, 13];
    /** Between each pixel and the one to its right. */
    const valuesOf = (row: number): Code => shiftInts(addProducts(gather(row, held), get(shares)), 8);
    // The upper halves of alphas are 0, so that products in pairs are products.
    const remaining = subInts(get(under), shiftInts(addProducts(get(under), valuesOf(alpha)), 15));
    const blended: Code = [
      ...set(under, loadFourShorts(get(target))),
      ...addInts(remaining, valuesOf(color)),
    ];
    const body: Code = [
      // Beyond the first and the last place, the edge goes on.
      ...set(held, minInts(maxInts(get(places), ZERO), get(lasts))),
      ...set(shares, and(shiftInts(get(held), 8), ints(255, 255, 255, 255))),
      // The shares of a pixel and of the one to its right, 16 bits each.
      ...set(shares, addInts(subInts(shiftUp(get(shares), 16), get(shares)), ints(256, 256, 256, 256))),
      ...set(held, shiftUp(shiftInts(get(held), 16), 1)),
      ...set(value, isOpaque ? valuesOf(color) : blended),
      ...storeEightBytes(get(target), narrowInts(get(value), get(value))),
      ...set(places, addInts(get(places), get(steps))),
      ...advance(8, target),
    ];
    return {
      params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
      locals: Array.from({ length: 7 }, () => 'v128' as const),
      body: [
        ...set(steps, splatInt(get(step))),
        ...set(places, addInts(splatInt(get(first)), mulInts(get(steps), ints(0, 1, 2, 3)))),
        ...set(steps, shiftUp(get(steps), 2)),
        ...set(lasts, splatInt(get(last))),
        ...repeat(body, lessUnsigned(get(target), get(end))),
      ],
    };
  });

export const mixColors = mixRows(2);
export const mixAlphas = mixRows(1);
export const copyPixels = drawPixels(true);
export const blendPixels = drawPixels(false);
