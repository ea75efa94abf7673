import { BLUE_WEIGHT as BLUE, GREEN_WEIGHT as GREEN, luminance, RED_WEIGHT as RED } from '../pixels/color.ts';
import type { Size } from '../pixels/planes.ts';
import type { Rgb } from './rgb.ts';

export type { Size } from '../pixels/planes.ts';
export { BLUE, GREEN, RED };

/** Steps between two stored levels, so that soft skies have no bands. */
export const UNIT = 64;

/** Light may be brighter than white until it is stored. */
export const MAX_VALUE = 32_767;

/**
 * A frame as the encoder takes it (BT.709): brightness of every pixel, color of every second one in both directions. Mixing and
 * adding give the same result as in RGB at half the work. `y` is 0 for black, `u` and `v` are around 0, all in `UNIT`s.
 */
export interface Planes extends Size {
  readonly y: Int16Array;
  readonly u: Int16Array;
  readonly v: Int16Array;
}

export function newPlanes({ width, height }: Size): Planes {
  const quarter = (width >> 1) * (height >> 1);
  return {
    width,
    height,
    y: new Int16Array(width * height),
    u: new Int16Array(quarter),
    v: new Int16Array(quarter),
  };
}

/** A color in levels, not in units. */
export type Yuv = Readonly<Record<'y' | 'u' | 'v', number>>;

export const U_PART = 1 / 1.8556;
export const V_PART = 1 / 1.5748;

export function toYuv([red, green, blue]: Rgb): Yuv {
  const y = luminance(red, green, blue);
  return { y, u: (blue - y) * U_PART, v: (red - y) * V_PART };
}

/** The memory of an encoder's frame: eight bits, limited range. */
export type StoredPlanes = Readonly<
  Record<'y' | 'u' | 'v', { readonly data: Uint8Array; readonly stride: number }>
>;

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
