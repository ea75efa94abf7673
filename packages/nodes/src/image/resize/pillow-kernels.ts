import { compileVectorFunction } from '../simd/vector-memory.ts';
import {
  addInt,
  addInts,
  advance,
  type Code,
  div,
  float,
  fourBytes,
  get,
  greatest,
  int,
  least,
  lessUnsigned,
  load,
  loadFourBytes,
  loadInt,
  loadSplat,
  mul,
  mulInts,
  narrowInts,
  narrowShorts,
  repeat,
  set,
  shiftInts,
  splatInt,
  store,
  storeFourBytes,
  toFloats,
  truncate,
} from '../simd/wasm-code.ts';
import { FRACTION_BITS } from './pillow-taps.ts';

const HALF = splatInt(int(1 << (FRACTION_BITS - 1)));
const QUADS = [0, 1, 2, 3];

const rounded = (sum: number): Code => shiftInts(get(sum), FRACTION_BITS);
const advanceBy = (step: number, local: number): Code => set(local, addInt(get(local), get(step)));

/** Floats up to `end` as bytes, clipped and truncated; NaN becomes 0. Four at a time. */
export const truncateFloats = compileVectorFunction(() => {
  const [source, end, target, value] = [0, 1, 2, 3];
  const clipped = least(float(255), greatest(float(0), mul(load(get(source)), float(255))));
  const body: Code = [
    ...set(value, truncate(clipped)),
    ...storeFourBytes(get(target), narrowShorts(narrowInts(get(value), get(value)), get(value))),
    ...advance(16, source),
    ...advance(4, target),
  ];
  return {
    params: ['i32', 'i32', 'i32'],
    locals: ['v128'],
    body: repeat(body, lessUnsigned(get(source), get(end))),
  };
});

/** Bytes up to `end` as floats, 0 to 1. Four at a time. */
export const expandBytes = compileVectorFunction(() => {
  const [source, end, target] = [0, 1, 2];
  const body: Code = [
    ...store(get(target), div(toFloats(loadFourBytes(get(source))), float(255))),
    ...advance(4, source),
    ...advance(16, target),
  ];
  return {
    params: ['i32', 'i32', 'i32'],
    locals: [],
    body: repeat(body, lessUnsigned(get(source), get(end))),
  };
});

/**
 * Resizes a row of up to four channels. The table has three int32 for each pixel of the result: the position of its first pixel in
 * the row, and the addresses where its weights begin and end. Weights are read in pairs. Overwrites up to three bytes behind the
 * result.
 */
export const mixAcross = compileVectorFunction(() => {
  const [row, target, table, tableEnd, channels, from, weight, weightEnd, sum] = [0, 1, 2, 3, 4, 5, 6, 7, 8];
  const addTap = (offset: number): Code => [
    ...set(sum, addInts(get(sum), mulInts(loadFourBytes(get(from)), loadSplat(get(weight), offset)))),
    ...advanceBy(channels, from),
  ];
  const inner: Code = [...addTap(0), ...addTap(4), ...advance(8, weight)];
  const outer: Code = [
    ...set(from, addInt(get(row), loadInt(get(table)))),
    ...set(weight, loadInt(get(table), 4)),
    ...set(weightEnd, loadInt(get(table), 8)),
    ...set(sum, HALF),
    ...repeat(inner, lessUnsigned(get(weight), get(weightEnd))),
    ...set(sum, narrowInts(rounded(sum), rounded(sum))),
    ...storeFourBytes(get(target), narrowShorts(get(sum), get(sum))),
    ...advanceBy(channels, target),
    ...advance(12, table),
  ];
  return {
    params: ['i32', 'i32', 'i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'i32', 'v128'],
    body: repeat(outer, lessUnsigned(get(table), get(tableEnd))),
  };
});

/** Mixes rows, sixteen bytes at a time up to `end`. The table has the address and the weight of each row. */
export const mixDown = compileVectorFunction(() => {
  const [target, end, table, tableEnd, at, entry, bytes, weight] = [0, 1, 2, 3, 4, 5, 6, 7];
  const sum = (quad: number): number => 8 + quad;
  const inner: Code = [
    ...set(bytes, load(addInt(loadInt(get(entry)), get(at)))),
    ...set(weight, loadSplat(get(entry), 4)),
    ...QUADS.flatMap((quad) =>
      set(sum(quad), addInts(get(sum(quad)), mulInts(fourBytes(get(bytes), quad), get(weight)))),
    ),
    ...advance(8, entry),
  ];
  const outer: Code = [
    ...QUADS.flatMap((quad) => set(sum(quad), HALF)),
    ...set(entry, get(table)),
    ...repeat(inner, lessUnsigned(get(entry), get(tableEnd))),
    ...store(
      get(target),
      narrowShorts(
        narrowInts(rounded(sum(0)), rounded(sum(1))),
        narrowInts(rounded(sum(2)), rounded(sum(3))),
      ),
    ),
    ...advance(16, at, target),
  ];
  return {
    params: ['i32', 'i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128', 'v128'],
    body: repeat(outer, lessUnsigned(get(target), get(end))),
  };
});
