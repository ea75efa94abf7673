/** Bytes to the float nodes work with. */
const UNIT = Float32Array.from({ length: 256 }, (_, byte) => byte / 255);

/** The 8-bit values of `target.length` floats from `offset` on, as saving makes them: clipped and cut off. */
export function bytesFromFloats(source: Float32Array, offset: number, target: Uint8Array): void {
  const length = target.length;
  for (let index = 0; index < length; index++) {
    // In float32, where k/255 times 255 is k again; NaN becomes 0.
    const value = Math.fround((source[offset + index] ?? 0) * 255);
    target[index] = value > 0 ? (value < 255 ? value | 0 : 255) : 0;
  }
}

export function floatsFromBytes(source: Uint8Array, target: Float32Array, offset: number): void {
  const length = source.length;
  for (let index = 0; index < length; index++) target[offset + index] = UNIT[source[index] ?? 0] ?? 0;
}

/** Leaves of every float what a byte can hold of it, in place. */
export function quantizeToBytes(data: Float32Array, checkpoint: () => void): void {
  for (let index = 0; index < data.length; index++) {
    if ((index & 0xffff) === 0) checkpoint();
    const value = Math.fround((data[index] ?? 0) * 255);
    data[index] = UNIT[value > 0 ? (value < 255 ? value | 0 : 255) : 0] ?? 0;
  }
}
