import type { Planes, Size } from '../planes.ts';
import type { PhotoSource, SourcePlane } from './photo-source.ts';

/** Between the nodes of the grid, places are on straight lines. */
export const CELL = 8;

/** For every node: which place of the frame's own picture is shown there, in pixels of the frame, and how bright. */
export interface WarpGrid {
  readonly columns: number;
  readonly rows: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly gain: Float32Array;
}

export function newGrid({ width, height }: Size): WarpGrid {
  const columns = Math.ceil(width / CELL) + 1;
  const rows = Math.ceil(height / CELL) + 1;
  const count = columns * rows;
  return {
    columns,
    rows,
    x: new Float32Array(count),
    y: new Float32Array(count),
    gain: new Float32Array(count),
  };
}

export function warp(planes: Planes, source: PhotoSource, grid: WarpGrid): void {
  const { scale, pad } = source;
  const half = { width: planes.width >> 1, height: planes.height >> 1 };
  warpPlane({ ...planes, data: planes.y }, source.y, grid, { scale, pad, cell: CELL });
  const coarse = { scale: scale / 2, pad: pad / 2, cell: CELL / 2 };
  warpPlane({ ...half, data: planes.u }, source.u, grid, coarse);
  warpPlane({ ...half, data: planes.v }, source.v, grid, coarse);
}

interface Mapping {
  /** From pixels of the frame to those of this plane of the source. */
  readonly scale: number;
  readonly pad: number;
  readonly cell: number;
}

/** Places are whole numbers of this part of a pixel, and gains of this part of 1. */
const PLACE = 65_536;
const GAIN = 4096;

function warpPlane(
  target: SourcePlane,
  source: SourcePlane,
  grid: WarpGrid,
  { scale, pad, cell }: Mapping,
): void {
  const { columns } = grid;
  const line = { x: new Int32Array(columns), y: new Int32Array(columns), gain: new Int32Array(columns) };
  const offset = pad - 0.5;
  const limits = { x: source.width - 1.01, y: source.height - 1.01 };
  for (let row = 0; row < target.height; row++) {
    const place = (row + 0.5) / cell;
    const above = Math.floor(place);
    const part = place - above;
    for (let column = 0; column < columns; column++) {
      const upper = above * columns + column;
      const lower = upper + columns;
      const x = ((grid.x[upper] as number) * (1 - part) + (grid.x[lower] as number) * part) * scale + offset;
      const y = ((grid.y[upper] as number) * (1 - part) + (grid.y[lower] as number) * part) * scale + offset;
      line.x[column] = (x < 0 ? 0 : x > limits.x ? limits.x : x) * PLACE;
      line.y[column] = (y < 0 ? 0 : y > limits.y ? limits.y : y) * PLACE;
      line.gain[column] =
        ((grid.gain[upper] as number) * (1 - part) + (grid.gain[lower] as number) * part) * GAIN;
    }
    warpRow(target, row, source, { line, cell });
  }
}

interface Row {
  readonly line: Readonly<Record<'x' | 'y' | 'gain', Int32Array>>;
  readonly cell: number;
}

function warpRow(target: SourcePlane, row: number, source: SourcePlane, { line, cell }: Row): void {
  const { width, data } = target;
  const { width: stride, data: from } = source;
  const shift = cell === 8 ? 3 : 2;
  const start = row * width;
  for (let first = 0, column = 0; first < width; first += cell, column++) {
    let x = line.x[column] as number;
    let y = line.y[column] as number;
    let gain = line.gain[column] as number;
    const stepX = ((line.x[column + 1] as number) - x) >> shift;
    const stepY = ((line.y[column + 1] as number) - y) >> shift;
    const stepGain = ((line.gain[column + 1] as number) - gain) >> shift;
    x += stepX >> 1;
    y += stepY >> 1;
    gain += stepGain >> 1;
    const end = Math.min(width, first + cell);
    for (
      let at = first;
      at < end;
      at++, x = (x + stepX) | 0, y = (y + stepY) | 0, gain = (gain + stepGain) | 0
    ) {
      const i = (Math.imul(y >> 16, stride) + (x >> 16)) | 0;
      const below = (i + stride) | 0;
      const part = (x >> 8) & 255;
      const left = from[i] as number;
      const lowerLeft = from[below] as number;
      const upper = left + (Math.imul((from[i + 1] as number) - left, part) >> 8);
      const lower = lowerLeft + (Math.imul((from[below + 1] as number) - lowerLeft, part) >> 8);
      data[start + at] = Math.imul(upper + (Math.imul(lower - upper, (y >> 8) & 255) >> 8), gain) >> 12;
    }
  }
}
