import type { Size } from './box-blur.ts';
import { makeRoom } from './kernel-memory.ts';
import { planeKernels } from './plane-kernels.ts';

export interface SmallPicture extends Size {
  /** How many pixels of the large picture, each way, are one of the small. */
  readonly factor: number;
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
}

/** The means of squares of `factor` pixels, at most 256; at the right and the lower edge of what there is of them. */
export function downscaleRgb(rgb: Uint8Array, { width, height }: Size, factor: number): SmallPicture {
  const small = smallSize({ width, height }, factor);
  const size = small.width * small.height;
  const planes = { red: new Float32Array(size), green: new Float32Array(size), blue: new Float32Array(size) };
  const length = width * 3;
  const room = makeRoom();
  const row = room.take(length);
  const sums = room.take(length * 2);
  const { bytes } = room.open();
  const columns = new Uint16Array(bytes.buffer, sums, length);
  const kernels = planeKernels();
  for (let top = 0, start = 0; top < height; top += factor, start += small.width) {
    const bottom = Math.min(height, top + factor);
    columns.fill(0);
    for (let y = top; y < bottom; y++) {
      bytes.set(rgb.subarray(y * length, (y + 1) * length), row);
      kernels.addBytes(sums, row, length);
    }
    for (let column = 0, x = 0; column < small.width; column++) {
      const end = Math.min(width, x + factor);
      const share = 1 / ((bottom - top) * (end - x));
      let [red, green, blue] = [0, 0, 0];
      for (; x < end; x++) {
        red += columns[x * 3] ?? 0;
        green += columns[x * 3 + 1] ?? 0;
        blue += columns[x * 3 + 2] ?? 0;
      }
      planes.red[start + column] = red * share;
      planes.green[start + column] = green * share;
      planes.blue[start + column] = blue * share;
    }
  }
  return { ...small, factor, ...planes };
}

export function smallSize({ width, height }: Size, factor: number): Size {
  return { width: Math.ceil(width / factor), height: Math.ceil(height / factor) };
}
