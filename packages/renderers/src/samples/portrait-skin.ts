import type { Color } from './portrait-eye.ts';
import type { SkinColor } from './portrait-face.ts';
import { bell, mix, step } from './portrait-noise.ts';

export interface SkinLook {
  readonly plastic: boolean;
  readonly makeUp: boolean;
}

export interface SkinPoint {
  readonly x: number;
  readonly y: number;
  readonly tiltX: number;
  readonly tiltY: number;
  readonly spot: SkinColor;
  readonly onLips: number;
  readonly look: SkinLook;
  readonly albedo: Color;
}

const KEY = unitVector(-0.5, -0.52, 0.72);
const FILL = unitVector(0.75, 0.05, 0.55);
/** Between the light and the eye. */
const KEY_HALF = unitVector(-0.5, -0.52, 1.72);
/** Red goes furthest below the skin, so that it reaches around into the shadow. */
const WRAP: Color = [0.36, 0.2, 0.12];

/** Linear light from a point of skin. */
export function shadeSkin(point: SkinPoint): Color {
  const { x, y, tiltX, tiltY, look, onLips } = point;
  const length = Math.hypot(tiltX, tiltY, 1);
  const [nx, ny, nz] = [-tiltX / length, -tiltY / length, 1 / length];
  const key = nx * KEY[0] + ny * KEY[1] + nz * KEY[2];
  const fill = Math.max(0, nx * FILL[0] + ny * FILL[1] + nz * FILL[2]);
  const half = Math.max(0, nx * KEY_HALF[0] + ny * KEY_HALF[1] + nz * KEY_HALF[2]);
  const hidden = occlusion(x, y);
  const cast = castShadow(x, y);
  const oil =
    0.5 +
    0.6 * bell(x, y + 0.55, 0.3, 0.25) +
    0.9 * bell(x, y - 0.2, 0.1, 0.22) +
    0.5 * bell(Math.abs(x) - 0.42, y - 0.1, 0.16, 0.12);
  const gloss = look.plastic
    ? 0.5 * half ** 26 * (0.5 + oil)
    : 0.075 * oil * half ** 9 + 0.085 * oil * half ** 38 + 0.16 * onLips * half ** 30;
  const shine = gloss * hidden * (1 - cast);
  const color = albedoAt(point);
  return color.map((value, band) => {
    const wrap = WRAP[band] ?? 0;
    const direct = Math.max(0, (key + wrap) / (1 + wrap)) ** 1.25 * (1 - cast * (1 - 0.3 * wrap));
    const around = 0.13 + 0.13 * fill + 0.05 * Math.max(0, -ny);
    // Light that has bounced between skin and skin is warmer.
    const held = hidden ** (1 + 0.35 * band);
    return value * (1.02 * direct + around * (1.2 - 0.16 * band)) * held + shine;
  }) as unknown as Color;
}

function albedoAt({ x, y, spot, onLips, look, albedo }: SkinPoint): [number, number, number] {
  const [baseRed, baseGreen, baseBlue] = albedo;
  const flush = look.plastic ? 0.25 * spot.red : spot.red;
  const dark = look.plastic ? 0 : spot.dark;
  // Darker skin shows blood less.
  const shows = 0.55 + 0.45 * Math.min(1, baseRed / 0.7);
  let red = baseRed * (1 + 0.03 * flush) * (1 - 0.55 * dark);
  let green = baseGreen * (1 - 0.24 * flush * shows) * (1 - 0.75 * dark);
  let blue = baseBlue * (1 - 0.2 * flush * shows) * (1 - 0.9 * dark);
  if (look.plastic) {
    red *= 1.06;
    green *= 0.86;
    blue *= 0.72;
  }
  if (look.makeUp) {
    const rouge = 0.62 * bell(Math.abs(x) - 0.45, y - 0.2, 0.17, 0.13);
    red = mix(red, baseRed * 1.0, rouge);
    green = mix(green, baseGreen * 0.52, rouge);
    blue = mix(blue, baseBlue * 0.72, rouge);
  }
  const lip: Color = look.makeUp ? [0.42, 0.02, 0.045] : [baseRed * 0.74, baseGreen * 0.47, baseBlue * 0.52];
  return [mix(red, lip[0], onLips), mix(green, lip[1], onLips), mix(blue, lip[2], onLips)];
}

/** Light that does not get into the corners of a face. */
function occlusion(x: number, y: number): number {
  const side = Math.abs(x);
  let dark = 0.34 * bell(side - 0.15, y + 0.13, 0.09, 0.12);
  dark += 0.22 * bell(side - 0.17, y - 0.31, 0.045, 0.06);
  dark += 0.2 * bell(side - 0.06, y - 0.36, 0.09, 0.03);
  dark += 0.22 * bell(x, y - 0.665, 0.15, 0.04);
  dark += 0.16 * bell(side - 0.3, y + 0.21, 0.16, 0.05);
  dark += 0.1 * bell(side - 0.29, y - 0.02, 0.15, 0.05);
  // Below the hair and towards the jaw.
  dark += 0.45 * step(-0.68, -0.92, y + 0.1 * side) + 0.3 * step(0.56, 0.78, side) * step(0.6, 0, y);
  dark += 0.25 * step(0.86, 1.0, y);
  return y > 1.5 ? 1 : 1 - Math.min(0.8, dark);
}

function castShadow(x: number, y: number): number {
  const nose =
    0.55 * bell(x - 0.15 - 0.12 * (y - 0.2), y - 0.25, 0.07, 0.12) +
    0.45 * bell(x - 0.09, y - 0.385, 0.1, 0.045);
  const lip = 0.25 * bell(x - 0.04, y - 0.672, 0.15, 0.03);
  return y > 1.5 ? 0 : Math.min(0.9, nose + lip);
}

function unitVector(x: number, y: number, z: number): Color {
  const length = Math.hypot(x, y, z);
  return [x / length, y / length, z / length];
}
