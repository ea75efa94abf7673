import type { BytesShape, PixelSize, ResizeTools } from './pillow-resize.ts';

/** The means over the windows of PyTorch's adaptive average pooling. Enlarging repeats pixels or mixes neighbors. */
export function areaAverage(
  source: Float32Array,
  { width, height, channels }: BytesShape,
  target: Float32Array,
  size: PixelSize,
  { checkpoint }: ResizeTools,
): void {
  const across = windows(width, size.width);
  const sums = new Float64Array(size.width * channels);
  for (let y = 0; y < size.height; y++) {
    if ((y & 15) === 0) checkpoint();
    const top = windowStart(y, height, size.height);
    const bottom = windowEnd(y, height, size.height);
    sums.fill(0);
    for (let row = top; row < bottom; row++) {
      if ((row & 63) === 63) checkpoint();
      addRow(source, row * width * channels, sums, across, channels);
    }
    writeMeans(sums, target, y * sums.length, across, bottom - top, channels);
  }
}

function windowStart(position: number, inSize: number, outSize: number): number {
  return Math.floor((position * inSize) / outSize);
}

function windowEnd(position: number, inSize: number, outSize: number): number {
  return Math.ceil(((position + 1) * inSize) / outSize);
}

/** Start and end of each window, one after the other. */
function windows(inSize: number, outSize: number): Int32Array {
  const bounds = new Int32Array(outSize * 2);
  for (let position = 0; position < outSize; position++) {
    bounds[position * 2] = windowStart(position, inSize, outSize);
    bounds[position * 2 + 1] = windowEnd(position, inSize, outSize);
  }
  return bounds;
}

function addRow(
  source: Float32Array,
  from: number,
  sums: Float64Array,
  across: Int32Array,
  channels: number,
): void {
  for (let bound = 0, to = 0; bound < across.length; bound += 2) {
    const end = from + (across[bound + 1] ?? 0) * channels;
    for (let channel = 0; channel < channels; channel++, to++) {
      let sum = 0;
      for (let index = from + (across[bound] ?? 0) * channels + channel; index < end; index += channels) {
        sum += source[index] ?? 0;
      }
      sums[to] = (sums[to] ?? 0) + sum;
    }
  }
}

function writeMeans(
  sums: Float64Array,
  target: Float32Array,
  to: number,
  across: Int32Array,
  rows: number,
  channels: number,
): void {
  for (let bound = 0, from = 0; bound < across.length; bound += 2) {
    const count = rows * ((across[bound + 1] ?? 0) - (across[bound] ?? 0));
    for (let channel = 0; channel < channels; channel++, from++)
      target[to + from] = (sums[from] ?? 0) / count;
  }
}
