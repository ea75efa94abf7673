import type { Picture } from '../../pixels/picture.ts';
import { clamp, lerp, smoothstep } from '../../pixels/planes.ts';
import { blurGrid } from '../bloom.ts';

export type DepthMap = ReturnType<typeof estimateDepth>;

const COLUMNS = 160;

/**
 * The depth of a picture on a coarse grid: 0 is far, 1 is near. A guess from what photographs have in common: near things are in the lower
 * part and the middle, and differ from the edges. It is smooth, so that a wrong guess distorts nothing visibly.
 */
export function estimateDepth(picture: Picture) {
  const columns = COLUMNS;
  const rows = clamp(Math.round((COLUMNS * picture.height) / picture.width), 16, 480);
  const contrast = distanceFromEdges(shrink(picture, columns, rows), columns, rows);
  const depth = new Float32Array(columns * rows);
  for (let row = rows - 1; row >= 0; row--) {
    const down = (row + 0.5) / rows;
    for (let column = 0; column < columns; column++) {
      const at = row * columns + column;
      const across = ((column + 0.5) / columns) * 2 - 1;
      const middle = Math.exp(-(across * across * 1.6 + (down - 0.56) ** 2 * 5));
      const standsOut = contrast[at] as number;
      const guess =
        0.3 * smoothstep(0.05, 1, down) + 0.24 * middle + 0.34 * standsOut * (0.35 + 0.65 * middle);
      // Things on the ground are as near as their foot, so that they do not lean when the camera moves.
      const foot = row < rows - 1 ? (depth[at + columns] as number) : 0;
      depth[at] = Math.max(guess, foot * (0.93 + 0.068 * smoothstep(0.25, 0.6, standsOut)));
    }
  }
  blurGrid(depth, { width: columns, height: rows }, 5);
  normalize(depth);
  return { columns, rows, depth };
}

export function readDepth({ columns, rows, depth }: DepthMap, u: number, v: number): number {
  const x = clamp(u * columns - 0.5, 0, columns - 1.001);
  const y = clamp(v * rows - 0.5, 0, rows - 1.001);
  const left = Math.floor(x);
  const at = Math.floor(y) * columns + left;
  const across = (from: number): number => lerp(depth[from] as number, depth[from + 1] as number, x - left);
  return lerp(across(at), across(at + columns), y - Math.floor(y));
}

/** Red, green and blue of each cell, sampled at nine places. */
function shrink({ width, height, rgb }: Picture, columns: number, rows: number): Float32Array {
  const cells = new Float32Array(columns * rows * 3);
  for (let cell = 0; cell < columns * rows; cell++) {
    for (let sample = 0; sample < 9; sample++) {
      const x = (((cell % columns) + ((sample % 3) + 0.5) / 3) / columns) * width;
      const y = ((Math.floor(cell / columns) + (Math.floor(sample / 3) + 0.5) / 3) / rows) * height;
      const from = (Math.floor(y) * width + Math.floor(x)) * 3;
      for (let channel = 0; channel < 3; channel++)
        cells[cell * 3 + channel] =
          (cells[cell * 3 + channel] as number) + (rgb[from + channel] as number) / 9;
    }
  }
  return cells;
}

/** How much a cell differs from the colors along the left, right and upper edge, which show the background. */
function distanceFromEdges(cells: Float32Array, columns: number, rows: number): Float32Array {
  const edges: number[] = [];
  for (let row = 0; row < rows; row += 4) edges.push(row * columns + 1, row * columns + columns - 2);
  for (let column = 0; column < columns; column += 4) edges.push(columns + column);
  return Float32Array.from({ length: columns * rows }, (_, cell) => {
    let nearest = Number.POSITIVE_INFINITY;
    let sum = 0;
    for (const edge of edges) {
      let distance = 0;
      for (let channel = 0; channel < 3; channel++)
        distance += Math.abs((cells[cell * 3 + channel] as number) - (cells[edge * 3 + channel] as number));
      nearest = Math.min(nearest, distance);
      sum += distance;
    }
    return clamp((nearest * 1.5 + (sum / edges.length) * 0.6) / 200);
  });
}

/** Stretches the map to 0 to 1, ignoring outliers. */
function normalize(map: Float32Array): void {
  const sorted = map.toSorted();
  const low = sorted[Math.floor(sorted.length * 0.02)] ?? 0;
  const high = sorted[Math.floor(sorted.length * 0.98)] ?? 1;
  const span = Math.max(1e-3, high - low);
  for (let at = 0; at < map.length; at++) map[at] = clamp(((map[at] as number) - low) / span);
}
