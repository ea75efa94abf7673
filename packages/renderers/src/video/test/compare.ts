import type { Size } from '../planes.ts';

/** Red, green and blue of every pixel. */
type Picture = Uint8ClampedArray;

/** Rows of a picture, as parts of its height. */
export interface Rows {
  readonly from: number;
  readonly to: number;
}

export interface Fit {
  /** How much larger the second picture is. */
  readonly scale: number;
  /** How far its middle has moved, in parts of the width. */
  readonly aside: number;
}

/** The enlargement and shift that make the one picture most like the other, in some rows of the second. */
export function bestFit(
  one: Picture,
  other: Picture,
  size: Size,
  rows: Rows,
  scales: readonly number[],
): Fit {
  let best = { scale: 1, aside: 0, off: Number.POSITIVE_INFINITY };
  for (const scale of scales) {
    for (let dx = -0.5 * size.width; dx <= 0.5 * size.width; dx++) {
      for (let dy = -0.3 * size.height; dy <= 0.3 * size.height; dy += 2) {
        const off = difference(one, other, size, { rows, scale, dx, dy });
        if (off < best.off) best = { scale, aside: dx / size.width, off };
      }
    }
  }
  return best;
}

interface Placing {
  readonly rows: Rows;
  readonly scale: number;
  readonly dx: number;
  readonly dy: number;
}

function difference(one: Picture, other: Picture, { width, height }: Size, placing: Placing): number {
  const { rows, scale, dx, dy } = placing;
  let sum = 0;
  let count = 0;
  for (let y = Math.round(rows.from * height); y < rows.to * height; y += 2) {
    const fromY = Math.round((y - height / 2 - dy) / scale + height / 2);
    if (fromY < 0 || fromY >= height) continue;
    for (let x = 0; x < width; x += 2) {
      const fromX = Math.round((x - width / 2 - dx) / scale + width / 2);
      if (fromX < 0 || fromX >= width) continue;
      const [a, b] = [(fromY * width + fromX) * 3, (y * width + x) * 3];
      sum += Math.abs((one[a] ?? 0) - (other[b] ?? 0)) + Math.abs((one[a + 1] ?? 0) - (other[b + 1] ?? 0));
      count++;
    }
  }
  // Fits of a few pixels say nothing.
  return count > (width * height * (rows.to - rows.from)) / 10 ? sum / count : Number.POSITIVE_INFINITY;
}

/** Where a picture with somebody in it differs from the same one without. */
export interface Silhouette {
  readonly left: number;
  readonly right: number;
  readonly middle: number;
  readonly top: number;
  readonly bottom: number;
  readonly pixels: ReadonlySet<number>;
}

export function silhouette(withIt: Picture, without: Picture, { width }: Size): Silhouette {
  const pixels = new Set<number>();
  const sums = { x: 0, left: width, right: 0, top: Number.POSITIVE_INFINITY, bottom: 0 };
  for (let at = 0; at < without.length / 3; at++) {
    const off =
      Math.abs((withIt[at * 3] ?? 0) - (without[at * 3] ?? 0)) +
      Math.abs((withIt[at * 3 + 1] ?? 0) - (without[at * 3 + 1] ?? 0)) +
      Math.abs((withIt[at * 3 + 2] ?? 0) - (without[at * 3 + 2] ?? 0));
    if (off < 60) continue;
    const [x, y] = [at % width, Math.floor(at / width)];
    pixels.add(at);
    sums.x += x;
    sums.left = Math.min(sums.left, x);
    sums.right = Math.max(sums.right, x);
    sums.top = Math.min(sums.top, y);
    sums.bottom = Math.max(sums.bottom, y);
  }
  const { left, right, top, bottom } = sums;
  return { left, right, top, bottom, middle: sums.x / Math.max(1, pixels.size), pixels };
}
