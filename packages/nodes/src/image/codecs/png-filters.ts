import { openPngRows, type PngRows } from './png-kernels.ts';

/** PNG's filters that are worth their time: Paeth costs six times as much and saves one in two hundred bytes. */
const FILTERS = [1, 2, 3] as const;
type Filter = (typeof FILTERS)[number];

/** One filter serves this many rows; which one is found out on the first of them. */
const BAND = 16;

export interface ScanlineOptions {
  /** Bytes of a row, and of one pixel. */
  readonly rowBytes: number;
  readonly pixelBytes: number;
  readonly height: number;
  /** The pixels as floats that become bytes; or what writes a row of bytes. */
  readonly source: Float32Array | ((y: number, row: Uint8Array<ArrayBuffer>) => void);
  readonly checkpoint: () => void;
}

/** Some whole rows, each with its filter byte before it, as the compressor takes them. */
export interface FilteredPiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Most of it is the same as its neighbors: drawings, masks, plain color. */
  readonly plain: boolean;
}

/**
 * Filters all rows into `target` from top to bottom, and hands on every piece of so many rows as soon as it is done. Gives the
 * checksum of the whole.
 */
export function filterRows(
  target: Uint8Array<ArrayBuffer>,
  options: ScanlineOptions,
  pieceRows: number,
  onPiece: (piece: FilteredPiece) => void,
): number {
  const { rowBytes, pixelBytes, height, checkpoint } = options;
  const rows = openPngRows(rowBytes, pixelBytes);
  let filter: Filter = 1;
  let sum = 1;
  for (let top = 0; top < height; top += pieceRows) {
    const bottom = Math.min(height, top + pieceRows);
    const bytes = target.subarray(top * (rowBytes + 1), bottom * (rowBytes + 1));
    let zeros = 0;
    let sampled = 0;
    for (let y = top; y < bottom; y++) {
      readRow(rows, y, options);
      if (y % BAND === 0 || y === top) {
        checkpoint();
        filter = cheapest(rows);
        zeros += rows.countZeros(filter);
        sampled += rowBytes;
      }
      sum = rows.filterInto(filter, bytes, (y - top) * (rowBytes + 1), sum);
    }
    onPiece({ bytes, plain: zeros * 2 > sampled });
  }
  return sum;
}

function readRow(rows: PngRows, y: number, { source, rowBytes }: ScanlineOptions): void {
  if (typeof source === 'function') rows.read((row) => source(y, row));
  else rows.readFloats(source.subarray(y * rowBytes, (y + 1) * rowBytes));
}

function cheapest(rows: PngRows): Filter {
  let best: Filter = 1;
  let least = Number.POSITIVE_INFINITY;
  for (const filter of FILTERS) {
    const cost = rows.costOf(filter);
    if (cost >= least) continue;
    least = cost;
    best = filter;
  }
  return best;
}
