import { assemble, type WasmFunction } from './wasm-code.ts';

const PAGE_BYTES = 65536;

/** One for each thread: kernels run one at a time and leave nothing in it. */
const memory = new WebAssembly.Memory({ initial: 4 });
let floats = new Float32Array(memory.buffer);

/** The floats that vector functions work on, at least `length`. Addresses are bytes from its start. */
export function vectorFloats(length: number): Float32Array<ArrayBuffer> {
  const missing = Math.ceil((length * 4 - memory.buffer.byteLength) / PAGE_BYTES);
  if (missing > 0) memory.grow(missing);
  if (floats.buffer !== memory.buffer) floats = new Float32Array(memory.buffer);
  return floats;
}

export type VectorFunction = (...args: readonly number[]) => void;

/** Compiled at the first call. */
export function compileVectorFunction(describe: () => WasmFunction): VectorFunction {
  let compiled: VectorFunction | undefined;
  return (...args) => {
    if (!compiled) {
      const module = new WebAssembly.Module(assemble(describe()));
      compiled = new WebAssembly.Instance(module, { env: { memory } }).exports['run'] as VectorFunction;
    }
    compiled(...args);
  };
}
