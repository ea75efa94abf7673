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
