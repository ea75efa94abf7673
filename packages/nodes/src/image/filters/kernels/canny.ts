import type { BytesShape, ResizeTools } from '../../resize/pillow-resize.ts';
import { inRuns } from '../in-runs.ts';
import { mirrored } from './gaussian-blur.ts';

const round = Math.fround;

/** A Gaussian of five taps with a deviation of one pixel: outer, inner, middle. */
const [OUTER, INNER, MIDDLE] = gaussianOfFive();

/** ComfyUI adds it under the root, so that nothing is entirely flat. */
const EPSILON = round(1e-6);

const NONE = 0;
const WEAK = 1;
const STRONG = 2;

interface CannyOptions extends BytesShape, ResizeTools {
  readonly low: number;
  readonly high: number;
}

/**
 * Marks edges with 1 in all three channels of `target`. Both sides of the picture are at least three pixels.
 *
 * Where a picture has hard straight edges, two pixels are equally steep but for rounding, and that decides which of them
 * is the edge. So sums are rounded as the host rounds them: after each fused multiplication and addition, from the first
 * tap to the last.
 */
export function canny(source: Float32Array, target: Float32Array, options: CannyOptions): void {
  const { height, width, memory, checkpoint } = options;
  const gray = memory.dirtyFloats(width * height);
  const other = memory.dirtyFloats(width * height);
  const marks = memory.dirtyBytes(width * height);
  const { channels } = options;
  inRuns(width * height, checkpoint, (from, to) =>
    toGray(source.subarray(from * channels, to * channels), gray.subarray(from, to), channels),
  );
  smooth(gray, other, options, false);
  smooth(other, gray, options, true);
  gradient(gray, other, marks, options);
  suppress(other, marks, options);
  const pending = new Int32Array(gray.buffer, gray.byteOffset, gray.length);
  follow(marks, pending, width, height, checkpoint);
  inRuns(width * height, checkpoint, (from, end) => {
    for (let index = from, to = from * 3; index < end; index++) {
      const value = marks[index] === STRONG ? 1 : 0;
      target[to++] = value;
      target[to++] = value;
      target[to++] = value;
    }
  });
  memory.free(gray);
  memory.free(other);
  memory.free(marks);
}

function gaussianOfFive(): readonly [number, number, number] {
  const [outer, inner] = [round(Math.exp(-2)), round(Math.exp(-0.5))];
  const total = round(round(round(round(outer + inner) + 1) + inner) + outer);
  return [round(outer / total), round(inner / total), round(1 / total)];
}

function toGray(source: Float32Array, gray: Float32Array, channels: number): void {
  if (channels < 3) {
    for (let index = 0; index < gray.length; index++) gray[index] = source[index * channels] as number;
    return;
  }
  const [red, green, blue] = [round(0.299), round(0.587), round(0.114)];
  for (let index = 0, from = 0; index < gray.length; index++, from += channels) {
    const warm = round(red * (source[from] as number)) + round(green * (source[from + 1] as number));
    gray[index] = round(warm) + round(blue * (source[from + 2] as number));
  }
}

/** Five taps across or down. The picture is mirrored at its edges. */
function smooth(
  source: Float32Array,
  target: Float32Array,
  { width, height, checkpoint }: CannyOptions,
  down: boolean,
): void {
  const [length, step] = down ? [height, width] : [width, 1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const along = down ? y : x;
      const start = y * width + x - along * step;
      const at = (offset: number): number =>
        source[start + mirrored(along + offset, length) * step] as number;
      let sum = round(OUTER * at(-2));
      sum = round(sum + INNER * at(-1));
      sum = round(sum + MIDDLE * at(0));
      sum = round(sum + INNER * at(1));
      target[y * width + x] = sum + OUTER * at(2);
    }
    if ((y & 15) === 0) checkpoint();
  }
}

/** Writes the steepness of each pixel and, where it counts, in which of the eight directions it rises. */
function gradient(
  gray: Float32Array,
  steepness: Float32Array,
  directions: Uint8Array,
  { width, height, low, checkpoint }: CannyOptions,
): void {
  for (let y = 0; y < height; y++) {
    const above = Math.max(0, y - 1) * width;
    const start = y * width;
    const below = Math.min(height - 1, y + 1) * width;
    for (let x = 0; x < width; x++) {
      const left = x === 0 ? 0 : x - 1;
      const right = x === width - 1 ? x : x + 1;
      const a = gray[above + left] as number;
      const b = gray[above + right] as number;
      const c = gray[below + left] as number;
      const d = gray[below + right] as number;
      let dx = round(b - a);
      dx = round(dx - 2 * (gray[start + left] as number));
      dx = round(dx + 2 * (gray[start + right] as number));
      dx = round(round(dx - c) + d);
      let dy = round(-a - 2 * (gray[above + x] as number));
      dy = round(round(dy - b) + c);
      dy = round(dy + 2 * (gray[below + x] as number));
      dy = round(dy + d);
      const steep = round(Math.sqrt(round(round(round(dx * dx) + round(dy * dy)) + EPSILON)));
      steepness[start + x] = steep;
      if (steep >= low) directions[start + x] = octant(dx, dy);
    }
    if ((y & 15) === 0) checkpoint();
  }
}

/** 0 is to the right, 2 is down; halves of 45° go to the even side. */
function octant(dx: number, dy: number): number {
  const degrees = round(round(180 * round(Math.atan2(dy, dx))) / round(Math.PI));
  const eighths = round(degrees / 45);
  const floor = Math.floor(eighths);
  const rest = eighths - floor;
  const up = rest > 0.5 || (rest === 0.5 && (floor & 1) !== 0);
  return (up ? floor + 1 : floor) & 7;
}

/** Turns directions into marks: only pixels that are steeper than both neighbors along their direction remain. */
function suppress(
  steepness: Float32Array,
  marks: Uint8Array,
  { width, height, low, high, checkpoint }: CannyOptions,
): void {
  const [lowest, highest] = [round(low), round(high)];
  for (let y = 0, index = 0; y < height; y++) {
    for (let x = 0; x < width; x++, index++) {
      const value = steepness[index] as number;
      const direction = marks[index] as number;
      if (!(value > lowest)) {
        marks[index] = NONE;
        continue;
      }
      const stepX = direction === 2 || direction === 6 ? 0 : direction > 2 && direction < 6 ? -1 : 1;
      const stepY = direction === 0 || direction === 4 ? 0 : direction < 4 ? 1 : -1;
      const ahead = neighbor(steepness, x + stepX, y + stepY, width, height);
      const behind = neighbor(steepness, x - stepX, y - stepY, width, height);
      marks[index] = value > ahead && value > behind ? (value > highest ? STRONG : WEAK) : NONE;
    }
    if ((y & 15) === 0) checkpoint();
  }
}

function neighbor(values: Float32Array, x: number, y: number, width: number, height: number): number {
  return x < 0 || y < 0 || x >= width || y >= height ? 0 : (values[y * width + x] as number);
}

/** Weak marks that touch strong ones become strong. Each mark is in `pending` at most once. */
function follow(
  marks: Uint8Array,
  pending: Int32Array,
  width: number,
  height: number,
  checkpoint: () => void,
): void {
  let count = 0;
  for (let index = 0; index < marks.length; index++) if (marks[index] === STRONG) pending[count++] = index;
  for (let steps = 1; count > 0; steps++) {
    const index = pending[--count] as number;
    const y = Math.floor(index / width);
    const x = index - y * width;
    const [top, bottom] = [Math.max(0, y - 1), Math.min(height - 1, y + 1)];
    const [left, right] = [Math.max(0, x - 1), Math.min(width - 1, x + 1)];
    for (let row = top; row <= bottom; row++) {
      for (let near = row * width + left; near <= row * width + right; near++) {
        if (marks[near] !== WEAK) continue;
        marks[near] = STRONG;
        pending[count++] = near;
      }
    }
    if ((steps & 0xffff) === 0) checkpoint();
  }
}
