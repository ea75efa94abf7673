import type { Memory } from '@atelier/engine';
import { vectorFloats } from '../simd/vector-memory.ts';
import { expandBytes, mixAcross, mixDown, truncateFloats } from './pillow-kernels.ts';
import { type PillowFilter, pillowTaps, type Taps } from './pillow-taps.ts';

export type { PillowFilter } from './pillow-taps.ts';

const VECTOR = 16;

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface BytesShape extends PixelSize {
  readonly channels: number;
}

export interface ResizeTools {
  readonly memory: Memory;
  /** Called every few rows; throws if the job was cancelled. */
  readonly checkpoint: () => void;
}

/** Pillow's `resize` of one 8-bit picture: 1 channel (L), 3 (RGB) or 4 (RGBA, averaged premultiplied). */
export function pillowBytes(
  bytes: Uint8Array,
  shape: BytesShape,
  { filter, ...size }: PixelSize & { readonly filter: PillowFilter },
  { memory, checkpoint }: ResizeTools,
): Uint8Array<ArrayBuffer> {
  const target = memory.dirtyBytes(size.width * size.height * shape.channels);
  resample(bytes, shape, target, size, filter, checkpoint);
  return target;
}

/** Resizes a picture with LANCZOS in 8 bits (floats are truncated, not rounded), and writes floats to `target`. */
export function lanczosFloats(
  source: Float32Array | Uint8Array,
  shape: BytesShape,
  target: Float32Array,
  size: PixelSize,
  { checkpoint }: ResizeTools,
): void {
  resample(source, shape, target, size, 'lanczos', checkpoint);
}

/**
 * Both passes, row by row. Rows are read once, in order, and kept while the next row of the result needs them. The intermediate
 * result has 8 bits, and a pass whose dimension stays the same is skipped.
 */
function resample(
  source: Uint8Array | Float32Array,
  { width, height, channels }: BytesShape,
  target: Uint8Array | Float32Array,
  size: PixelSize,
  filter: PillowFilter,
  checkpoint: () => void,
): void {
  const across = size.width === width ? undefined : pillowTaps(width, size.width, filter);
  const down = size.height === height ? undefined : pillowTaps(height, size.height, filter);
  const downFirst = height - size.height > Math.max(0, 2 * (width - size.width));
  const premultiplied = channels === 4 && (across !== undefined || down !== undefined);
  const slots = down ? down.stride : 1;
  const rowLength = width * channels;
  const madeLength = size.width * channels;
  const keptLength = downFirst ? rowLength : madeLength;
  // Addresses, each followed by room for a vector.
  let total = 0;
  const place = (byteLength: number): number => {
    const start = total;
    total += (Math.ceil(byteLength / VECTOR) + 1) * VECTOR;
    return start;
  };
  const floatRow = place(rowLength * 4);
  const row = place(rowLength);
  const slotsAt = Array.from({ length: slots }, () => place(keptLength));
  const mixed = place(keptLength);
  const made = place(madeLength);
  const madeFloats = place(madeLength * 4);
  const rowTable = place(slots * 8);
  const table = place(size.width * 12);
  const weights = place((across?.weights.length ?? 0) * 4);
  const floats = vectorFloats(Math.ceil(total / 4));
  const bytes = new Uint8Array(floats.buffer);
  const ints = new Int32Array(floats.buffer);
  if (across) {
    ints.set(across.weights, weights / 4);
    for (let x = 0; x < size.width; x++) {
      const first = weights + x * across.stride * 4;
      const start = (across.starts[x] as number) * channels;
      ints.set([start, first, first + (across.counts[x] as number) * 4], table / 4 + x * 3);
    }
  }
  const passAcross = (from: number, to: number): void =>
    mixAcross(from, to, table, table + size.width * 12, channels);
  const readRow = (y: number, to: number): void => {
    const values = source.subarray(y * rowLength, (y + 1) * rowLength);
    if (values instanceof Float32Array) {
      floats.set(values, floatRow / 4);
      truncateFloats(floatRow, floatRow + rowLength * 4, to);
    } else bytes.set(values, to);
    if (premultiplied) premultiply(bytes.subarray(to, to + rowLength));
  };
  const passDown = ({ starts, counts, weights: shares, stride }: Taps, y: number): void => {
    const count = counts[y] as number;
    for (let tap = 0; tap < count; tap++) {
      const slot = slotsAt[((starts[y] as number) + tap) % slots] as number;
      ints.set([slot, shares[y * stride + tap] as number], rowTable / 4 + tap * 2);
    }
    mixDown(mixed, mixed + keptLength, rowTable, rowTable + count * 8);
  };
  let read = 0;
  for (let y = 0; y < size.height; y++) {
    const end = down ? (down.starts[y] as number) + (down.counts[y] as number) : y + 1;
    for (; read < end; read++) {
      if ((read & 31) === 0) checkpoint();
      const slot = slotsAt[read % slots] as number;
      readRow(read, across && !downFirst ? row : slot);
      if (across && !downFirst) passAcross(row, slot);
    }
    if ((y & 31) === 0) checkpoint();
    if (down) passDown(down, y);
    if (across && downFirst) passAcross(mixed, made);
    const from = across && downFirst ? made : down ? mixed : (slotsAt[0] as number);
    const result = bytes.subarray(from, from + madeLength);
    if (premultiplied) unpremultiply(result);
    if (target instanceof Float32Array) {
      expandBytes(from, from + madeLength, madeFloats);
      target.set(floats.subarray(madeFloats / 4, madeFloats / 4 + madeLength), y * madeLength);
    } else target.set(result, y * madeLength);
  }
}

function premultiply(row: Uint8Array): void {
  for (let index = 0; index < row.length; index += 4) {
    const alpha = row[index + 3] ?? 0;
    for (let channel = index; channel < index + 3; channel++) {
      const product = (row[channel] ?? 0) * alpha + 128;
      row[channel] = ((product >> 8) + product) >> 8;
    }
  }
}

function unpremultiply(row: Uint8Array): void {
  for (let index = 0; index < row.length; index += 4) {
    const alpha = row[index + 3] ?? 0;
    if (alpha === 0 || alpha === 255) continue;
    for (let channel = index; channel < index + 3; channel++) {
      row[channel] = Math.min(255, ((255 * (row[channel] ?? 0)) / alpha) | 0);
    }
  }
}
