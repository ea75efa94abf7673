import { compileVectorFunction } from './vector-memory.ts';
import {
  add,
  addInt,
  type Code,
  float,
  get,
  int,
  lessUnsigned,
  load,
  loadInt,
  loadSplat,
  mul,
  repeat,
  set,
  store,
} from './wasm-code.ts';

/** Floats that a call reads and writes at a time, so rows need room up to a multiple of it. */
export const SUM_STEP = 16;

const VECTORS = [0, 1, 2, 3];

/**
 * Writes to `target` the sum of rows, each times its weight. All are addresses in bytes; the table from `table` to
 * `tableEnd` has for each row its address as an int32 and its weight as a float32.
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
    ...set(entry, addInt(get(entry), int(8))),
  ];
  const outer: Code = [
    ...VECTORS.flatMap((index) => set(sum(index), float(0))),
    ...set(entry, get(table)),
    ...repeat(inner, lessUnsigned(get(entry), get(tableEnd))),
    ...VECTORS.flatMap((index) => store(addInt(get(target), get(at)), get(sum(index)), index * 16)),
    ...set(at, addInt(get(at), int(SUM_STEP * 4))),
  ];
  return {
    params: ['i32', 'i32', 'i32', 'i32'],
    locals: ['i32', 'i32', 'i32', 'v128', 'v128', 'v128', 'v128', 'v128'],
    body: repeat(outer, lessUnsigned(get(at), get(bytes))),
  };
});
