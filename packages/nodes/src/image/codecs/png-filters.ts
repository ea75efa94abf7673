/** PNG's filters that are worth their time: Paeth costs six times as much and saves one in two hundred bytes. */
type Filter = typeof SUB | typeof UP | typeof AVERAGE;

const SUB = 1;
const UP = 2;
const AVERAGE = 3;
const FILTERS: readonly Filter[] = [SUB, UP, AVERAGE];

/** One filter serves this many rows; which one is found out on the first of them. */
const BAND = 16;

export interface Scanlines {
  /** Every row with its filter byte before it, as the compressor takes it. */
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Most of it is the same as its neighbours: drawings, masks, plain colour. */
  readonly plain: boolean;
}

export interface ScanlineOptions {
  /** Bytes of a row, and of one pixel. */
  readonly rowBytes: number;
  readonly pixelBytes: number;
  readonly height: number;
  /** Writes a row of the picture. */
  readonly readRow: (y: number, row: Uint8Array<ArrayBuffer>) => void;
  readonly checkpoint: () => void;
}

export function filterScanlines(target: Uint8Array<ArrayBuffer>, options: ScanlineOptions): Scanlines {
  const { rowBytes, pixelBytes, height, readRow, checkpoint } = options;
  let row = new Uint8Array(rowBytes);
  let above = new Uint8Array(rowBytes);
  let filter: Filter = SUB;
  let sampled = 0;
  let same = 0;
  for (let y = 0, at = 0; y < height; y++, at += rowBytes + 1) {
    readRow(y, row);
    if (y % BAND === 0) {
      checkpoint();
      filter = cheapest(row, above, pixelBytes);
    }
    target[at] = filter;
    filterRow(filter, row, above, pixelBytes, target, at + 1);
    if (y % BAND === 0) {
      same += countZeros(target, at + 1, rowBytes);
      sampled += rowBytes;
    }
    [row, above] = [above, row];
  }
  return { bytes: target, plain: same * 2 > sampled };
}

function cheapest(row: Uint8Array, above: Uint8Array, pixelBytes: number): Filter {
  let best: Filter = SUB;
  let least = Number.POSITIVE_INFINITY;
  const filtered = new Uint8Array(row.length);
  for (const filter of FILTERS) {
    filterRow(filter, row, above, pixelBytes, filtered, 0);
    const cost = costOf(filtered);
    if (cost < least) {
      least = cost;
      best = filter;
    }
  }
  return best;
}

/** The sum of how far the values are from 0, either way. */
function costOf(filtered: Uint8Array): number {
  let cost = 0;
  for (let index = 0; index < filtered.length; index++) {
    const value = filtered[index] ?? 0;
    cost += value < 128 ? value : 256 - value;
  }
  return cost;
}

function countZeros(bytes: Uint8Array, from: number, length: number): number {
  let zeros = 0;
  for (let index = from; index < from + length; index++) if (bytes[index] === 0) zeros++;
  return zeros;
}

function filterRow(
  filter: Filter,
  row: Uint8Array,
  above: Uint8Array,
  pixelBytes: number,
  target: Uint8Array,
  at: number,
): void {
  const length = row.length;
  const first = Math.min(pixelBytes, length);
  if (filter === UP) {
    for (let index = 0; index < length; index++) target[at + index] = (row[index] ?? 0) - (above[index] ?? 0);
    return;
  }
  if (filter === SUB) {
    for (let index = 0; index < first; index++) target[at + index] = row[index] ?? 0;
    for (let index = first; index < length; index++) {
      target[at + index] = (row[index] ?? 0) - (row[index - pixelBytes] ?? 0);
    }
    return;
  }
  for (let index = 0; index < first; index++)
    target[at + index] = (row[index] ?? 0) - ((above[index] ?? 0) >> 1);
  for (let index = first; index < length; index++) {
    const left = row[index - pixelBytes] ?? 0;
    target[at + index] = (row[index] ?? 0) - ((left + (above[index] ?? 0)) >> 1);
  }
}
