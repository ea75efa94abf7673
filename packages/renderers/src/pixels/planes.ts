import { add, mul, pointwise, sub } from '@atelier/nodes/simd';
import { luminance } from './color.ts';

export interface Size {
  readonly width: number;
  readonly height: number;
}

/** Red, green and blue, one plane each. */
export type Planes = readonly [red: Float32Array, green: Float32Array, blue: Float32Array];

export function mapPlanes(
  [red, green, blue]: Planes,
  change: (plane: Float32Array, channel: 0 | 1 | 2) => Float32Array,
): Planes {
  return [change(red, 0), change(green, 1), change(blue, 2)];
}

/** As `mapPlanes`, value by value. */
export function mapValues(
  planes: Planes,
  change: (value: number, at: number, channel: 0 | 1 | 2) => number,
): Planes {
  return mapPlanes(planes, (plane, channel) => plane.map((value, at) => change(value, at, channel)));
}

export function luminanceOf([red, green, blue]: Planes): Float32Array {
  return red.map((value, at) => luminance(value, green[at] ?? 0, blue[at] ?? 0));
}

/** The mean of the square of `2 * radius + 1` around every value, clipped at the edges. */
export function boxMean(plane: Float32Array, { width, height }: Size, radius: number): Float32Array {
  if (radius < 1) return plane.slice();
  // The row of zeros at the end stands for everything beyond the edges.
  const across = new Float32Array(plane.length + width);
  const shares = Float64Array.from({ length: width }, (_, x) => shareAt(x, width, radius));
  for (let start = 0; start < plane.length; start += width) meanAcross(plane, across, start, radius, shares);
  const result = new Float32Array(plane.length);
  const sums = new Float32Array(width);
  const startOf = (y: number): number => (y >= 0 && y < height ? y : height) * width;
  for (let y = -radius; y < height; y++) {
    const enters = startOf(y + radius);
    const leaves = startOf(y - radius - 1);
    const share = shareAt(y, height, radius);
    // Rows above the first only fill the sums. The first overwrites their results.
    const to = Math.max(0, y) * width;
    for (let x = 0; x < width; x++) {
      const sum = (sums[x] ?? 0) + (across[enters + x] ?? 0) - (across[leaves + x] ?? 0);
      sums[x] = sum;
      result[to + x] = sum * share;
    }
  }
  return result;
}

/** 1 divided by the number of values up to `radius` away. */
function shareAt(place: number, length: number, radius: number): number {
  return 1 / (Math.min(length - 1, place + radius) - Math.max(0, place - radius) + 1);
}

function meanAcross(
  from: Float32Array,
  to: Float32Array,
  start: number,
  radius: number,
  shares: Float64Array,
): void {
  const width = shares.length;
  let sum = 0;
  for (let x = 0; x < Math.min(radius, width); x++) sum += from[start + x] ?? 0;
  for (let x = 0; x < width; x++) {
    if (x + radius < width) sum += from[start + x + radius] ?? 0;
    if (x > radius) sum -= from[start + x - radius - 1] ?? 0;
    to[start + x] = sum * (shares[x] ?? 0);
  }
}

/** Two box means, close to a Gaussian with this deviation in pixels. */
export function softBlur(plane: Float32Array, size: Size, deviation: number): Float32Array {
  const radius = Math.round(deviation * 1.22);
  return boxMean(boxMean(plane, size, radius), size, radius);
}

/** A loop, because `map` allocates every value. */
export function product(one: Float32Array, other: Float32Array): Float32Array {
  const products = new Float32Array(one.length);
  for (let at = 0; at < one.length; at++) products[at] = (one[at] ?? 0) * (other[at] ?? 0);
  return products;
}

/** Weighted soft blurs. Planes do not change where all weights are 0. */
export function blurWithin<T extends readonly Float32Array[]>(
  planes: T,
  weights: Float32Array,
  size: Size,
  deviation: number,
): { [Index in keyof T]: Float32Array } {
  const reach = Math.max(1, deviation);
  const total = softBlur(weights, size, reach);
  const blurred = planes.map((plane) => {
    const mean = softBlur(product(plane, weights), size, reach);
    for (let at = 0; at < mean.length; at++)
      mean[at] = ((mean[at] ?? 0) + 1e-3 * (plane[at] ?? 0)) / ((total[at] ?? 0) + 1e-3);
    return mean;
  });
  return blurred as { [Index in keyof T]: Float32Array };
}

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

export function lerp(from: number, to: number, at: number): number {
  return from + (to - from) * at;
}

/** 0 up to `from`, 1 from `to` on, smooth in between. `from` may be larger than `to`. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

/** Estimated from a few thousand samples. */
export function quantile(plane: Float32Array, share: number): number {
  const step = Math.max(1, Math.floor(plane.length / 4001));
  const samples = plane.filter((_, at) => at % step === 0).sort();
  return samples[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? 0;
}

/** Interpolates small planes to rows of a large picture. The next row reuses the arrays. */
export function enlarger(planes: readonly Float32Array[], small: Size, large: Size) {
  const newLine = (): Float32Array => new Float32Array(planes.length * large.width);
  const part = (line: Float32Array, index: number): Float32Array =>
    line.subarray(index * large.width, (index + 1) * large.width);
  const mixed = newLine();
  const rows = planes.map((_, index) => part(mixed, index));
  const stretchAll = (y: number, line: Float32Array): void => {
    for (const [index, plane] of planes.entries()) {
      const cells = plane.subarray(y * small.width, (y + 1) * small.width);
      stretch(cells, part(line, index), small.width / large.width);
    }
  };
  // The last two rows of the small planes, stretched.
  let [upper, lower] = [newLine(), newLine()];
  let upperIs = -1;
  return (y: number): readonly Float32Array[] => {
    const place = clamp(((y + 0.5) * small.height) / large.height - 0.5, 0, small.height - 1);
    const top = Math.floor(place);
    if (top !== upperIs) {
      if (upperIs >= 0 && top === upperIs + 1) [upper, lower] = [lower, upper];
      else stretchAll(top, upper);
      stretchAll(Math.min(small.height - 1, top + 1), lower);
      upperIs = top;
    }
    mixLines(mixed, [upper, lower], { scalars: [place - top] });
    return rows;
  };
}

/** Vectors take a quarter of the time of a loop. */
const mixLines = pointwise({ sources: 2, scalars: 1 }, (line, share) =>
  add(line(0), mul(sub(line(1), line(0)), share(0))),
);

/** Interpolates linearly between the middles of cells. */
function stretch(cells: Float32Array, row: Float32Array, step: number): void {
  let left = cells[0] ?? 0;
  for (let cell = 0, x = 0; cell <= cells.length; cell++) {
    const right = cells[Math.min(cell, cells.length - 1)] ?? 0;
    const rise = (right - left) * step;
    let value = left + (right - left) * ((x + 0.5) * step - cell + 0.5);
    const end = Math.min(row.length, Math.ceil((cell + 0.5) / step - 0.5));
    for (; x < end; x++, value += rise) row[x] = value;
    left = right;
  }
}
