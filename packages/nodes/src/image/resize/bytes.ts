import { vectorFloats } from '../simd/vector-memory.ts';
import { expandBytes, truncateFloats } from './pillow-kernels.ts';

/** Floats that are converted at once, so that they and their bytes stay in the processor's cache. */
const PIECE = 1 << 12;

/** The 8-bit values of `target.length` floats from `offset` on, as saving makes them: clipped and cut off. */
export function bytesFromFloats(source: Float32Array, offset: number, target: Uint8Array): void {
  const floats = vectorFloats(PIECE + PIECE / 4);
  const bytes = new Uint8Array(floats.buffer, PIECE * 4, PIECE);
  for (let from = 0; from < target.length; from += PIECE) {
    const length = Math.min(PIECE, target.length - from);
    floats.set(source.subarray(offset + from, offset + from + length));
    truncateFloats(0, length * 4, PIECE * 4);
    target.set(bytes.subarray(0, length), from);
  }
}

/** 0 to 1, from `offset` on. A table of 256 floats takes three times as long. */
export function floatsFromBytes(source: Uint8Array, target: Float32Array, offset: number): void {
  const floats = vectorFloats(PIECE + PIECE / 4);
  const bytes = new Uint8Array(floats.buffer, PIECE * 4, PIECE);
  for (let from = 0; from < source.length; from += PIECE) {
    const length = Math.min(PIECE, source.length - from);
    bytes.set(source.subarray(from, from + length));
    expandBytes(PIECE * 4, PIECE * 4 + length, 0);
    target.set(floats.subarray(0, length), offset + from);
  }
}

/** Leaves of every float what a byte can hold of it, in place. */
export function quantizeToBytes(data: Float32Array, checkpoint: () => void): void {
  const bytes = new Uint8Array(PIECE);
  for (let from = 0; from < data.length; from += PIECE) {
    if ((from & 0xffff) === 0) checkpoint();
    const piece = data.subarray(from, from + PIECE);
    bytesFromFloats(piece, 0, bytes.subarray(0, piece.length));
    floatsFromBytes(bytes.subarray(0, piece.length), piece, 0);
  }
}
