import { clamp, lerp } from './curves.ts';
import type { Size } from './planes.ts';
import { hashPlace } from './random.ts';

export interface FractalSettings {
  readonly seed: number;
  /** Features across the width, of the coarsest octave. */
  readonly cells: number;
  /** Down the height; as dense as across when absent. */
  readonly cellsDown?: number | undefined;
  readonly octaves: number;
  /** How strong each octave is, of the one before. */
  readonly gain?: number | undefined;
  /** Ridged has sharp crests, billowy round heaps with sharp valleys. */
  readonly shape?: 'smooth' | 'ridged' | 'billowy' | undefined;
  /** The right edge continues at the left one, and the bottom at the top; cells are whole numbers then. */
  readonly wraps?: boolean | undefined;
}

/** Gradient noise in octaves, about -1 to 1. */
export function fractal(size: Size, settings: FractalSettings): Float32Array {
  const { width, height } = size;
  const { cells, octaves, gain = 0.5, seed } = settings;
  const field = new Float32Array(width * height);
  const octave = octaves > 1 ? new Float32Array(width * height) : field;
  const cellsDown = settings.cellsDown ?? (cells * height) / width;
  let total = 0;
  for (let index = 0, strength = 1; index < octaves; index++, strength *= gain) {
    const grid = { across: cells * 2 ** index, down: cellsDown * 2 ** index, seed: seed * 31 + index };
    fillOctave(octave, size, { ...grid, wraps: settings.wraps === true });
    addShaped(field, octave, strength, settings.shape ?? 'smooth');
    total += strength;
  }
  const level = (settings.shape ?? 'smooth') === 'smooth' ? 1.35 / total ** 0.7 : 1 / total;
  for (let at = 0; at < field.length; at++) field[at] = (field[at] as number) * level;
  return field;
}

function addShaped(
  field: Float32Array,
  octave: Float32Array,
  strength: number,
  shape: 'smooth' | 'ridged' | 'billowy',
): void {
  if (field === octave && shape === 'smooth') return;
  // Smooth noise is taken as it is; the others are folded at 0.
  const fold = shape === 'ridged' ? -2 * strength : 2 * strength;
  const level = shape === 'ridged' ? strength : -strength;
  const isFirst = field === octave;
  for (let at = 0; at < field.length; at++) {
    const value = octave[at] as number;
    const added = shape === 'smooth' ? value * strength : level + fold * (value < 0 ? -value : value);
    field[at] = isFirst ? added : (field[at] as number) + added;
  }
}

interface Grid {
  readonly across: number;
  readonly down: number;
  readonly seed: number;
  readonly wraps: boolean;
}

function fillOctave(
  target: Float32Array,
  { width, height }: Size,
  { across, down, seed, wraps }: Grid,
): void {
  const columns = Math.ceil(across) + 2;
  let upper = new Float32Array(columns * 2);
  let lower = new Float32Array(columns * 2);
  const stepX = across / width;
  const stepY = down / height;
  const fill = (gradients: Float32Array, at: number): void =>
    fillGradients(gradients, wraps ? at % down : at, { period: wraps ? across : 0, seed });
  let gridRow = -1;
  fill(lower, 0);
  for (let row = 0; row < height; row++) {
    const place = row * stepY;
    const cell = Math.floor(place);
    while (gridRow < cell) {
      gridRow++;
      [upper, lower] = [lower, upper];
      fill(lower, gridRow + 1);
    }
    noiseRow(target, row * width, width, { upper, lower, fy: place - cell, stepX });
  }
}

/** Directions all around, so that no sine is needed for each. */
const DIRECTIONS = Float32Array.from({ length: 512 }, (_, at) =>
  at % 2 === 0 ? Math.cos((at / 512) * 2 * Math.PI) * 1.6 : Math.sin(((at - 1) / 512) * 2 * Math.PI) * 1.6,
);

function fillGradients(
  target: Float32Array,
  row: number,
  { period, seed }: { period: number; seed: number },
): void {
  for (let column = 0; column < target.length / 2; column++) {
    const angle = Math.floor(hashPlace(period > 0 ? column % period : column, row, seed) * 256) * 2;
    target[column * 2] = DIRECTIONS[angle] as number;
    target[column * 2 + 1] = DIRECTIONS[angle + 1] as number;
  }
}

/** The two corners above and below are mixed once a cell, so that a pixel costs next to nothing. */
function noiseRow(
  target: Float32Array,
  start: number,
  width: number,
  { upper, lower, fy, stepX }: { upper: Float32Array; lower: Float32Array; fy: number; stepX: number },
): void {
  const down = fy * fy * fy * (fy * (fy * 6 - 15) + 10);
  let cell = -1;
  let slope0 = 0;
  let level0 = 0;
  let slope1 = 0;
  let level1 = 0;
  for (let x = 0; x < width; x++) {
    const place = x * stepX;
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
    target[start + x] = left + (slope1 * (fx - 1) + level1 - left) * across;
  }
}

/** A square field that continues at its edges, to be read at any place. */
export interface Tile {
  /** A power of two. */
  readonly size: number;
  readonly data: Float32Array;
}

export function fractalTile(size: number, settings: Omit<FractalSettings, 'wraps' | 'cellsDown'>): Tile {
  return { size, data: fractal({ width: size, height: size }, { ...settings, wraps: true }) };
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
