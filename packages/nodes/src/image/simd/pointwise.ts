import { compileVectorFunction, vectorFloats } from './vector-memory.ts';
import {
  advance,
  type Code,
  get,
  type LocalType,
  lessUnsigned,
  load,
  repeat,
  set,
  splat,
  store,
  type WasmFunction,
} from './wasm-code.ts';

/** Floats at a time: a few such pieces stay in the cache. */
const PIECE = 4096;
const PIECE_BYTES = PIECE * 4;
const PIECES_PER_CHECKPOINT = 64;

export interface PointwiseOptions {
  readonly scalars?: readonly number[];
  readonly checkpoint?: () => void;
}

/** Writes every element of `target`. The sources have its length, and one of them may be the target. */
export type Pointwise = (
  target: Float32Array,
  sources: readonly Float32Array[],
  options?: PointwiseOptions,
) => void;

/** Code for an element of a source, or for a scalar in every lane. */
export type Operand = (index: number) => Code;
export type Expression = (element: Operand, scalar: Operand) => Code;

/**
 * Compiles an expression of elements at the same place to vector code. Each operation rounds to float32 as in ComfyUI, so
 * results are the same to the last bit.
 */
export function pointwise(
  counts: { readonly sources: number; readonly scalars?: number },
  expression: Expression,
): Pointwise {
  const { sources, scalars = 0 } = counts;
  const compiled = compileVectorFunction(() => describe(sources, scalars, expression));
  return (target, from, { scalars: values = [], checkpoint } = {}) => {
    const floats = vectorFloats((sources + 1) * PIECE);
    const result = sources * PIECE;
    for (let start = 0, piece = 1; start < target.length; start += PIECE, piece++) {
      const length = Math.min(PIECE, target.length - start);
      from.forEach((source, index) => floats.set(source.subarray(start, start + length), index * PIECE));
      compiled(length * 4, ...values);
      target.set(floats.subarray(result, result + length), start);
      if (piece % PIECES_PER_CHECKPOINT === 0) checkpoint?.();
    }
  };
}

function describe(sources: number, scalars: number, expression: Expression): WasmFunction {
  const bytes = 0;
  const at = 1 + scalars;
  const firstSplat = at + 1;
  const indices = Array.from({ length: scalars }, (_, index) => index);
  const value = expression(
    (index) => load(get(at), index * PIECE_BYTES),
    (index) => get(firstSplat + index),
  );
  const loop = repeat(
    [...store(get(at), value, sources * PIECE_BYTES), ...advance(16, at)],
    lessUnsigned(get(at), get(bytes)),
  );
  return {
    params: ['i32', ...indices.map((): LocalType => 'f32')],
    locals: ['i32', ...indices.map((): LocalType => 'v128')],
    body: [...indices.flatMap((index) => set(firstSplat + index, splat(get(1 + index)))), ...loop],
  };
}
