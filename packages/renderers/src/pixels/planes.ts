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

export function luminanceOf([red, green, blue]: Planes): Float32Array {
  return red.map((value, at) => luminance(value, green[at] ?? 0, blue[at] ?? 0));
}

/** The mean of the square of `2 * radius + 1` around every value, cut off at the edges. */
export function boxMean(plane: Float32Array, { width, height }: Size, radius: number): Float32Array {
  if (radius < 1) return plane.slice();
  const across = new Float32Array(plane.length);
  for (let start = 0; start < plane.length; start += width) meanAcross(plane, across, start, width, radius);
  const result = new Float32Array(plane.length);
  const sums = new Float32Array(width);
  for (let y = 0; y < Math.min(radius, height); y++) addRow(sums, across, y * width, 1);
  for (let y = 0; y < height; y++) {
    if (y + radius < height) addRow(sums, across, (y + radius) * width, 1);
    if (y > radius) addRow(sums, across, (y - radius - 1) * width, -1);
    const share = 1 / (Math.min(height - 1, y + radius) - Math.max(0, y - radius) + 1);
    for (let x = 0; x < width; x++) result[y * width + x] = (sums[x] ?? 0) * share;
  }
  return result;
}

function meanAcross(
  from: Float32Array,
  to: Float32Array,
  start: number,
  width: number,
  radius: number,
): void {
  let sum = 0;
  for (let x = 0; x < Math.min(radius, width); x++) sum += from[start + x] ?? 0;
  for (let x = 0; x < width; x++) {
    if (x + radius < width) sum += from[start + x + radius] ?? 0;
    if (x > radius) sum -= from[start + x - radius - 1] ?? 0;
    to[start + x] = sum / (Math.min(width - 1, x + radius) - Math.max(0, x - radius) + 1);
  }
}

function addRow(sums: Float32Array, plane: Float32Array, start: number, sign: number): void {
  for (let x = 0; x < sums.length; x++) sums[x] = (sums[x] ?? 0) + sign * (plane[start + x] ?? 0);
}

/** Two box means, close to a Gaussian with this deviation in pixels. */
export function softBlur(plane: Float32Array, size: Size, deviation: number): Float32Array {
  const radius = Math.round(deviation * 1.22);
  return boxMean(boxMean(plane, size, radius), size, radius);
}

/** Soft blurs that only look at what the weights let through. Planes stay as they are where the weights are all 0. */
export function blurWithin<T extends readonly Float32Array[]>(
  planes: T,
  weights: Float32Array,
  size: Size,
  deviation: number,
): { [Index in keyof T]: Float32Array } {
  const reach = Math.max(1, deviation);
  const total = softBlur(weights, size, reach);
  const blurred = planes.map((plane) => {
    const sum = softBlur(
      plane.map((value, at) => value * (weights[at] ?? 0)),
      size,
      reach,
    );
    return sum.map((value, at) => (value + 1e-3 * (plane[at] ?? 0)) / ((total[at] ?? 0) + 1e-3));
  });
  return blurred as { [Index in keyof T]: Float32Array };
}

export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

/** 0 up to `from`, 1 from `to` on, smooth between; `from` may be the larger. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

/** The value that this share of a plane lies below, from a few thousand samples. */
export function quantile(plane: Float32Array, share: number): number {
  const step = Math.max(1, Math.floor(plane.length / 4001));
  const samples = new Float32Array(Math.ceil(plane.length / step));
  for (let index = 0; index < samples.length; index++) samples[index] = plane[index * step] ?? 0;
  samples.sort();
  return samples[Math.min(samples.length - 1, Math.floor(samples.length * share))] ?? 0;
}

/** Rows of a large picture, interpolated from small planes. The arrays are reused by the next row. */
export function enlarger(planes: readonly Float32Array[], small: Size, large: Size) {
  const mixed = new Float32Array(small.width);
  const rows = planes.map(() => new Float32Array(large.width));
  const step = small.width / large.width;
  return (y: number): readonly Float32Array[] => {
    const place = clamp(((y + 0.5) * small.height) / large.height - 0.5, 0, small.height - 1);
    const top = Math.floor(place);
    const above = top * small.width;
    const below = Math.min(small.height - 1, top + 1) * small.width;
    for (const [index, plane] of planes.entries()) {
      mixRows(plane, above, below, place - top, mixed);
      stretch(mixed, rows[index] ?? mixed, step);
    }
    return rows;
  };
}

function mixRows(
  plane: Float32Array,
  above: number,
  below: number,
  share: number,
  mixed: Float32Array,
): void {
  for (let x = 0; x < mixed.length; x++) {
    const upper = plane[above + x] ?? 0;
    mixed[x] = upper + ((plane[below + x] ?? 0) - upper) * share;
  }
}

/** Straight lines from the middle of one cell to the middle of the next. */
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
