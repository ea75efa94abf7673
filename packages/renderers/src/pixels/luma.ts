import { boxMean, type Size } from './box-blur.ts';
import { smallSize } from './downscale.ts';
import { makeRoom } from './kernel-memory.ts';
import { planeKernels } from './plane-kernels.ts';

/** Steps of a luma plane in one step of an 8-bit sample. */
const STEPS = 16;

/** Brightness of each pixel as video has it (BT.601, on the sRGB values), in sixteenths of their steps. */
export function lumaOf(rgb: Uint8Array, { width, height }: Size): Int16Array {
  const luma = new Int16Array(width * height);
  const room = makeRoom();
  const row = room.take(width * 3);
  const [red, green, blue] = [room.take(width), room.take(width), room.take(width)];
  const out = room.take(width * 2);
  const { bytes, shorts } = room.open();
  const kernels = planeKernels();
  for (let y = 0; y < height; y++) {
    bytes.set(rgb.subarray(y * width * 3, (y + 1) * width * 3), row);
    kernels.splitRow(row, red, green, blue, width);
    kernels.lumaRow(red, green, blue, out, width);
    luma.set(shorts.subarray(out / 2, out / 2 + width), y * width);
  }
  return luma;
}

/** How much two planes differ on the mean around each square of `factor` pixels, in steps of 8-bit samples. */
export function meanDifference(one: Int16Array, other: Int16Array, size: Size, factor: number): Float32Array {
  const { width, height } = size;
  const small = smallSize(size, factor);
  const means = new Float32Array(small.width * small.height);
  const room = makeRoom();
  const [first, second] = [room.take(width * 2), room.take(width * 2)];
  const sums = room.take(width * 4);
  const { shorts, longs } = room.open();
  const columns = longs.subarray(sums / 4, sums / 4 + width);
  const kernels = planeKernels();
  for (let top = 0, start = 0; top < height; top += factor, start += small.width) {
    const bottom = Math.min(height, top + factor);
    columns.fill(0);
    for (let y = top; y < bottom; y++) {
      shorts.set(one.subarray(y * width, (y + 1) * width), first / 2);
      shorts.set(other.subarray(y * width, (y + 1) * width), second / 2);
      kernels.addDifference(sums, first, second, width);
    }
    for (let column = 0, x = 0; column < small.width; column++) {
      const end = Math.min(width, x + factor);
      const share = 1 / ((bottom - top) * (end - x) * STEPS);
      let sum = 0;
      for (; x < end; x++) sum += columns[x] ?? 0;
      means[start + column] = sum * share;
    }
  }
  return boxMean(means, small, 2);
}
