import { readFileSync } from 'node:fs';

/** The memory that all kernels of a thread work in, seen as numbers of each kind. */
export interface KernelMemory {
  readonly bytes: Uint8Array;
  readonly shorts: Int16Array;
  readonly longs: Int32Array;
  readonly floats: Float32Array;
}

/** Places for data, given out one after the other. */
export interface Room {
  /** The address of so many bytes, with `MARGIN` before and behind them that vectors may reach into. */
  take(byteLength: number): number;
  /** Everything that was taken. What it holds is lost when a kernel is used for something else: never keep it over an `await`. */
  open(): KernelMemory;
}

const PAGE = 65_536;
/** The modules' stacks are below it. */
const FIRST = 4096;
const MARGIN = 256;

const memory = new WebAssembly.Memory({ initial: 4 });
let views: KernelMemory | undefined;

export function makeRoom(): Room {
  let next = FIRST;
  return {
    take(byteLength) {
      const address = next + MARGIN;
      next = Math.ceil((address + byteLength + MARGIN) / 16) * 16;
      return address;
    },
    open() {
      const missing = Math.ceil((next - memory.buffer.byteLength) / PAGE);
      if (missing > 0) memory.grow(missing);
      if (views === undefined || views.bytes.buffer !== memory.buffer) views = viewsOf(memory.buffer);
      return views;
    },
  };
}

/** The functions of a WebAssembly module that works in this memory. */
export function loadKernels(file: URL): WebAssembly.Exports {
  return new WebAssembly.Instance(new WebAssembly.Module(readFileSync(file)), { env: { memory } }).exports;
}

function viewsOf(buffer: ArrayBuffer): KernelMemory {
  return {
    bytes: new Uint8Array(buffer),
    shorts: new Int16Array(buffer),
    longs: new Int32Array(buffer),
    floats: new Float32Array(buffer),
  };
}
