import { clamp, lerp } from '../pixels/planes.ts';
import { hashPlace } from './random.ts';

/** A square field of noise that repeats seamlessly. */
export interface Tile {
  /** A power of two. */
  readonly size: number;
  readonly data: Float32Array;
}

interface TileSettings {
  readonly seed: number;
  /** Features across, of the coarsest octave; a whole number. */
  readonly cells: number;
  readonly octaves: number;
  /** The strength of each octave relative to the one before. */
  readonly gain?: number;
  /** Ridged has sharp crests, billowy round heaps with sharp valleys. */
  readonly shape?: 'smooth' | 'ridged' | 'billowy';
}

/** Gradient noise in octaves, about -1 to 1. */
export function fractalTile(size: number, settings: TileSettings): Tile {
  const { seed, cells, octaves, gain = 0.5, shape = 'smooth' } = settings;
  const data = new Float32Array(size * size);
  const octave = new Float32Array(size * size);
  let total = 0;
  for (let index = 0, strength = 1; index < octaves; index++, strength *= gain) {
    fillOctave(octave, size, cells * 2 ** index, seed * 31 + index);
    // Smooth noise is taken as it is; the others are folded at 0.
    const fold = shape === 'ridged' ? -2 * strength : 2 * strength;
    const level = shape === 'ridged' ? strength : -strength;
    for (let at = 0; at < data.length; at++) {
      const value = octave[at] as number;
      const added = shape === 'smooth' ? value * strength : level + fold * (value < 0 ? -value : value);
      data[at] = (data[at] as number) + added;
    }
    total += strength;
  }
  const level = shape === 'smooth' ? 1.35 / total ** 0.7 : 1 / total;
  return { size, data: data.map((value) => value * level) };
}

function fillOctave(target: Float32Array, size: number, cells: number, seed: number): void {
  let upper = new Float32Array(cells * 2 + 4);
  let lower = new Float32Array(cells * 2 + 4);
  const step = cells / size;
  let gridRow = -1;
  fillGradients(lower, 0, cells, seed);
  for (let row = 0; row < size; row++) {
    const place = row * step;
    const cell = Math.floor(place);
    while (gridRow < cell) {
      gridRow++;
      [upper, lower] = [lower, upper];
      fillGradients(lower, (gridRow + 1) % cells, cells, seed);
    }
    noiseRow(target.subarray(row * size, (row + 1) * size), { upper, lower, fy: place - cell, step });
  }
}

/** Gradients in all directions, computed once. */
const DIRECTIONS = Float32Array.from({ length: 512 }, (_, at) =>
  at % 2 === 0 ? Math.cos((at / 512) * 2 * Math.PI) * 1.6 : Math.sin(((at - 1) / 512) * 2 * Math.PI) * 1.6,
);

function fillGradients(target: Float32Array, row: number, cells: number, seed: number): void {
  for (let column = 0; column < target.length / 2; column++) {
    const angle = Math.floor(hashPlace(column % cells, row, seed) * 256) * 2;
    target[column * 2] = DIRECTIONS[angle] as number;
    target[column * 2 + 1] = DIRECTIONS[angle + 1] as number;
  }
}

/** The corners above and below are mixed once per cell, so that a pixel costs next to nothing. */
function noiseRow(
  target: Float32Array,
  { upper, lower, fy, step }: { upper: Float32Array; lower: Float32Array; fy: number; step: number },
): void {
  const down = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  let cell = -1;
  let slope0 = 0;
  let level0 = 0;
  let slope1 = 0;
  let level1 = 0;
  for (let x = 0; x < target.length; x++) {
    const place = x * step;
    const at = place | 0;
    if (at !== cell) {
      cell = at;
      const i = at * 2;
      slope0 = lerp(upper[i] as number, lower[i] as number, down);
      level0 = lerp((upper[i + 1] as number) * fy, (lower[i + 1] as number) * (fy - 1), down);
      slope1 = lerp(upper[i + 2] as number, lower[i + 2] as number, down);
      level1 = lerp((upper[i + 3] as number) * fy, (lower[i + 3] as number) * (fy - 1), down);
    }
    const fx = place - at;
    const across = fx * fx * fx * (fx * (fx * 6 - 15) + 10);
    const left = slope0 * fx + level0;
    target[x] = left + (slope1 * (fx - 1) + level1 - left) * across;
  }
}

export function readTile({ size, data }: Tile, x: number, y: number): number {
  const column = Math.floor(x);
  const row = Math.floor(y);
  const fx = x - column;
  const fy = y - row;
  const mask = size - 1;
  const left = column & mask;
  const right = (column + 1) & mask;
  const above = (row & mask) * size;
  const below = ((row + 1) & mask) * size;
  const top = data[above + left] as number;
  const bottom = data[below + left] as number;
  const upper = top + ((data[above + right] as number) - top) * fx;
  return upper + (bottom + ((data[below + right] as number) - bottom) * fx - upper) * fy;
}

/** Smooth noise along a line, about -1 to 1. */
export function noiseAlong(x: number, seed: number): number {
  const cell = Math.floor(x);
  const at = x - cell;
  const smooth = at * at * (3 - 2 * at);
  return lerp(hashPlace(cell, 0, seed), hashPlace(cell + 1, 0, seed), smooth) * 2 - 1;
}

export function fractalAlong(x: number, seed: number, octaves: number): number {
  let sum = 0;
  for (let octave = 0, strength = 0.5; octave < octaves; octave++, strength /= 2) {
    sum += noiseAlong(x * 2 ** octave, seed + octave) * strength;
  }
  return clamp(sum, -1, 1);
}
