import { createFrameMemory, type FrameMemory } from './frame-memory.ts';
import type { Rgb } from './rgb.ts';

/** Steps between two levels of the eight bits that are stored. They keep soft skies free of bands. */
export const UNIT = 64;

/** The brightest that the planes hold: light may be above white until it is stored. */
export const MOST = 32_767;

/**
 * A picture as the encoder takes it: brightness of every pixel, color of every second one in both directions (BT.709).
 * Everything that mixes or adds colors comes out the same as in RGB, at half the work. All are whole numbers, `UNIT` for a
 * level, because those are computed twice as fast; `y` is 0 for black, `u` and `v` are around 0.
 */
export interface Planes {
  readonly width: number;
  readonly height: number;
  readonly y: Int16Array;
  readonly u: Int16Array;
  readonly v: Int16Array;
  /** What they lie in. */
  readonly memory: FrameMemory;
}

export interface Size {
  readonly width: number;
  readonly height: number;
}

export function newPlanes({ width, height }: Size): Planes {
  const quarter = (width >> 1) * (height >> 1);
  const memory = createFrameMemory();
  return {
    width,
    height,
    y: memory.shorts(width * height),
    u: memory.shorts(quarter),
    v: memory.shorts(quarter),
    memory,
  };
}

/** A color in levels, not in units. */
export interface Yuv {
  readonly y: number;
  readonly u: number;
  readonly v: number;
}

export const RED = 0.2126;
export const GREEN = 0.7152;
export const BLUE = 0.0722;
export const U_PART = 1 / 1.8556;
export const V_PART = 1 / 1.5748;

export function toYuv([red, green, blue]: Rgb): Yuv {
  const y = RED * red + GREEN * green + BLUE * blue;
  return { y, u: (blue - y) * U_PART, v: (red - y) * V_PART };
}

export interface StoredPlane {
  readonly data: Uint8Array;
  readonly stride: number;
}

/** The memory of a frame of the encoder: limited range, eight bits. */
export interface StoredPlanes {
  readonly y: StoredPlane;
  readonly u: StoredPlane;
  readonly v: StoredPlane;
}

/** Three bytes a pixel. */
export function storedToRgb({ width, height }: Size, stored: StoredPlanes): Uint8ClampedArray {
  const target = new Uint8ClampedArray(width * height * 3);
  for (let row = 0, at = 0; row < height; row++) {
    for (let column = 0; column < width; column++, at += 3) {
      const color = (row >> 1) * stored.u.stride + (column >> 1);
      const y = ((stored.y.data[row * stored.y.stride + column] as number) - 16) * (255 / 219);
      const u = ((stored.u.data[color] as number) - 128) * (255 / 224);
      const v = ((stored.v.data[color] as number) - 128) * (255 / 224);
      const red = y + v / V_PART;
      const blue = y + u / U_PART;
      target[at] = red;
      target[at + 1] = (y - RED * red - BLUE * blue) / GREEN;
      target[at + 2] = blue;
    }
  }
  return target;
}
