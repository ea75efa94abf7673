import type { Picture } from '../../pixels/picture.ts';
import { BLUE, GREEN, type Planes, RED, type Size, U_PART, UNIT, V_PART } from '../planes.ts';

interface Plane extends Size {
  readonly data: Int16Array;
}

/** How far the picture can be read beyond an edge, as a share of the longer side. */
const PAD = 0.08;

/** A picture that is mirrored a little beyond its edges. */
export function createSource({ width, height, rgb }: Picture, frame: Size) {
  /** In pixels of the picture; even. */
  const pad = Math.ceil(Math.max(width, height) * PAD * 0.5) * 2;
  const newPlane = (shift: number): Plane => {
    const size = { width: (width + 2 * pad) >> shift, height: (height + 2 * pad) >> shift };
    return { ...size, data: new Int16Array(size.width * size.height) };
  };
  const [y, u, v] = [newPlane(0), newPlane(1), newPlane(1)];
  const columns = Int32Array.from({ length: y.width }, (_, x) => mirrored(x - pad, width) * 3);
  for (let row = 0; row < y.height; row++) {
    const from = mirrored(row - pad, height) * width * 3;
    for (let x = 0; x < y.width; x++) {
      const at = from + (columns[x] as number);
      const red = rgb[at] as number;
      const blue = rgb[at + 2] as number;
      const light = RED * red + GREEN * (rgb[at + 1] as number) + BLUE * blue;
      y.data[row * y.width + x] = light * UNIT;
      const place = (row >> 1) * u.width + (x >> 1);
      if (place >= u.data.length) continue;
      u.data[place] = (u.data[place] as number) + (blue - light) * U_PART * (UNIT / 4);
      v.data[place] = (v.data[place] as number) + (red - light) * V_PART * (UNIT / 4);
    }
  }
  /** Pixels of the source per pixel of the frame. */
  const scale = width / frame.width;
  return { scale, pad, y, u, v };
}

function mirrored(at: number, length: number): number {
  const span = 2 * length;
  const place = ((at % span) + span) % span;
  return place < length ? place : span - 1 - place;
}

/** Places are interpolated linearly between the nodes of the grid. */
export const CELL = 8;

type WarpGrid = ReturnType<typeof newGrid>;

/** For every node, the place of the start frame that is shown there, in pixels of the frame. */
export function newGrid({ width, height }: Size) {
  const columns = Math.ceil(width / CELL) + 1;
  const rows = Math.ceil(height / CELL) + 1;
  return { columns, rows, x: new Float32Array(columns * rows), y: new Float32Array(columns * rows) };
}

export function warp(planes: Planes, source: ReturnType<typeof createSource>, grid: WarpGrid): void {
  const { scale, pad } = source;
  const half = { width: planes.width >> 1, height: planes.height >> 1 };
  warpPlane({ ...planes, data: planes.y }, source.y, grid, { scale, pad, cell: CELL });
  for (const name of ['u', 'v'] as const)
    warpPlane({ ...half, data: planes[name] }, source[name], grid, {
      scale: scale / 2,
      pad: pad / 2,
      cell: CELL / 2,
    });
}

/** Places are fixed-point numbers with this many parts per pixel. */
const PART = 65_536;

/** `scale`: pixels of the source plane per pixel of the frame. */
function warpPlane(
  target: Plane,
  source: Plane,
  grid: WarpGrid,
  { scale, pad, cell }: { readonly scale: number; readonly pad: number; readonly cell: number },
): void {
  const { columns } = grid;
  const line = { x: new Int32Array(columns), y: new Int32Array(columns) };
  const fill = (name: 'x' | 'y', above: number, part: number, last: number): void => {
    for (let column = 0; column < columns; column++) {
      const at = above * columns + column;
      const upper = grid[name][at] as number;
      const lower = grid[name][at + columns] as number;
      const place = (upper + (lower - upper) * part) * scale + pad - 0.5;
      line[name][column] = Math.min(last - 0.01, Math.max(0, place)) * PART;
    }
  };
  for (let row = 0; row < target.height; row++) {
    const place = (row + 0.5) / cell;
    const above = Math.floor(place);
    fill('x', above, place - above, source.width - 1);
    fill('y', above, place - above, source.height - 1);
    warpRow(target.data.subarray(row * target.width, (row + 1) * target.width), source, line, cell);
  }
}

type Line = Readonly<Record<'x' | 'y', Int32Array>>;

function warpRow(row: Int16Array, { width: stride, data: from }: Plane, line: Line, cell: number): void {
  const shift = cell === CELL ? 3 : 2;
  for (let first = 0, column = 0; first < row.length; first += cell, column++) {
    let x = line.x[column] as number;
    let y = line.y[column] as number;
    const stepX = ((line.x[column + 1] as number) - x) >> shift;
    const stepY = ((line.y[column + 1] as number) - y) >> shift;
    x += stepX >> 1;
    y += stepY >> 1;
    const end = Math.min(row.length, first + cell);
    for (let at = first; at < end; at++, x = (x + stepX) | 0, y = (y + stepY) | 0) {
      const i = (Math.imul(y >> 16, stride) + (x >> 16)) | 0;
      const below = (i + stride) | 0;
      const part = (x >> 8) & 255;
      const left = from[i] as number;
      const lowerLeft = from[below] as number;
      const upper = left + (Math.imul((from[i + 1] as number) - left, part) >> 8);
      const lower = lowerLeft + (Math.imul((from[below + 1] as number) - lowerLeft, part) >> 8);
      row[at] = upper + (Math.imul(lower - upper, (y >> 8) & 255) >> 8);
    }
  }
}
