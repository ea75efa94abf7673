import { compileVectorFunction, type VectorFunction } from './vector-memory.ts';
import {
  addInt,
  type Code,
  get,
  int,
  larger,
  lessUnsigned,
  load,
  repeat,
  set,
  smaller,
  store,
} from './wasm-code.ts';

export type Extremum = 'least' | 'greatest';

/** Replaces each float from 0 to `bytes` by the extremum of itself and the one `shift` bytes behind it. */
export const foldShifted: Readonly<Record<Extremum, (bytes: number, shift: number) => void>> = {
  least: folding(smaller),
  greatest: folding(larger),
};

function folding(fold: (a: Code, b: Code) => Code): VectorFunction {
  return compileVectorFunction(() => {
    const [bytes, shift, at] = [0, 1, 2];
    const body: Code = [
      ...store(get(at), fold(load(get(at)), load(addInt(get(at), get(shift))))),
      ...set(at, addInt(get(at), int(16))),
    ];
    return {
      params: ['i32', 'i32'],
      locals: ['i32'],
      body: repeat(body, lessUnsigned(get(at), get(bytes))),
    };
  });
}
