import { bell, cloud, hashed, mix, nearestPoint, noise, step } from './portrait-noise.ts';

/** Distances are in half heights of the face: its middle is (0, 0), its chin at y = 1, its left x is negative. */

export const EYES = { x: 0.3, y: -0.1, half: 0.168 } as const;
const MOUTH = { y: 0.53, half: 0.255 } as const;

/** How wide half the head is at this height. */
export function headWidth(y: number): number {
  const part = y < 0 ? y / 1.3 : y / 1.01;
  if (Math.abs(part) >= 1) return 0;
  const jaw = 1 - 0.2 * step(0.05, 0.95, y);
  return 0.8 * jaw * (1 - Math.abs(part) ** 2.6) ** (1 / 2.2);
}

/** The relief of the face above a flat picture, without texture. */
export function faceRelief(x: number, y: number): number {
  const part = Math.abs(y < 0 ? y / 1.3 : y / 1.01);
  const across = Math.abs(x) / (0.8 * (1 - 0.2 * step(0.05, 0.95, y)));
  const side = Math.abs(x);
  const round = 1 - across ** 2.2 - part ** 2.6;
  // Beyond the outline it falls on, so that no edge of the face looks ahead.
  const skull = 0.86 * (round > 0.006 ? Math.sqrt(round) : 0.0775 + 6.45 * (round - 0.006));
  let z = skull;
  z += 0.045 * bell(side - 0.26, y + 0.32, 0.24, 0.09);
  z -= 0.085 * bell(side - 0.29, y + 0.13, 0.19, 0.12);
  z += 0.05 * bell(side - EYES.x, y - EYES.y, 0.14, 0.085);
  z += 0.06 * bell(side - 0.44, y - 0.16, 0.22, 0.18);
  z -= 0.035 * bell(side - 0.42, y - 0.5, 0.16, 0.22);
  z -= 0.04 * bell(side - 0.66, y + 0.34, 0.1, 0.25);
  z += nose(x, y);
  z += mouth(x, y);
  z += 0.075 * bell(x, y - 0.86, 0.2, 0.13);
  // The fold from the nose to the corner of the mouth.
  const fold = 0.17 + 0.16 * step(0.28, 0.6, y);
  z -= 0.013 * bell(side - fold, y - 0.44, 0.03, 0.17);
  // The fold below the eye.
  z -= 0.008 * bell(side - 0.27, y - 0.045 + 0.9 * (side - 0.28) ** 2, 0.13, 0.014);
  return z;
}

function nose(x: number, y: number): number {
  const side = Math.abs(x);
  const bridge = 0.075 + 0.03 * step(-0.1, 0.25, y);
  const ramp = step(-0.38, 0.26, y) * step(0.36, 0.25, y);
  let z = 0.17 * Math.exp(-((x / bridge) ** 2)) * ramp;
  z += 0.085 * bell(x, y - 0.255, 0.1, 0.085);
  z += 0.075 * bell(side - 0.112, y - 0.285, 0.05, 0.055);
  z -= 0.02 * bell(side - 0.165, y - 0.29, 0.018, 0.06);
  z -= 0.014 * bell(x, y - 0.405, 0.024, 0.05);
  return z;
}

function mouth(x: number, y: number): number {
  let z = 0.05 * bell(x, y - 0.52, 0.28, 0.16);
  const share = lipShare(x, y);
  // The upper lip turns away from the light above, the lower one towards it.
  const full = y < mouthLine(x) ? 0.034 * share ** 0.45 * (1 - 0.8 * share) : 0.03 * Math.sqrt(share);
  if (share > 0) z += full * step(1, 0.7, Math.abs(x) / MOUTH.half);
  z -= 0.035 * bell(x, y - 0.69, 0.17, 0.045);
  return z;
}

/** Where between the outline of the lips (0) and the line between them a point lies; negative outside. */
function lipShare(x: number, y: number): number {
  const across = x / MOUTH.half;
  if (Math.abs(across) >= 1) return -1;
  const open = 1 - across * across;
  const line = mouthLine(x);
  if (y < line) {
    const bow =
      1 - 0.3 * Math.exp(-((across / 0.1) ** 2)) + 0.1 * Math.exp(-(((Math.abs(across) - 0.2) / 0.16) ** 2));
    const height = 0.068 * open ** 0.85 * bow;
    return 1 - (line - y) / height;
  }
  return 1 - (y - line) / (0.098 * open ** 0.75);
}

function mouthLine(x: number): number {
  const across = Math.abs(x) / MOUTH.half;
  return MOUTH.y + 0.006 * Math.cos(across * 7) - 0.026 * across * across;
}

/** 1 on the lips, with an edge as soft as skin has it. */
export function lips(x: number, y: number): number {
  if (Math.abs(y - MOUTH.y) > 0.14) return 0;
  return step(-0.05, 0.16, lipShare(x, y)) * step(1, 0.93, Math.abs(x) / MOUTH.half);
}

/** How dark the line between the lips and the nostrils are, from 0 to 1. */
export function openings(x: number, y: number): number {
  const across = Math.abs(x) / MOUTH.half;
  const line = across < 1.04 ? Math.exp(-(((y - mouthLine(x)) / 0.0085) ** 2)) * step(1.04, 0.85, across) : 0;
  const corner = 0.5 * bell(Math.abs(x) - 0.25, y - 0.522, 0.02, 0.018);
  const nostril =
    0.92 *
    step(
      1.2,
      0.55,
      Math.hypot((Math.abs(x) - 0.062) / 0.034, (y - 0.333 - (Math.abs(x) - 0.06) * 0.25) / 0.016),
    );
  return Math.min(1, Math.max(0.9 * line, nostril) + corner);
}

/** The relief that only a near look shows: pores, fine creases, lines of the lips. In half heights of the face. */
export function skinRelief(x: number, y: number, seed: number, onLips: number): number {
  if (onLips > 0.5) return 0.0022 * cloud(x * 62, y * 9, seed + 90, 2);
  // Pores are wide on nose and cheeks, and hardly seen on the brow.
  const wide = 0.5 + 0.5 * bell(Math.abs(x) - 0.2, y - 0.2, 0.3, 0.3);
  const pore = nearestPoint(x * 78, y * 78, seed + 3);
  const crease = cloud(x * 95 + 0.8 * y * 40, y * 80, seed + 5, 2);
  const lines = 0.0011 * wrinkles(x, y, seed);
  return -0.0011 * wide * Math.max(0, 1 - pore * 2.3) + 0.00042 * crease - lines;
}

function wrinkles(x: number, y: number, seed: number): number {
  const bend = 0.02 * cloud(x * 3, y * 3, seed + 31, 2);
  const brow = step(-0.42, -0.5, y) * step(-0.85, -0.7, y) * step(0.45, 0.25, Math.abs(x));
  const forehead = brow * Math.exp(-((Math.sin((y + bend + 0.06 * x * x) * 38) - 1) ** 2) / 0.02);
  const side = Math.abs(x);
  const corner = bell(side - 0.53, y + 0.08, 0.06, 0.09);
  const crows =
    corner *
    Math.exp(-((Math.sin((y + 0.1 + bend + 0.5 * (side - 0.5) * Math.sign(y + 0.09)) * 90) - 1) ** 2) / 0.05);
  return forehead + 0.8 * crows;
}

export interface SkinColor {
  /** How much redder or paler than the tone of the person, and how much darker. */
  readonly red: number;
  readonly dark: number;
}

interface Spot {
  readonly x: number;
  readonly y: number;
  readonly size: number;
  readonly red: number;
  readonly dark: number;
}

/** Blemishes and moles, each time others. */
export function spotsOf(seed: number): readonly Spot[] {
  return Array.from({ length: 26 }, (_, index) => {
    const x = (hashed(index, 1, seed) - 0.5) * 1.25;
    const y = -0.72 + hashed(index, 2, seed) * 1.62;
    const mole = index % 7 === 0;
    const size = mole ? 0.009 + 0.006 * hashed(index, 3, seed) : 0.01 + 0.022 * hashed(index, 3, seed) ** 2;
    return { x, y, size, red: mole ? 0.1 : 0.6 + 0.5 * hashed(index, 4, seed), dark: mole ? 0.75 : 0.16 };
  });
}

/** Flushed cheeks and nose, blotches, rings below the eyes, freckles and spots. */
export function skinColor(x: number, y: number, seed: number, spots: readonly Spot[]): SkinColor {
  const side = Math.abs(x);
  const flush =
    0.34 * bell(side - 0.43, y - 0.22, 0.2, 0.17) +
    0.3 * bell(x, y - 0.26, 0.13, 0.1) +
    0.12 * bell(x, y - 0.86, 0.18, 0.12);
  const blotch = 0.34 * cloud(x * 5, y * 5, seed + 11, 3) + 0.2 * cloud(x * 15, y * 15, seed + 17, 2);
  const ring = bell(side - 0.27, y - 0.02, 0.13, 0.05);
  let red = flush + blotch - 0.15 * ring;
  let dark = 0.05 * cloud(x * 6, y * 6, seed + 13, 3) + 0.12 * ring;
  const freckle = nearestPoint(x * 21, y * 21, seed + 19);
  const freckled = step(0.45, 0.7, noise(x * 4, y * 4, seed + 23)) * bell(side - 0.26, y - 0.14, 0.34, 0.22);
  dark += 0.16 * freckled * step(0.22, 0.1, freckle);
  for (const spot of spots) {
    const dx = x - spot.x;
    const dy = y - spot.y;
    if (Math.abs(dx) > 0.08 || Math.abs(dy) > 0.08) continue;
    const weight = step(1.5, 0.4, Math.hypot(dx, dy) / spot.size);
    red += weight * spot.red;
    dark += weight * spot.dark;
  }
  return { red, dark };
}

/** How far hair of the brow covers the skin, from 0 to 1. */
export function brows(x: number, y: number, seed: number): number {
  const along = (Math.abs(x) - 0.32) / 0.225;
  if (Math.abs(along) > 1.1 || Math.abs(y + 0.33) > 0.14) return 0;
  const middle = -0.325 - 0.028 * (1 - (along - 0.35) ** 2) + 0.012 * along;
  const thick = 0.056 * step(1.1, -0.1, along) ** 0.8 * step(-1.1, -0.7, along);
  const off = (y - middle) / (thick + 0.002);
  if (Math.abs(off) > 1.7) return 0;
  // Hair grows upwards at the nose and lies down along the brow.
  const slant = mix(0.55, 2.4, step(-1, 0.1, along));
  const strand = noise(Math.abs(x) * 105 + (y + 0.33) * 105 * slant, y * 14, seed + 41);
  const fine = noise(Math.abs(x) * 190 + (y + 0.33) * 190 * slant, y * 36, seed + 43);
  const edge = step(1.3, 0.3, Math.abs(off) + 0.8 * (strand - 0.5));
  return Math.min(1, edge * step(0, 0.012, thick) * (0.3 + 0.55 * strand + 0.45 * fine));
}
