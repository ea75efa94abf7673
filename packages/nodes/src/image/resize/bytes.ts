import { vectorFloats } from '../simd/vector-memory.ts';
import { truncateFloats } from './pillow-kernels.ts';

/** Bytes to the float nodes work with. */
const UNIT = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);
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

export function floatsFromBytes(source: Uint8Array, target: Float32Array, offset: number): void {
  for (let index = 0; index < source.length; index++)
    target[offset + index] = UNIT[source[index] as number] as number;
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
