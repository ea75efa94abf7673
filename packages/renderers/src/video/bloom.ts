import { type Planes, UNIT } from './planes.ts';

/** Light that shines over the edges of what is bright. It is found and blurred on a grid and read row by row. */
export interface Bloom {
  /** Finds it in the planes. */
  gather(strength: number): void;
  /** Fills a row of pixels, and gives its address. */
  brightnessRow(row: number): number;
  colorRow(name: 'u' | 'v', row: number): number;
}

const THRESHOLD = 170 * UNIT;

export function createBloom(planes: Planes): Bloom {
  const { width, height, memory } = planes;
  // Large pictures need no finer a grid.
  const cell = width * height > 1e6 / 2 ? 16 : 8;
  const columns = Math.ceil(width / cell);
  const rows = Math.ceil(height / cell);
  const grids = {
    y: memory.floats(columns * rows),
    u: memory.floats(columns * rows),
    v: memory.floats(columns * rows),
  };
  const spare = new Float32Array(columns * rows);
  const { byteOffset: line } = memory.shorts(width);
  const radius = Math.max(1, Math.round(columns / 40));

  function readRow(grid: Float32Array, row: number, count: number, every: number): number {
    const place = Math.min(rows - 1, Math.max(0, (row + 0.5) / every - 0.5));
    const above = Math.floor(place);
    const below = Math.min(rows - 1, above + 1);
    const from = grid.byteOffset;
    memory.kernels.glowRow(
      from + above * columns * 4,
      from + below * columns * 4,
      place - above,
      line,
      columns,
      count,
      every,
    );
    return line;
  }

  return {
    gather(strength) {
      gather(planes, grids, { columns, rows, cell, strength });
      for (const grid of [grids.y, grids.u, grids.v]) {
        for (let pass = 0; pass < 2; pass++) blur(grid, spare, { columns, rows, radius });
      }
    },
    brightnessRow: (row) => readRow(grids.y, row, width, cell),
    colorRow: (name, row) => readRow(grids[name], row, width >> 1, cell / 2),
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
