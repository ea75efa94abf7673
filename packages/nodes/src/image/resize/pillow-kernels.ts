import { readFileSync } from 'node:fs';
import type { Taps } from './pillow-taps.ts';

/** The functions of pillow-kernels.c; addresses are bytes from the start of their memory. */
export interface PillowKernels {
  bytesFromFloats(source: number, target: number, length: number): void;
  floatsFromBytes(source: number, target: number, length: number): void;
  horizontal1: HorizontalPass;
  horizontal3: HorizontalPass;
  horizontal4: HorizontalPass;
  vertical(target: number, table: number, pairs: number, length: number): void;
}

type HorizontalPass = (
  row: number,
  target: number,
  starts: number,
  pairs: number,
  highs: number,
  lows: number,
  stride: number,
  width: number,
) => void;

/** A memory of its own for one picture, so that nothing is kept afterwards, and the functions that work on it. */
export interface Workspace {
  readonly kernels: PillowKernels;
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly ints: Int32Array<ArrayBuffer>;
  readonly floats: Float32Array<ArrayBuffer>;
}

const PAGE = 65536;
const ALIGNMENT = 16;
const LOW_BITS = 11;

let compiled: WebAssembly.Module | undefined;

export function openWorkspace(byteLength: number): Workspace {
  compiled ??= new WebAssembly.Module(readFileSync(new URL('./pillow-kernels.wasm', import.meta.url)));
  const memory = new WebAssembly.Memory({ initial: Math.ceil(byteLength / PAGE) + 1 });
  const { exports } = new WebAssembly.Instance(compiled, { env: { memory } });
  return {
    kernels: exports as unknown as PillowKernels,
    bytes: new Uint8Array(memory.buffer),
    ints: new Int32Array(memory.buffer),
    floats: new Float32Array(memory.buffer),
  };
}

/** Hands out addresses one after the other; every piece has room for a whole vector behind it. */
export function layOut(): { place(byteLength: number): number; total(): number } {
  let at = ALIGNMENT;
  return {
    place(byteLength) {
      const start = at;
      at += Math.ceil(byteLength / ALIGNMENT) * ALIGNMENT + ALIGNMENT;
      return start;
    },
    total: () => at,
  };
}

/** Where the taps of a horizontal pass are. */
export interface PackedTaps {
  readonly starts: number;
  readonly pairs: number;
  readonly highs: number;
  readonly lows: number;
  readonly stride: number;
}

export function placeTaps(taps: Taps, place: (byteLength: number) => number): PackedTaps {
  const size = taps.starts.length;
  // Eight taps are read at once of one channel.
  const stride = Math.ceil(taps.stride / 8) * 4;
  return {
    starts: place(size * 4),
    pairs: place(size * 4),
    highs: place(size * stride * 4),
    lows: place(size * stride * 4),
    stride,
  };
}

export function writeTaps({ ints }: Workspace, taps: Taps, packed: PackedTaps): void {
  for (let position = 0; position < taps.starts.length; position++) {
    const count = taps.counts[position] ?? 0;
    ints[packed.starts / 4 + position] = taps.starts[position] ?? 0;
    ints[packed.pairs / 4 + position] = Math.ceil(count / 2);
    for (let pair = 0; pair * 2 < count; pair++) {
      const first = taps.weights[position * taps.stride + 2 * pair] ?? 0;
      const second = 2 * pair + 1 < count ? (taps.weights[position * taps.stride + 2 * pair + 1] ?? 0) : 0;
      const at = position * packed.stride + pair;
      ints[packed.highs / 4 + at] = highs(first, second);
      ints[packed.lows / 4 + at] = lows(first, second);
    }
  }
}

export function highs(first: number, second: number): number {
  return ((first >> LOW_BITS) & 0xffff) | ((second >> LOW_BITS) << 16);
}

export function lows(first: number, second: number): number {
  const mask = (1 << LOW_BITS) - 1;
  return (first & mask) | ((second & mask) << 16);
}
