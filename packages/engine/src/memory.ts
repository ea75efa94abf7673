/**
 * Allocates the large arrays of nodes. They count against the limit of the runner, and buffers are reused: a new 16-megapixel
 * picture costs more in page faults than in arithmetic.
 */
export interface Memory {
  /** Zeroed. */
  floats(length: number): Float32Array<ArrayBuffer>;
  /** Not zeroed, for callers that write every element. */
  dirtyFloats(length: number): Float32Array<ArrayBuffer>;
  /** Not zeroed, for callers that write every element. */
  dirtyBytes(length: number): Uint8Array<ArrayBuffer>;
  /** Frees scratch space early. The array must not be used afterwards or be part of a result. */
  free(array: ArrayBufferView<ArrayBuffer>): void;
}
