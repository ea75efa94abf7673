import {
  addInt,
  addInts,
  addProducts,
  and,
  type Code,
  compileVectorFunction,
  eightBytes,
  get,
  int,
  intAt,
  ints,
  lessUnsigned,
  loadFourShorts,
  loadLane16,
  loadLane32,
  maxInts,
  minInts,
  mulInts,
  narrowInts,
  repeat,
  set,
  shiftInts,
  shiftUp,
  splatInt,
  storeEightBytes,
  subInts,
} from '@atelier/nodes/simd';

const LANES = [0, 1, 2, 3];
const ZERO = ints(0, 0, 0, 0);

/**
 * Draws pixels of a texture up to `end`, four at a time. Parameters: `target` and `end`; the upper and the lower row of colors, then
 * of alphas; the place of the first pixel in them, the step to the next one, and the last place (65536ths of a pixel); and how far
 * down between both rows it is (256ths). All addresses are bytes of the vector memory.
 */
const drawPixels = (isOpaque: boolean) =>
  compileVectorFunction(() => {
    const [target, end, upperColor, lowerColor, upperAlpha, lowerAlpha, first, step, last, down] = [
      0, 1, 2, 3, 4, 5, 6, 7, 8, 9,
    ];
    const left = (lane: number): number => 10 + lane;
    const [places, lasts, steps, downs, held, shares, one, other, alphas, under] = [
      14, 15, 16, 17, 18, 19, 20, 21, 22, 23,
    ];
    const between = (a: Code, b: Code): Code => [...set(one, a), ...set(other, b)];
    const mixed = (whole: Code): Code => addInts(whole, mulInts(subInts(get(other), get(one)), get(downs)));
    /** Each pixel's color and the one to its right. */
    const colors = (row: number): Code =>
      LANES.reduce<Code>((pairs, lane) => {
        const offset = addInt(get(left(lane)), get(left(lane)));
        return loadLane32(addInt(get(row), offset), pairs, lane);
      }, ZERO);
    const alphasOf = (row: number, pairs: Code, firstLane: number): Code =>
      LANES.reduce<Code>(
        (found, lane) => loadLane16(addInt(get(row), get(left(lane))), found, firstLane + lane),
        pairs,
      );
    const value: Code = [
      ...between(
        shiftInts(addProducts(colors(upperColor), get(shares)), 8),
        shiftInts(addProducts(colors(lowerColor), get(shares)), 8),
      ),
      ...addInts(get(one), shiftInts(mulInts(subInts(get(other), get(one)), get(downs)), 8)),
    ];
    const blended: Code = [
      ...set(held, value),
      ...set(alphas, alphasOf(lowerAlpha, alphasOf(upperAlpha, ZERO, 0), 4)),
      ...between(
        addProducts(eightBytes(get(alphas), 0), get(shares)),
        addProducts(eightBytes(get(alphas), 1), get(shares)),
      ),
      // 255 in 8.7 bits is not quite 32768; the second term closes the gap.
      ...set(one, shiftInts(mixed(shiftUp(get(one), 8)), 9)),
      ...set(one, addInts(get(one), shiftInts(get(one), 8))),
      ...set(under, loadFourShorts(get(target))),
      ...addInts(subInts(get(under), shiftInts(mulInts(get(under), get(one)), 15)), get(held)),
    ];
    const body: Code = [
      // Beyond the first and the last place, the edge goes on.
      ...set(held, minInts(maxInts(get(places), ZERO), get(lasts))),
      ...set(shares, and(shiftInts(get(held), 8), ints(255, 255, 255, 255))),
      // The shares of a pixel and of the one to its right, 16 bits each.
      ...set(shares, addInts(subInts(shiftUp(get(shares), 16), get(shares)), ints(256, 256, 256, 256))),
      ...set(held, shiftInts(get(held), 16)),
      ...LANES.flatMap((lane) => set(left(lane), intAt(get(held), lane))),
      ...set(one, isOpaque ? value : blended),
      ...storeEightBytes(get(target), narrowInts(get(one), get(one))),
      ...set(places, addInts(get(places), get(steps))),
      ...set(target, addInt(get(target), int(8))),
    ];
    return {
      params: ['i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32', 'i32'],
      locals: [...LANES.map(() => 'i32' as const), ...Array.from({ length: 10 }, () => 'v128' as const)],
      body: [
        ...set(steps, splatInt(get(step))),
        ...set(places, addInts(splatInt(get(first)), mulInts(get(steps), ints(0, 1, 2, 3)))),
        ...set(steps, shiftUp(get(steps), 2)),
        ...set(lasts, splatInt(get(last))),
        ...set(downs, splatInt(get(down))),
        ...repeat(body, lessUnsigned(get(target), get(end))),
      ],
    };
  });

export const copyPixels = drawPixels(true);
export const blendPixels = drawPixels(false);
