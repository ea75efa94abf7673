import { type Extremum, foldShifted } from '../../simd/fold-shifted.ts';
import { vectorFloats } from '../../simd/vector-memory.ts';

/** About as many floats as are worked on at once, so that they stay in a cache. */
const CACHED = 1 << 17;

export interface SquareShape {
  readonly height: number;
  readonly width: number;
  readonly channels: number;
}

/**
 * The least or greatest value in a square window around each pixel, per channel; what lies outside is left out. The
 * window begins `size >> 1` before the pixel. Windows of 1, 2, 4… are folded into each other, so an edge of 999 takes
 * ten passes over cached floats. `target` may be `source`.
 */
export function squareExtremum(
  source: Float32Array,
  target: Float32Array,
  shape: SquareShape,
  {
    kind,
    size,
    checkpoint,
  }: { readonly kind: Extremum; readonly size: number; readonly checkpoint: () => void },
): void {
  across(source, target, shape, kind, size, checkpoint);
  down(target, shape, kind, size, checkpoint);
}

function across(
  source: Float32Array,
  target: Float32Array,
  { height, width, channels }: SquareShape,
  kind: Extremum,
  size: number,
  checkpoint: () => void,
): void {
  const row = width * channels;
  const padded = (width + size - 1) * channels;
  const margin = (size >> 1) * channels;
  const rows = Math.max(1, Math.floor(CACHED / padded));
  const floats = vectorFloats(rows * padded + 16);
  for (let first = 0; first < height; first += rows) {
    const count = Math.min(rows, height - first);
    floats.fill(neutral(kind), 0, count * padded);
    for (let y = 0; y < count; y++) {
      const start = (first + y) * row;
      floats.set(source.subarray(start, start + row), y * padded + margin);
    }
    foldWindow(kind, count * padded, channels, size);
    for (let y = 0; y < count; y++) {
      target.set(floats.subarray(y * padded, y * padded + row), (first + y) * row);
    }
    checkpoint();
  }
}

function down(
  target: Float32Array,
  { height, width, channels }: SquareShape,
  kind: Extremum,
  size: number,
  checkpoint: () => void,
): void {
  const row = width * channels;
  const lines = height + size - 1;
  const margin = size >> 1;
  const strip = Math.min(row, Math.max(16, Math.floor(CACHED / lines)));
  const floats = vectorFloats(lines * strip + 16);
  for (let left = 0; left < row; left += strip) {
    const length = Math.min(strip, row - left);
    floats.fill(neutral(kind), 0, lines * length);
    for (let y = 0; y < height; y++) {
      const start = y * row + left;
      floats.set(target.subarray(start, start + length), (y + margin) * length);
    }
    foldWindow(kind, lines * length, length, size);
    for (let y = 0; y < height; y++) {
      target.set(floats.subarray(y * length, (y + 1) * length), y * row + left);
    }
    checkpoint();
  }
}

/** Each of `count` floats becomes the extremum of the `size` that follow it in steps of `unit`, itself included. */
function foldWindow(kind: Extremum, count: number, unit: number, size: number): void {
  let folded = 1;
  for (; folded * 2 <= size; folded *= 2) foldShifted[kind]((count - folded * unit) * 4, folded * unit * 4);
  const rest = size - folded;
  if (rest > 0) foldShifted[kind]((count - rest * unit) * 4, rest * unit * 4);
}

function neutral(kind: Extremum): number {
  return kind === 'least' ? Number.POSITIVE_INFINITY : Number.NEGATIVE_INFINITY;
}
