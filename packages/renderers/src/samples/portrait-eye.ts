import { EYES } from './portrait-face.ts';
import { bell, mix, noise, step } from './portrait-noise.ts';

export type Color = readonly [red: number, green: number, blue: number];

export interface EyePoint {
  /** 1 where the eyeball shows. */
  readonly open: number;
  /** Of the eyeball, as it is seen. */
  readonly color: Color;
  /** How far lashes and the line of the lid cover what lies below, from 0 to 1. */
  readonly lashes: number;
  /** The fold above the lid, how much it darkens. */
  readonly fold: number;
  /** The lid and what lies below the brow: where eye shadow is put. */
  readonly lid: number;
}

const SCLERA: Color = [0.74, 0.71, 0.69];

/** What an eye is at a place, or `undefined` away from the eyes. */
export function eyeAt(x: number, y: number, iris: Color, seed: number): EyePoint | undefined {
  const a = (Math.abs(x) - EYES.x) / EYES.half;
  const b = (y - EYES.y) / EYES.half + 0.1 * a;
  if (Math.abs(a) > 1.6 || b < -1.7 || b > 1.1) return undefined;
  const width = Math.max(0, 1 - a * a);
  const upper = -0.5 * width ** 0.72 * (1 + 0.12 * a) + 0.02;
  const lower = 0.27 * width ** 0.8 * (1 + 0.15 * a) + 0.02;
  const soft = 0.03;
  const within =
    Math.abs(a) < 1 ? step(upper - soft, upper + soft, b) * step(lower + soft, lower - soft, b) : 0;
  const inner = step(1.35, 0.95, Math.abs(a));
  const fold = inner * 0.55 * Math.exp(-(((b - upper + 0.2 + 0.05 * a) / 0.05) ** 2));
  const lid =
    inner * step(-1.15, -0.45, b) * step(upper + 0.04, upper - 0.02, b) * step(1.3, 0.8, Math.abs(a));
  return {
    open: within,
    color: eyeball(x < 0 ? -a : a, b, upper, lower, iris, seed),
    lashes: lashesAt(a, b, upper, lower, width, seed),
    fold,
    lid,
  };
}

/** `a` runs from left to right here, so that both eyes look the same way and have their highlight on the same side. */
function eyeball(a: number, b: number, upper: number, lower: number, iris: Color, seed: number): Color {
  const radius = Math.hypot(a, (b + 0.09) * 0.98);
  const corner = step(0.55, 1, Math.abs(a));
  const shadow =
    1 -
    0.62 * Math.exp(-(((b - upper) / 0.2) ** 2)) -
    0.18 * Math.exp(-(((lower - b) / 0.1) ** 2)) -
    0.3 * corner;
  const vein = 0.05 * step(0.62, 0.8, noise(a * 14 + 4 * noise(a * 6, b * 6, seed + 61), b * 16, seed + 63));
  let [red, green, blue] = SCLERA.map(
    (value, at) => value * (at === 0 ? 1 - 0.05 * corner : 1 - 0.2 * corner - vein),
  ) as [number, number, number];
  const angle = Math.atan2(b + 0.09, a);
  const fibre =
    0.6 +
    0.75 * noise(angle * 11, radius * 5, seed + 67) * noise(angle * 27, radius * 8, seed + 69) +
    0.25 * noise(angle * 40, radius * 3, seed + 71);
  const inside = step(0.435, 0.395, radius);
  // The iris is brightest on the side away from the light, and has a dark rim.
  const lit =
    fibre *
    (0.75 + 0.75 * bell(a - 0.12, b - 0.12, 0.3, 0.22)) *
    (1 - 0.75 * step(0.3, 0.43, radius)) *
    (1 + 0.5 * step(0.24, 0.16, radius));
  red = mix(red, iris[0] * lit, inside);
  green = mix(green, iris[1] * lit, inside);
  blue = mix(blue, iris[2] * lit, inside);
  const pupil = 1 - 0.97 * step(0.18, 0.15, radius);
  const glint = 0.95 * step(1.15, 0.75, Math.max(Math.abs(a + 0.13) / 0.075, Math.abs(b + 0.2) / 0.085));
  const faint = 0.1 * step(1.1, 0.5, Math.hypot((a - 0.14) / 0.08, (b - 0.1) / 0.05));
  const add = glint + faint;
  const shade = Math.max(0.08, shadow) * pupil;
  // The wet edge of the lower lid.
  const tear = 0.12 * Math.exp(-(((lower - b - 0.035) / 0.022) ** 2));
  return [red * shade + add + tear, green * shade + add + tear, blue * shade + add + tear];
}

function lashesAt(a: number, b: number, upper: number, lower: number, width: number, seed: number): number {
  if (Math.abs(a) > 1.35) return 0;
  const outer = step(-1, 0.8, a);
  const line =
    Math.exp(-(((b - upper + 0.012) / (0.028 + 0.034 * outer)) ** 2)) * step(1.12, 0.95, Math.abs(a));
  const above = upper - b;
  const reach = 0.1 + 0.16 * outer;
  let hair = 0;
  if (above > -0.03 && above < reach * 1.3) {
    // Lashes lean outwards the longer they get.
    const root = a - above * (0.25 + 0.9 * a);
    const strand = noise(root * 26, 3 + above, seed + 81);
    hair = step(0.48, 0.7, strand) * step(reach, reach * 0.25, above) * step(1.15, 0.9, Math.abs(root));
  }
  const below = b - lower;
  const rim = 0.4 * Math.exp(-((below / 0.02) ** 2)) * step(1.05, 0.8, Math.abs(a)) * (0.4 + 0.6 * outer);
  let under = 0;
  if (below > 0 && below < 0.09) {
    under =
      0.4 *
      step(0.6, 0.8, noise((a - below * a) * 24, 9, seed + 83)) *
      step(0.09, 0.02, below) *
      step(0, 0.3, width);
  }
  return Math.min(1, Math.max(0.93 * line, 0.85 * hair, rim, under));
}
