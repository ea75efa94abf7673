import type { Size } from '../pixels/planes.ts';

const TERMS = 6;
const ROUNDS = 3;
/** Pixels farther from the fit than this many mean distances are left out of the next round. */
const OUTLIER = 2;

/** The quadratic surface that fits a plane best at the given places, as a plane of the same size. */
export function fitSmooth(plane: Float32Array, { width, height }: Size, places: Int32Array): Float32Array {
  const across = (at: number): number => (2 * (at % width)) / width - 1;
  const down = (at: number): number => (2 * Math.floor(at / width)) / height - 1;
  const terms = (at: number): readonly number[] => {
    const [x, y] = [across(at), down(at)];
    return [1, x, y, x * x, x * y, y * y];
  };
  const valueOf = (
    [c = 0, cx = 0, cy = 0, cxx = 0, cxy = 0, cyy = 0]: readonly number[],
    at: number,
  ): number => {
    const [x, y] = [across(at), down(at)];
    return c + x * (cx + x * cxx + y * cxy) + y * (cy + y * cyy);
  };
  let kept: readonly number[] = [...places];
  let weights: readonly number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    const rows = Array.from({ length: TERMS }, () => Array.from({ length: TERMS + 1 }, () => 0));
    for (const at of kept) {
      const values = terms(at);
      rows.forEach((row, index) => {
        const term = values[index] ?? 0;
        values.forEach((value, column) => {
          row[column] = (row[column] ?? 0) + term * value;
        });
        row[TERMS] = (row[TERMS] ?? 0) + term * (plane[at] ?? 0);
      });
    }
    weights = solve(rows);
    const off = kept.map((at) => Math.abs((plane[at] ?? 0) - valueOf(weights, at)));
    const mean = off.reduce((sum, value) => sum + value, 0) / off.length;
    kept = kept.filter((_, index) => (off[index] ?? 0) <= OUTLIER * mean + 1e-6);
  }
  return plane.map((_, at) => Math.min(1, Math.max(0, valueOf(weights, at))));
}

/** Gauss-Jordan elimination. The diagonal is raised a little, so that degenerate pictures have a solution too. */
function solve(rows: number[][]): readonly number[] {
  rows.forEach((row, index) => {
    row[index] = (row[index] ?? 0) + 1e-3;
    const pivot = row[index] ?? 1;
    for (let column = 0; column <= TERMS; column++) row[column] = (row[column] ?? 0) / pivot;
    for (const other of rows) {
      if (other === row) continue;
      const factor = other[index] ?? 0;
      for (let column = 0; column <= TERMS; column++) {
        other[column] = (other[column] ?? 0) - factor * (row[column] ?? 0);
      }
    }
  });
  return rows.map((row) => row[TERMS] ?? 0);
}
