import type { Memory } from '@atelier/engine';
import {
  highs,
  layOut,
  lows,
  openWorkspace,
  placeTaps,
  type Workspace,
  writeTaps,
} from './pillow-kernels.ts';
import { type PillowFilter, pillowTaps, type Taps } from './pillow-taps.ts';

export type { PillowFilter } from './pillow-taps.ts';

export interface PixelSize {
  readonly width: number;
  readonly height: number;
}

export interface BytesShape extends PixelSize {
  readonly channels: number;
}

export interface ResizeTools {
  readonly memory: Memory;
  /** Called every few rows; throws when the job was cancelled. */
  readonly checkpoint: () => void;
}

/** Pillow's `resize` with LANCZOS, of one 8-bit picture: 1 channel (L), 3 (RGB) or 4 (RGBA, averaged premultiplied). */
export function lanczosBytes(
  bytes: Uint8Array,
  shape: BytesShape,
  size: PixelSize,
  tools: ResizeTools,
): Uint8Array<ArrayBuffer> {
  return pillowBytes(bytes, shape, { ...size, filter: 'lanczos' }, tools);
}

/** Pillow's `resize` of one 8-bit picture with any of its averaging filters. */
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

/** One picture through 8 bits (floats are cut off, not rounded), resized with LANCZOS, and back to floats in `target`. */
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
 * Both passes, row by row: rows are read once, in order, and only those the next row of the result needs are kept.
 * There is a byte between the passes, and a pass whose dimension stays is left out.
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
  const keptLength = (downFirst ? width : size.width) * channels;
  const madeLength = size.width * channels;
  const { place, total } = layOut();
  const floatRow = place(Math.max(width, size.width) * channels * 4 + 64);
  const row = place(width * channels);
  const slotLength = Math.ceil(keptLength / 16) * 16 + 16;
  const ring = place(slots * slotLength);
  const mixed = place(keptLength);
  const made = place(madeLength);
  const table = place(slots * 16 + 16);
  const packed = across && placeTaps(across, place);
  const work = openWorkspace(total());
  const { kernels, bytes, floats } = work;
  if (across && packed) writeTaps(work, across, packed);
  const horizontal =
    channels === 3 ? kernels.horizontal3 : channels === 4 ? kernels.horizontal4 : kernels.horizontal1;
  const passAcross = (from: number, to: number): void => {
    if (packed)
      horizontal(from, to, packed.starts, packed.pairs, packed.highs, packed.lows, packed.stride, size.width);
  };
  let read = 0;
  for (let y = 0; y < size.height; y++) {
    const end = down ? (down.starts[y] ?? 0) + (down.counts[y] ?? 0) : y + 1;
    for (; read < end; read++) {
      if ((read & 31) === 0) checkpoint();
      const slot = ring + (read % slots) * slotLength;
      const landing = across && !downFirst ? row : slot;
      readRow(source, read * width * channels, width * channels, work, floatRow, landing);
      if (premultiplied) premultiply(bytes.subarray(landing, landing + width * channels));
      if (across && !downFirst) passAcross(row, slot);
    }
    if ((y & 31) === 0) checkpoint();
    let result = ring;
    if (down) {
      kernels.vertical(
        mixed,
        table,
        writeTable(work, table, down, y, { ring, slots, slotLength }),
        keptLength,
      );
      result = mixed;
    }
    if (across && downFirst) {
      passAcross(mixed, made);
      result = made;
    }
    if (premultiplied) unpremultiply(bytes.subarray(result, result + madeLength));
    if (target instanceof Float32Array) {
      kernels.floatsFromBytes(result, floatRow, madeLength);
      target.set(floats.subarray(floatRow / 4, floatRow / 4 + madeLength), y * madeLength);
    } else target.set(bytes.subarray(result, result + madeLength), y * madeLength);
  }
}

function readRow(
  source: Uint8Array | Float32Array,
  from: number,
  length: number,
  { kernels, bytes, floats }: Workspace,
  floatRow: number,
  place: number,
): void {
  if (source instanceof Float32Array) {
    floats.set(source.subarray(from, from + length), floatRow / 4);
    kernels.bytesFromFloats(floatRow, place, length);
  } else bytes.set(source.subarray(from, from + length), place);
}

/** Writes where the rows of one row of the result are, two by two, and their weights; gives how many pairs there are. */
function writeTable(
  { ints }: Workspace,
  table: number,
  { starts, counts, weights, stride }: Taps,
  y: number,
  { ring, slots, slotLength }: { readonly ring: number; readonly slots: number; readonly slotLength: number },
): number {
  const start = starts[y] ?? 0;
  const count = counts[y] ?? 0;
  const address = (tap: number): number => ring + ((start + Math.min(tap, count - 1)) % slots) * slotLength;
  const weight = (tap: number): number => (tap < count ? (weights[y * stride + tap] ?? 0) : 0);
  for (let tap = 0; tap < count; tap += 2) {
    const at = table / 4 + tap * 2;
    ints[at] = address(tap);
    ints[at + 1] = address(tap + 1);
    ints[at + 2] = highs(weight(tap), weight(tap + 1));
    ints[at + 3] = lows(weight(tap), weight(tap + 1));
  }
  return Math.ceil(count / 2);
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
