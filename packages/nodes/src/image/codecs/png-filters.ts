import { bytesFromFloats } from '../resize/bytes.ts';

/** PNG's filters that are worth their time: Paeth costs six times as much and saves one in two hundred bytes. */
const FILTERS = [1, 2, 3] as const;
type Filter = (typeof FILTERS)[number];

/** One filter serves this many rows; which one is found out on the first of them. */
const BAND = 16;
const ADLER_MODULUS = 65521;
/** So many bytes can be added before the sum has to be reduced. */
const ADLER_RUN = 5552;

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
  { rowBytes, pixelBytes, height, source, checkpoint }: ScanlineOptions,
  pieceRows: number,
  onPiece: (piece: FilteredPiece) => void,
): number {
  // What lies left of a row and above the first one is 0.
  let row = new Uint8Array(pixelBytes + rowBytes);
  let above = new Uint8Array(pixelBytes + rowBytes);
  const lineBytes = rowBytes + 1;
  let filter: Filter = 1;
  let sum = 1;
  for (let top = 0; top < height; top += pieceRows) {
    const bottom = Math.min(height, top + pieceRows);
    const bytes = target.subarray(top * lineBytes, bottom * lineBytes);
    let zeros = 0;
    let sampled = 0;
    for (let y = top; y < bottom; y++) {
      [row, above] = [above, row];
      const values = row.subarray(pixelBytes);
      if (typeof source === 'function') source(y, values);
      else bytesFromFloats(source, y * rowBytes, values);
      const line = bytes.subarray((y - top) * lineBytes, (y - top + 1) * lineBytes);
      const isSample = y % BAND === 0 || y === top;
      if (isSample) {
        checkpoint();
        filter = cheapest(row, above, line, pixelBytes);
      }
      filterRow(filter, row, above, line, pixelBytes);
      if (isSample) {
        for (let at = 1; at < lineBytes; at++) if (line[at] === 0) zeros++;
        sampled += rowBytes;
      }
    }
    sum = adler32(sum, bytes);
    onPiece({ bytes, plain: zeros * 2 > sampled });
  }
  return sum;
}

/** Writes the filter's number and the filtered row. */
function filterRow(
  filter: Filter,
  row: Uint8Array,
  above: Uint8Array,
  line: Uint8Array,
  pixelBytes: number,
): void {
  line[0] = filter;
  const end = row.length;
  if (filter === 1) {
    for (let at = pixelBytes, to = 1; at < end; at++, to++)
      line[to] = (row[at] as number) - (row[at - pixelBytes] as number);
  } else if (filter === 2) {
    for (let at = pixelBytes, to = 1; at < end; at++, to++)
      line[to] = (row[at] as number) - (above[at] as number);
  } else {
    for (let at = pixelBytes, to = 1; at < end; at++, to++)
      line[to] = (row[at] as number) - (((row[at - pixelBytes] as number) + (above[at] as number)) >> 1);
  }
}

/** The filter that leaves the values nearest to 0, either way. */
function cheapest(row: Uint8Array, above: Uint8Array, line: Uint8Array, pixelBytes: number): Filter {
  const costs = FILTERS.map((filter) => {
    filterRow(filter, row, above, line, pixelBytes);
    let cost = 0;
    for (let at = 1; at < line.length; at++) cost += Math.abs(((line[at] as number) << 24) >> 24);
    return cost;
  });
  return FILTERS[costs.indexOf(Math.min(...costs))] ?? 1;
}

/** RFC 1950's checksum, going on from an earlier one. */
function adler32(before: number, bytes: Uint8Array): number {
  let low = before & 0xffff;
  let high = before >>> 16;
  for (let from = 0; from < bytes.length; from += ADLER_RUN) {
    const to = Math.min(bytes.length, from + ADLER_RUN);
    // In 32-bit integers, which takes a sixth of the time.
    for (let at = from; at < to; at++) {
      low = (low + (bytes[at] as number)) | 0;
      high = (high + low) | 0;
    }
    low = (low >>> 0) % ADLER_MODULUS;
    high = (high >>> 0) % ADLER_MODULUS;
  }
  return ((high << 16) | low) >>> 0;
}
