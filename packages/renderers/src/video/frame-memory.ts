import { type FrameKernels, loadFrameKernels } from './frame-kernels.ts';

/** What a frame and everything that is drawn into it lie in, where kernels reach it. The `byteOffset` of its arrays is their address. */
export interface FrameMemory {
  readonly kernels: FrameKernels;
  /** The address of so many bytes, zeroes at first, with room before and behind them that vectors may reach into. */
  take(byteLength: number): number;
  bytes(length: number): Uint8Array;
  shorts(length: number): Int16Array;
  longs(length: number): Int32Array;
  floats(length: number): Float32Array;
  /** Everything that was taken so far. */
  all(): Uint8Array;
}

const PAGE = 65_536;
/** As in the command that builds the kernels. */
const MOST_PAGES = 32_768;
/** The kernels' stack is below it. */
const FIRST = 4096;
const ROOM = 256;

export function createFrameMemory(): FrameMemory {
  // Arrays in a shared memory stay when it grows; in another they would be gone.
  const memory = new WebAssembly.Memory({ initial: 1, maximum: MOST_PAGES, shared: true });
  let next = FIRST;
  const take = (byteLength: number): number => {
    const address = next + ROOM;
    next = Math.ceil((address + byteLength + ROOM) / 16) * 16;
    const missing = Math.ceil((next - memory.buffer.byteLength) / PAGE);
    if (missing > 0) memory.grow(missing);
    return address;
  };
  return {
    kernels: loadFrameKernels(memory),
    take,
    bytes(length) {
      const address = take(length);
      return new Uint8Array(memory.buffer, address, length);
    },
    shorts(length) {
      const address = take(length * 2);
      return new Int16Array(memory.buffer, address, length);
    },
    longs(length) {
      const address = take(length * 4);
      return new Int32Array(memory.buffer, address, length);
    },
    floats(length) {
      const address = take(length * 4);
      return new Float32Array(memory.buffer, address, length);
    },
    all: () => new Uint8Array(memory.buffer),
  };
}

/** Something that is made once for each memory, and lasts as long. */
export function oncePerMemory<T extends object>(
  make: (memory: FrameMemory) => T,
): (memory: FrameMemory) => T {
  const made = new WeakMap<FrameMemory, T>();
  return (memory) => {
    const known = made.get(memory);
    if (known) return known;
    const fresh = make(memory);
    made.set(memory, fresh);
    return fresh;
  };
}
