/**
 * Where nodes get their big arrays. A job's arrays are counted against the runner's bound, and the buffers of values
 * nobody needs any more are used again: a fresh 16-megapixel picture costs more in page faults than in arithmetic.
 */
export interface Memory {
  /** Zeroed. */
  floats(length: number): Float32Array<ArrayBuffer>;
  /** With whatever was there before, for who writes every element. */
  dirtyFloats(length: number): Float32Array<ArrayBuffer>;
  /** With whatever was there before, for who writes every element. */
  dirtyBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Gives scratch space back early. The array must not be used afterwards, nor be part of a result. */
  free(array: ArrayBufferView<ArrayBuffer>): void;
}
