import { compileVectorFunction } from './vector-memory.ts';
import {
  add,
  addInt,
  advance,
  type Code,
  float,
  get,
  lessUnsigned,
  load,
  loadInt,
  loadSplat,
  mul,
  repeat,
  set,
  store,
} from './wasm-code.ts';

/** Floats that are read and written at a time, so rows need room up to a multiple of it. */
export const SUM_STEP = 16;

const VECTORS = [0, 1, 2, 3];

/**
 * Writes the weighted sum of rows to `target`. All parameters are addresses in bytes. The table from `table` to `tableEnd` has
 * the address of each row as an int32 and its weight as a float32.
 */
export const weightedSum = compileVectorFunction(() => {
  const [target, table, tableEnd, bytes, at, entry, row, weight] = [0, 1, 2, 3, 4, 5, 6, 7];
  const sum = (index: number): number => 8 + index;
  const inner: Code = [
    ...set(row, addInt(loadInt(get(entry)), get(at))),
    ...set(weight, loadSplat(get(entry), 4)),
    ...VECTORS.flatMap((index) =>
      set(sum(index), add(get(sum(index)), mul(get(weight), load(get(row), index * 16)))),
    ),
    ...advance(8, entry),
  ];
  const outer: Code = [
    ...VECTORS.flatMap((index) => set(sum(index), float(0))),
    ...set(entry, get(table)),
    ...repeat(inner, lessUnsigned(get(entry), get(tableEnd))),
    ...VECTORS.flatMap((index) => store(addInt(get(target), get(at)), get(sum(index)), index * 16)),
    ...advance(SUM_STEP * 4, at),
  ];
  return {
    params: ['i32', 'i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128'],
    body: repeat(outer, lessUnsigned(get(at), get(bytes))),
  };
});
