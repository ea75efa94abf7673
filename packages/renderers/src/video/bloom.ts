import { boxMean } from '../pixels/planes.ts';
import { type Planes, type Size, UNIT } from './planes.ts';

const THRESHOLD = 170 * UNIT;

/** The glow around bright areas, computed on a coarse grid. */
export function createBloom(planes: Planes) {
  const { width, height } = planes;
  const cell = width * height > 500_000 ? 16 : 8;
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const newGrid = (): Float32Array => new Float32Array(columns * rows);
  const grids = { y: newGrid(), u: newGrid(), v: newGrid() };
  const line = new Float32Array(width);
  const radius = Math.max(1, Math.round(columns / 40));

  function gatherCell(column: number, row: number, strength: number): void {
    const stride = cell >> 2;
    let sum = 0;
    let count = 0;
    for (let y = row * cell + 1; y < Math.min(height, (row + 1) * cell); y += stride) {
      for (let x = column * cell + 1; x < Math.min(width, (column + 1) * cell); x += stride) {
        sum += Math.max(0, (planes.y[y * width + x] as number) - THRESHOLD);
        count++;
      }
    }
    const light = (sum / Math.max(1, count)) * strength;
    const halfWidth = width >> 1;
    const place =
      Math.min((height >> 1) - 1, row * (cell / 2) + 2) * halfWidth +
      Math.min(halfWidth - 1, column * (cell / 2) + 2);
    const at = row * columns + column;
    grids.y[at] = light;
    for (const name of ['u', 'v'] as const)
      grids[name][at] = (planes[name][place] as number) * light * (0.008 / UNIT);
  }

  return {
    gather(strength: number): void {
      for (let row = 0; row < rows; row++)
        for (let column = 0; column < columns; column++) gatherCell(column, row, strength);
      for (const grid of Object.values(grids)) blurGrid(grid, { width: columns, height: rows }, radius);
    },
    /** A row of pixels, in units. The next call reuses the array. */
    row(name: 'y' | 'u' | 'v', row: number): Float32Array {
      const every = name === 'y' ? cell : cell / 2;
      const count = name === 'y' ? width : width >> 1;
      const grid = grids[name];
      const place = Math.min(rows - 1, Math.max(0, (row + 0.5) / every - 0.5));
      const above = Math.floor(place) * columns;
      const below = Math.min(rows - 1, Math.floor(place) + 1) * columns;
      const part = place - Math.floor(place);
      const valueAt = (column: number): number => {
        const upper = grid[above + column] as number;
        return upper + ((grid[below + column] as number) - upper) * part;
      };
      let left = valueAt(0);
      for (let next = 0, x = -every / 2; x < count; next++, x += every) {
        const right = valueAt(Math.min(next, columns - 1));
        const rise = (right - left) / every;
        const end = Math.min(count, x + every);
        for (let at = Math.max(0, x), value = left + rise * (at - x + 0.5); at < end; at++, value += rise)
          line[at] = value;
        left = right;
      }
      return line;
    },
  };
}

/** Blurs in place. */
export function blurGrid(grid: Float32Array, size: Size, radius: number): void {
  grid.set(boxMean(boxMean(grid, size, radius), size, radius));
}
