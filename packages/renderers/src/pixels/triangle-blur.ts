import type { Size } from './box-blur.ts';
import { makeRoom } from './kernel-memory.ts';
import { planeKernels } from './plane-kernels.ts';

/** Past this the sums would not fit 32 bits. */
const MOST_RADIUS = 4;

/**
 * Two box means of `2 * radius + 1` each way, which is close to a Gaussian, in one walk over a plane of values from 0
 * to 4080. Only as many rows as the window is high are kept beside the result.
 */
export function triangleBlur(plane: Int16Array, { width, height }: Size, radius: number): Int16Array {
  if (radius > MOST_RADIUS) throw new Error(`a triangle blur reaches ${MOST_RADIUS} pixels, not ${radius}`);
  const window = 2 * radius + 1;
  const margin = 2 * radius;
  const room = makeRoom();
  const padded = room.take((width + 2 * margin) * 2);
  const once = room.take((width + margin) * 2);
  const [row, sum, total] = [room.take(width * 4), room.take(width * 4), room.take(width * 4)];
  const out = room.take(width * 2);
  const slots = Array.from({ length: window }, () => ({
    row: room.take(width * 4),
    sum: room.take(width * 4),
  }));
  const { shorts, longs } = room.open();
  const clear = (address: number): Int32Array => longs.fill(0, address / 4, address / 4 + width);
  for (const address of [sum, total, ...slots.flatMap((slot) => [slot.row, slot.sum])]) clear(address);
  const kernels = planeKernels();
  const result = new Int16Array(plane.length);
  for (let y = -margin; y < height + margin; y++) {
    const slot = slots[(y + margin) % window] ?? { row, sum };
    const from = Math.min(height - 1, Math.max(0, y)) * width;
    const start = padded / 2;
    shorts.fill(plane[from] ?? 0, start, start + margin);
    shorts.set(plane.subarray(from, from + width), start + margin);
    shorts.fill(plane[from + width - 1] ?? 0, start + margin + width, start + 2 * margin + width);
    kernels.triangleAcross(padded, once, row, width, window);
    kernels.triangleDown(row, slot.row, sum, slot.sum, total, out, width, 1 / window ** 4);
    if (y < 0) {
      // The window is not full yet: this is no sum of one.
      clear(total);
      clear(slot.sum);
    }
    if (y >= margin) result.set(shorts.subarray(out / 2, out / 2 + width), (y - margin) * width);
  }
  return result;
}
