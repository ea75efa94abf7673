import { bytesFromFloats } from '../../image/resize/bytes.ts';
import type { PixelSize as PictureSize } from '../../image/resize/pillow-resize.ts';

/** One plane of a decoded picture; rows are `stride` elements apart. */
export interface Plane<T> {
  readonly data: T;
  readonly stride: number;
}

/** Quarter turns counterclockwise. */
export type Turns = 0 | 1 | 2 | 3;

/** How a turned picture is read: the first element, and the steps to the next row and column. */
function walk({ width, height }: PictureSize, turns: Turns, stride: number, step: number) {
  const lastColumn = (width - 1) * step;
  const lastRow = (height - 1) * stride;
  switch (turns) {
    case 0:
      return { rows: height, columns: width, start: 0, rowStep: stride, columnStep: step };
    case 1:
      return { rows: width, columns: height, start: lastColumn, rowStep: -step, columnStep: stride };
    case 2:
      return {
        rows: height,
        columns: width,
        start: lastRow + lastColumn,
        rowStep: -stride,
        columnStep: -step,
      };
    case 3:
      return { rows: width, columns: height, start: lastRow, rowStep: step, columnStep: -stride };
  }
}

/**
 * Calls `copy` with the positions to read and write for each pixel of the turned picture; a source pixel has `step` elements.
 */
function eachTurned(
  { size, turns }: TurnedSize,
  { stride, step }: { readonly stride: number; readonly step: number },
  copy: (from: number, to: number) => void,
): void {
  const { rows, columns, start, rowStep, columnStep } = walk(size, turns, stride, step);
  for (let row = 0, to = 0; row < rows; row += 1) {
    for (
      let column = 0, from = start + row * rowStep;
      column < columns;
      column += 1, from += columnStep, to += 3
    )
      copy(from, to);
  }
}

export interface TurnedSize {
  readonly size: PictureSize;
  readonly turns: Turns;
}

/** Interleaves planes of floats as RGB. `target` has three elements for each pixel. */
export function interleaveFloats(
  { red, green, blue }: Readonly<Record<'red' | 'green' | 'blue', Float32Array>>,
  stride: number,
  target: Float32Array,
  shown: TurnedSize,
): void {
  eachTurned(shown, { stride, step: 1 }, (from, to) => {
    target[to] = red[from] as number;
    target[to + 1] = green[from] as number;
    target[to + 2] = blue[from] as number;
  });
}

/** Converts packed 8-bit RGB to 0 to 1. */
export function spreadBytes(
  { data, stride }: Plane<Uint8Array>,
  target: Float32Array,
  shown: TurnedSize,
): void {
  eachTurned(shown, { stride, step: 3 }, (from, to) => {
    for (let channel = 0; channel < 3; channel += 1)
      target[to + channel] = (data[from + channel] as number) / 255;
  });
}

export interface PackOptions {
  readonly channels: number;
  readonly wanted: 3 | 4;
  readonly scale: 255 | 65535;
}

/**
 * Writes a picture as truncated integers with full scale `scale`. The picture has `channels`, and `wanted` are written:
 * missing alpha is opaque, and gray fills all three colors.
 */
export function packPicture(
  source: Float32Array,
  { data, stride }: Plane<Uint8Array | Uint16Array>,
  options: PictureSize & PackOptions,
): void {
  const { width, height, channels, wanted } = options;
  if (channels !== wanted || data instanceof Uint16Array) {
    spreadChannels(source, data, stride, options);
    return;
  }
  const length = width * channels;
  for (let row = 0; row < height; row += 1)
    bytesFromFloats(source, row * length, data.subarray(row * stride, row * stride + length));
}

/** NaN is stored as 0. */
function spreadChannels(
  source: Float32Array,
  data: Uint8Array | Uint16Array,
  stride: number,
  { width, height, channels, wanted, scale }: PictureSize & PackOptions,
): void {
  for (let row = 0, at = 0; row < height; row += 1) {
    for (let column = 0, out = row * stride; column < width; column += 1, at += channels, out += wanted) {
      for (let channel = 0; channel < wanted; channel += 1) {
        const from = channels < 3 && channel < 3 ? 0 : channel;
        const value = from < channels ? Math.fround((source[at + from] as number) * scale) : scale;
        data[out + channel] = Math.max(0, Math.min(scale, value));
      }
    }
  }
}
