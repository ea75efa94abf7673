import { type Planes, type Size, UNIT } from './planes.ts';

/** Light that shines over the edges of what is bright. It is found and blurred on a grid and read row by row. */
export interface Bloom {
  brightnessRow(row: number): Int32Array;
  colorRow(name: 'u' | 'v', row: number): Int32Array;
}

const THRESHOLD = 170 * UNIT;

export function createBloom({ width, height }: Size): (planes: Planes, strength: number) => Bloom {
  // Large pictures need no finer a grid.
  const cell = width * height > 1e6 / 2 ? 16 : 8;
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const grids = {
    y: new Float32Array(columns * rows),
    u: new Float32Array(columns * rows),
    v: new Float32Array(columns * rows),
  };
  const spare = new Float32Array(columns * rows);
  const mixed = new Int32Array(columns + 2);
  const line = new Int32Array(width);
  const radius = Math.max(1, Math.round(columns / 40));

  function readRow(grid: Float32Array, row: number, count: number, every: number): Int32Array {
    const place = Math.min(rows - 1, Math.max(0, (row + 0.5) / every - 0.5));
    const above = Math.floor(place);
    const below = Math.min(rows - 1, above + 1);
    const part = place - above;
    for (let x = 0; x < columns; x++) {
      const upper = grid[above * columns + x] as number;
      mixed[x] = upper + ((grid[below * columns + x] as number) - upper) * part;
    }
    mixed[columns] = mixed[columns - 1] as number;
    const step = 65_536 / every;
    const limit = (columns - 1) * 65_536;
    for (let x = 0, at = step / 2 - 32_768; x < count; x++, at = (at + step) | 0) {
      const kept = at < 0 ? 0 : at > limit ? limit : at;
      const value = mixed[kept >> 16] as number;
      line[x] = value + (Math.imul((mixed[(kept >> 16) + 1] as number) - value, (kept >> 8) & 255) >> 8);
    }
    return line;
  }

  return (planes, strength) => {
    gather(planes, grids, { columns, rows, cell, strength });
    for (const grid of [grids.y, grids.u, grids.v]) {
      for (let pass = 0; pass < 2; pass++) blur(grid, spare, { columns, rows, radius });
    }
    return {
      brightnessRow: (row) => readRow(grids.y, row, width, cell),
      colorRow: (name, row) => readRow(grids[name], row, width >> 1, cell / 2),
    };
  };
}

function gather(
  { width, height, y, u, v }: Planes,
  grids: Readonly<Record<'y' | 'u' | 'v', Float32Array>>,
  {
    columns,
    rows,
    cell,
    strength,
  }: { readonly columns: number; readonly rows: number; readonly cell: number; readonly strength: number },
): void {
  const stride = cell >> 2;
  const halfWidth = width >> 1;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      let sum = 0;
      let count = 0;
      for (let down = row * cell + 1; down < Math.min(height, (row + 1) * cell); down += stride) {
        for (
          let across = column * cell + 1;
          across < Math.min(width, (column + 1) * cell);
          across += stride
        ) {
          const value = (y[down * width + across] as number) - THRESHOLD;
          if (value > 0) sum += value;
          count++;
        }
      }
      const at = row * columns + column;
      const light = (sum / Math.max(1, count)) * strength;
      grids.y[at] = light;
      const place =
        Math.min((height >> 1) - 1, row * (cell / 2) + 2) * halfWidth +
        Math.min(halfWidth - 1, column * (cell / 2) + 2);
      grids.u[at] = (u[place] as number) * light * (0.008 / UNIT);
      grids.v[at] = (v[place] as number) * light * (0.008 / UNIT);
    }
  }
}

interface BlurShape {
  readonly columns: number;
  readonly rows: number;
  readonly radius: number;
}

/** A running mean along the rows, then down the columns. */
function blur(grid: Float32Array, spare: Float32Array, { columns, rows, radius }: BlurShape): void {
  for (let row = 0; row < rows; row++) {
    runningMean(grid, spare, { start: row * columns, step: 1, count: columns, radius });
  }
  for (let column = 0; column < columns; column++) {
    runningMean(spare, grid, { start: column, step: columns, count: rows, radius });
  }
}

interface Line {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly radius: number;
}

/** The mean of `radius` values to either side, with the outermost ones repeated. */
export function runningMean(
  from: Float32Array,
  to: Float32Array,
  { start, step, count, radius }: Line,
): void {
  const last = start + (count - 1) * step;
  const reach = radius * step;
  const part = 1 / (2 * radius + 1);
  let sum = (from[start] as number) * (radius + 1);
  for (let ahead = 1; ahead <= radius; ahead++) sum += from[Math.min(last, start + ahead * step)] as number;
  for (let at = start; at <= last; at += step) {
    to[at] = sum * part;
    const enters = at + reach + step;
    const leaves = at - reach;
    sum +=
      (from[enters < last ? enters : last] as number) - (from[leaves > start ? leaves : start] as number);
  }
}
