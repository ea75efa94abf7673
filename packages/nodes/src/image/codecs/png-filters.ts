import { bytesFromFloats } from '../resize/bytes.ts';
import { compileVectorFunction, vectorFloats } from '../simd/vector-memory.ts';
import {
  advance,
  and,
  averageBytes,
  type Code,
  get,
  lessUnsigned,
  load,
  repeat,
  splatByte,
  store,
  subBytes,
  xor,
} from '../simd/wasm-code.ts';

/** The PNG filters that are worth their time: Paeth costs six times as much and saves one in two hundred bytes. */
const FILTERS = [1, 2, 3] as const;
type Filter = (typeof FILTERS)[number];

/** Rows that share the filter that is best for the first of them. */
const BAND = 16;
/** Bytes that are filtered at once. */
const VECTOR = 16;
const ADLER_MODULUS = 65521;
/** Bytes that can be added before the sum must be reduced. */
const ADLER_RUN = 5552;

export interface ScanlineOptions {
  /** Bytes of a row, and of one pixel. */
  readonly rowBytes: number;
  readonly pixelBytes: number;
  readonly height: number;
  /** The pixels as floats, or a function that writes a row of bytes. */
  readonly source: Float32Array | ((y: number, row: Uint8Array<ArrayBuffer>) => void);
  readonly checkpoint: () => void;
}

/** Whole rows for the compressor, each after its filter byte. */
export interface FilteredPiece {
  readonly bytes: Uint8Array<ArrayBuffer>;
  /** Most pixels equal their neighbors, as in drawings and masks. */
  readonly plain: boolean;
}

/** Filters all rows into `target`, and passes on pieces of `pieceRows` rows as soon as they are done. Returns the checksum. */
export function filterRows(
  target: Uint8Array<ArrayBuffer>,
  { rowBytes, pixelBytes, height, source, checkpoint }: ScanlineOptions,
  pieceRows: number,
  onPiece: (piece: FilteredPiece) => void,
): number {
  // The pixels left of a row and above the first row are 0.
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

/** What a filter expects of a byte, given the bytes to its left and above it. */
const EXPECTED: Readonly<Record<Filter, (left: Code, above: Code) => Code>> = {
  1: (left) => left,
  2: (_left, above) => above,
  // Rounded down.
  3: (left, above) => subBytes(averageBytes(left, above), and(xor(left, above), splatByte(1))),
};

/** Addresses: the row and its end, the bytes to its left, the row above, and the filtered row. Sixteen bytes at a time. */
const differences = (filter: Filter) =>
  compileVectorFunction(() => {
    const [row, end, left, above, target] = [0, 1, 2, 3, 4];
    const expected = EXPECTED[filter](load(get(left)), load(get(above)));
    const body: Code = [
      ...store(get(target), subBytes(load(get(row)), expected)),
      ...advance(VECTOR, row, left, above, target),
    ];
    return {
      params: ['i32', 'i32', 'i32', 'i32', 'i32'],
      locals: [],
      body: repeat(body, lessUnsigned(get(row), get(end))),
    };
  });
const FILTERED = { 1: differences(1), 2: differences(2), 3: differences(3) };

/** Writes the number of the filter and the filtered row. A loop over bytes takes ten times as long. */
function filterRow(
  filter: Filter,
  row: Uint8Array,
  above: Uint8Array,
  line: Uint8Array,
  pixelBytes: number,
): void {
  const room = row.length + VECTOR;
  const bytes = new Uint8Array(vectorFloats(room).buffer);
  bytes.set(row);
  bytes.set(above, room);
  const { length: end } = row;
  FILTERED[filter](pixelBytes, end, 0, room + pixelBytes, room * 2);
  line[0] = filter;
  line.set(bytes.subarray(room * 2, room * 2 + end - pixelBytes), 1);
}

/** The filter whose values are closest to 0. */
function cheapest(row: Uint8Array, above: Uint8Array, line: Uint8Array, pixelBytes: number): Filter {
  const costs = FILTERS.map((filter) => {
    filterRow(filter, row, above, line, pixelBytes);
    return distance(line);
  });
  return FILTERS[costs.indexOf(Math.min(...costs))] ?? 1;
}

function distance(line: Uint8Array): number {
  let sum = 0;
  for (let at = 1; at < line.length; at++) sum = (sum + Math.abs(((line[at] as number) << 24) >> 24)) | 0;
  return sum;
}

/** The checksum of RFC 1950, continued from an earlier one. */
function adler32(before: number, bytes: Uint8Array): number {
  let low = before & 0xffff;
  let high = before >>> 16;
  for (let from = 0; from < bytes.length; from += ADLER_RUN) {
    const to = Math.min(bytes.length, from + ADLER_RUN);
    // 32-bit integers take a sixth of the time.
    for (let at = from; at < to; at++) {
      low = (low + (bytes[at] as number)) | 0;
      high = (high + low) | 0;
    }
    low = (low >>> 0) % ADLER_MODULUS;
    high = (high >>> 0) % ADLER_MODULUS;
  }
  return ((high << 16) | low) >>> 0;
}
