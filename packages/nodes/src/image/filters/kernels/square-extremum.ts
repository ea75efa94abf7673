import type { BytesShape } from '../../resize/pillow-resize.ts';

export type Extremum = 'least' | 'greatest';

/** The number of floats to work on at once, so that they stay in the cache. */
const CACHED = 1 << 17;

/** `count` groups of `unit` floats that lie `step` apart. */
interface Line {
  readonly start: number;
  readonly step: number;
  readonly count: number;
  readonly unit: number;
}

/**
 * The least or greatest value in a square window around each pixel, per channel. The window starts `size >> 1` before the
 * pixel, and pixels outside are ignored. `target` may be `source`.
 */
export function squareExtremum(
  source: Float32Array,
  target: Float32Array,
  { height, width, channels }: BytesShape,
  {
    kind,
    size,
    checkpoint,
  }: { readonly kind: Extremum; readonly size: number; readonly checkpoint: () => void },
): void {
  const row = width * channels;
  const strip = Math.min(row, Math.max(16, Math.floor(CACHED / (height + size - 1))));
  const floats = new Float32Array(Math.max((width + size - 1) * channels, (height + size - 1) * strip));
  for (let y = 0; y < height; y++) {
    const line = { start: y * row, step: channels, count: width, unit: channels };
    lineExtremum(source, target, line, floats, kind, size);
    if ((y & 15) === 0) checkpoint();
  }
  for (let left = 0; left < row; left += strip) {
    const line = { start: left, step: row, count: height, unit: Math.min(strip, row - left) };
    lineExtremum(target, target, line, floats, kind, size);
    checkpoint();
  }
}

/** Windows of 1, 2, 4… are folded into each other, so a window of 999 takes ten passes over cached floats. */
function lineExtremum(
  source: Float32Array,
  target: Float32Array,
  { start, step, count, unit }: Line,
  floats: Float32Array,
  kind: Extremum,
  size: number,
): void {
  const length = (count + size - 1) * unit;
  const margin = (size >> 1) * unit;
  floats.fill(kind === 'least' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY, 0, length);
  for (let item = 0, to = margin; item < count; item++) {
    for (let from = start + item * step, end = from + unit; from < end; from++, to++)
      floats[to] = source[from] as number;
  }
  for (let folded = 1, next = 1; folded < size; folded = next) {
    next = Math.min(size, folded * 2);
    const shift = (next - folded) * unit;
    if (kind === 'least') {
      for (let at = 0; at < length - shift; at++)
        floats[at] = Math.min(floats[at] as number, floats[at + shift] as number);
    } else {
      for (let at = 0; at < length - shift; at++)
        floats[at] = Math.max(floats[at] as number, floats[at + shift] as number);
    }
  }
  for (let item = 0, from = 0; item < count; item++) {
    for (let to = start + item * step, end = to + unit; to < end; from++, to++)
      target[to] = floats[from] as number;
  }
}
