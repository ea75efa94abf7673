import { readFileSync } from 'node:fs';

/** The functions of png-kernels.c; addresses are bytes from the start of their memory. */
interface PngKernels {
  bytesFromFloats(source: number, target: number, length: number): void;
  filterRow(filter: number, row: number, above: number, target: number, length: number, pixel: number): void;
  costOf(filtered: number, length: number): number;
  adler32(before: number, bytes: number, length: number): number;
}

/** Two rows of a picture, the one that is read and the one above it, and what filters make of them. */
export interface PngRows {
  /** The next row; the present one becomes the one above. */
  read(write: (row: Uint8Array<ArrayBuffer>) => void): void;
  readFloats(values: Float32Array): void;
  /** How much is left of the row by this filter. */
  costOf(filter: number): number;
  countZeros(filter: number): number;
  /** Writes the filter's number and the filtered row; gives the checksum with them. */
  filterInto(filter: number, target: Uint8Array, at: number, sum: number): number;
}

const PAGE = 65536;
/** Vectors reach so far beyond a row, to both sides. */
const ROOM = 16;

/** One for each thread: rows are worked through without a pause, so that nobody comes between. */
let memory: WebAssembly.Memory | undefined;
let kernels: PngKernels | undefined;

export function openPngRows(rowBytes: number, pixelBytes: number): PngRows {
  const stride = Math.ceil(rowBytes / ROOM) * ROOM + 2 * ROOM;
  const [rowA, rowB, line, floats] = [ROOM, ROOM + stride, 2 * ROOM + 2 * stride, 3 * ROOM + 3 * stride];
  const { bytes, work } = openMemory(floats + 4 * stride);
  bytes.fill(0, 0, line);
  // The filter's number stands before the row it was used on.
  const filtered = line + 1;
  let row = rowA;
  let above = rowB;
  const filter = (kind: number): void => work.filterRow(kind, row, above, filtered, rowBytes, pixelBytes);
  const turn = (): void => {
    [row, above] = [above, row];
  };
  return {
    read(write) {
      turn();
      write(bytes.subarray(row, row + rowBytes));
    },
    readFloats(values) {
      turn();
      new Float32Array(bytes.buffer, floats, values.length).set(values);
      work.bytesFromFloats(floats, row, rowBytes);
    },
    costOf(kind) {
      filter(kind);
      return work.costOf(filtered, rowBytes);
    },
    countZeros(kind) {
      filter(kind);
      let zeros = 0;
      for (let at = filtered; at < filtered + rowBytes; at++) if (bytes[at] === 0) zeros++;
      return zeros;
    },
    filterInto(kind, target, at, sum) {
      filter(kind);
      bytes[line] = kind;
      target.set(bytes.subarray(line, filtered + rowBytes), at);
      return work.adler32(sum, line, rowBytes + 1) >>> 0;
    },
  };
}

function openMemory(byteLength: number): { bytes: Uint8Array<ArrayBuffer>; work: PngKernels } {
  memory ??= new WebAssembly.Memory({ initial: 4 });
  kernels ??= new WebAssembly.Instance(
    new WebAssembly.Module(readFileSync(new URL('./png-kernels.wasm', import.meta.url))),
    { env: { memory } },
  ).exports as unknown as PngKernels;
  const missing = Math.ceil((byteLength - memory.buffer.byteLength) / PAGE);
  if (missing > 0) memory.grow(missing);
  return { bytes: new Uint8Array(memory.buffer), work: kernels };
}
