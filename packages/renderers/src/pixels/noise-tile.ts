import { makeRoom } from './kernel-memory.ts';
import { planeKernels } from './plane-kernels.ts';

/**
 * Noise of the mean 0 and the deviation 1 that never shows an edge: two tiles whose sides have no common divisor, one
 * added to the other and divided by the root of 2.
 */
export interface NoiseField {
  readonly large: NoiseTile;
  readonly small: NoiseTile;
}

export interface NoiseTile {
  readonly side: number;
  readonly values: Float32Array;
}

export type Spectrum = 'soft' | 'pitted';

const SIDES = [512, 389] as const;
/** For pictures that the large ones would be wasted on. */
const SMALL_SIDES = [256, 193] as const;

/**
 * `size` is the deviation of the blur that makes grains of single values. `soft` has all that is larger as well;
 * `pitted` only what is about as large, and looks like relief with hollows, as skin has pores. `width` is that of the
 * picture it is for.
 */
export function noiseField(seed: number, size: number, spectrum: Spectrum, width: number): NoiseField {
  const [large, small] = width > 600 ? SIDES : SMALL_SIDES;
  return {
    large: makeTile(seed * 2, large, size, spectrum),
    small: makeTile(seed * 2 + 1, small, size, spectrum),
  };
}

export function fillRow({ large, small }: NoiseField, y: number, row: Float32Array): void {
  const above = (y % large.side) * large.side;
  const below = (y % small.side) * small.side;
  for (let x = 0; x < row.length; x++) {
    const first = large.values[above + (x % large.side)] ?? 0;
    row[x] = (first + (small.values[below + (x % small.side)] ?? 0)) * Math.SQRT1_2;
  }
}

function makeTile(seed: number, side: number, size: number, spectrum: Spectrum): NoiseTile {
  const values = wrappedBlur(whiteNoise(seed, side * side), side, size);
  if (spectrum === 'soft') return { side, values: normalised(values) };
  const wide = wrappedBlur(values, side, size * 1.7);
  for (let at = 0; at < values.length; at++) values[at] = (values[at] ?? 0) - (wide[at] ?? 0);
  const bumps = normalised(values);
  for (let at = 0; at < bumps.length; at++) bumps[at] = hollow(bumps[at] ?? 0);
  return { side, values: normalised(litFromAbove(bumps, side)) };
}

/** Hollows are deeper than what is between them is high. */
function hollow(value: number): number {
  return value < 0 ? value - 0.35 * value * value : value * 0.75;
}

/** As relief looks in the usual light, from the upper left: the near side of a hollow dark, the far side bright. */
function litFromAbove(values: Float32Array, side: number): Float32Array {
  const lit = new Float32Array(values.length);
  const { length } = values;
  for (let at = 0; at < length; at++) {
    const before = values[at > side ? at - side - 1 : at + length - side - 1] ?? 0;
    const after = values[at + side + 1 < length ? at + side + 1 : at + side + 1 - length] ?? 0;
    lit[at] = 0.75 * (values[at] ?? 0) + 0.5 * (before - after);
  }
  return lit;
}

/** Four random bytes added up are near enough to a normal distribution for noise. */
function whiteNoise(seed: number, length: number): Float32Array {
  const values = new Float32Array(length);
  let state = seed | 0;
  for (let at = 0; at < length; at++) {
    state = (state + 0x6d2b79f5) | 0;
    let bits = Math.imul(state ^ (state >>> 15), 1 | state);
    bits = (bits + Math.imul(bits ^ (bits >>> 7), 61 | bits)) ^ bits;
    bits ^= bits >>> 14;
    values[at] = (bits & 255) + ((bits >>> 8) & 255) + ((bits >>> 16) & 255) + (bits >>> 24) - 510;
  }
  return values;
}

/** A Gaussian blur for which the tile begins anew at its edges. */
function wrappedBlur(values: Float32Array, side: number, deviation: number): Float32Array {
  const reach = Math.max(1, Math.ceil(deviation * 2.5));
  const bell = Array.from({ length: 2 * reach + 1 }, (_, step) =>
    Math.exp(-((step - reach) ** 2) / (2 * deviation ** 2)),
  );
  const total = bell.reduce((sum, weight) => sum + weight, 0);
  const room = makeRoom();
  const width = side + 2 * reach;
  // Rows are as long as the tile and what is repeated of it on both sides.
  const source = room.take(width * side * 4);
  const line = room.take(width * 4);
  const out = room.take(side * 4);
  const { floats } = room.open();
  const [from, sum, result] = [source / 4, line / 4, out / 4];
  for (let y = 0; y < side; y++) {
    const row = values.subarray(y * side, (y + 1) * side);
    floats.set(row, from + y * width + reach);
    floats.set(row.subarray(side - reach), from + y * width);
    floats.set(row.subarray(0, reach), from + y * width + reach + side);
  }
  const kernels = planeKernels();
  const blurred = new Float32Array(values.length);
  for (let y = 0; y < side; y++) {
    floats.fill(0, sum, sum + width);
    floats.fill(0, result, result + side);
    bell.forEach((weight, step) => {
      const row = (y + step - reach + reach * side) % side;
      kernels.addScaled(line, source + row * width * 4, weight / total, width);
    });
    bell.forEach((weight, step) => kernels.addScaled(out, line + step * 4, weight / total, side));
    blurred.set(floats.subarray(result, result + side), y * side);
  }
  return blurred;
}

function normalised(values: Float32Array): Float32Array {
  let sum = 0;
  let squares = 0;
  for (let at = 0; at < values.length; at++) {
    const value = values[at] ?? 0;
    sum += value;
    squares += value * value;
  }
  const mean = sum / values.length;
  const scale = 1 / Math.sqrt(Math.max(1e-12, squares / values.length - mean * mean));
  for (let at = 0; at < values.length; at++) values[at] = ((values[at] ?? 0) - mean) * scale;
  return values;
}
