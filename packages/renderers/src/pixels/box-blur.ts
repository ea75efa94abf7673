import { makeRoom, type Room } from './kernel-memory.ts';
import { planeKernels } from './plane-kernels.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The mean of the square of `2 * radius + 1` around every value; at the edges of what there is of it. */
export function boxMean(plane: Float32Array, size: Size, radius: number): Float32Array {
  return blurred(plane, size, radius, 1);
}

/** Close to a Gaussian with this deviation in pixels: two box means. */
export function softBlur(plane: Float32Array, size: Size, deviation: number): Float32Array {
  return blurred(plane, size, softRadius(deviation), 2);
}

function softRadius(deviation: number): number {
  return Math.round(deviation * 1.22);
}

function blurred(plane: Float32Array, size: Size, radius: number, times: number): Float32Array {
  if (radius < 1) return plane.slice();
  const room = makeRoom();
  const source = room.take(plane.byteLength);
  const box = boxIn(room, size, radius);
  const { floats } = room.open();
  box.open(floats);
  floats.set(plane, source / 4);
  for (let time = 0; time < times; time++) box.blur(source);
  return floats.slice(source / 4, source / 4 + plane.length);
}

/**
 * The soft blurs of what the weights let through: nothing leaks in from where they are 0. Where there is none of it for
 * as far as the blur reaches, the planes stay as they are.
 */
export function blurWithin(
  planes: readonly Float32Array[],
  weights: Float32Array,
  size: Size,
  deviation: number,
): Float32Array[] {
  const room = makeRoom();
  const [given, shares] = [room.take(weights.byteLength), room.take(weights.byteLength)];
  const [values, sums] = [room.take(weights.byteLength), room.take(weights.byteLength)];
  const box = boxIn(room, size, Math.max(1, softRadius(deviation)));
  const { floats } = room.open();
  const kernels = planeKernels();
  box.open(floats);
  floats.set(weights, given / 4);
  floats.set(weights, shares / 4);
  box.blur(shares);
  box.blur(shares);
  return planes.map((plane) => {
    floats.set(plane, values / 4);
    floats.set(plane, sums / 4);
    kernels.multiply(sums, given, plane.length);
    box.blur(sums);
    box.blur(sums);
    kernels.divide(sums, shares, values, plane.length);
    return floats.slice(sums / 4, sums / 4 + plane.length);
  });
}

interface Box {
  open(floats: Float32Array): void;
  /** Puts the means in the place of the plane at this address. */
  blur(plane: number): void;
}

function boxIn(room: Room, { width, height }: Size, radius: number): Box {
  const across = room.take(width * height * 4);
  const sums = room.take(width * 4);
  const [columns, rows] = [room.take(width * 4), room.take(height * 4)];
  return {
    open(floats) {
      floats.set(sharesOf(width, radius), columns / 4);
      floats.set(sharesOf(height, radius), rows / 4);
    },
    blur(plane) {
      const kernels = planeKernels();
      kernels.boxAcross(plane, across, columns, width, height, Math.min(radius, width - 1));
      kernels.boxDown(across, plane, sums, rows, width, height, Math.min(radius, height - 1));
    },
  };
}

/** One by the number of values that a window around each place has. */
function sharesOf(length: number, radius: number): Float32Array {
  const shares = new Float32Array(length);
  for (let at = 0; at < length; at++) {
    shares[at] = 1 / (Math.min(length - 1, at + radius) - Math.max(0, at - radius) + 1);
  }
  return shares;
}
