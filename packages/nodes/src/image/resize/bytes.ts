import type { Image } from '../../values/image.ts';
import { inRuns } from '../filters/in-runs.ts';
import { vectorFloats } from '../simd/vector-memory.ts';
import { expandBytes, truncateFloats } from './pillow-kernels.ts';
import type { ResizeTools } from './pillow-resize.ts';

/** Floats that are converted at once, so that they and their bytes stay in the cache. */
const PIECE = 1 << 12;

/** The 8-bit values of `target.length` floats from `offset` on, clipped and truncated. */
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

/** Floats from 0 to 1, from `offset` on. A table of 256 floats takes three times as long. */
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

export function batchBytes({ data }: Image, { memory, checkpoint }: ResizeTools): Uint8Array<ArrayBuffer> {
  const bytes = memory.dirtyBytes(data.length);
  inRuns(data.length, checkpoint, (from, to) => bytesFromFloats(data, from, bytes.subarray(from, to)));
  return bytes;
}

/** Reduces every float to 8 bits, in place. */
export function quantizeToBytes(data: Float32Array, checkpoint: () => void): void {
  const bytes = new Uint8Array(PIECE);
  for (let from = 0; from < data.length; from += PIECE) {
    if ((from & 0xffff) === 0) checkpoint();
    const piece = data.subarray(from, from + PIECE);
    bytesFromFloats(piece, 0, bytes.subarray(0, piece.length));
    floatsFromBytes(bytes.subarray(0, piece.length), piece, 0);
  }
}
