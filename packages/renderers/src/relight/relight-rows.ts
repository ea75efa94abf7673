import { BLUE_WEIGHT, GREEN_WEIGHT, LINEAR_OF_BYTE, linearFromSrgb, RED_WEIGHT } from '../pixels/color.ts';
import { noiseRows } from '../pixels/noise.ts';
import type { Picture } from '../pixels/picture.ts';
import { clamp, enlarger, mapValues, type Planes } from '../pixels/planes.ts';
import type { Scene } from './scene.ts';
import { CURVE_REACH, CURVE_STEPS, type Tones } from './tones.ts';

/** The input of the pass over the picture. A pixel becomes `light * gain + added`. */
export interface Application {
  readonly scene: Scene;
  readonly gains: Planes;
  readonly added: Planes;
  /** Replaces a plain background. In linear light. */
  readonly backdrop: Planes | undefined;
  readonly tones: Tones;
  /** The share of the relit picture in a mix with the original. */
  readonly share: number;
  readonly seed: number;
}

const SCALE = CURVE_STEPS / CURVE_REACH;
const AREA_STEPS = 1024;
const AREA_LIGHT = Float32Array.from({ length: AREA_STEPS + 1 }, (_, n) => linearFromSrgb(n / AREA_STEPS));
const NONE = new Float32Array(0);

/** Returns a function that relights rows of the picture in place. */
export function rowRelighter(picture: Picture, application: Application): (from: number, to: number) => void {
  const { scene, tones, gains, added, seed, share } = application;
  const behind = backgroundPlanes(application);
  const planes = [...gains, ...added, scene.base.slope, scene.base.offset, ...behind];
  const rowsOf = enlarger(planes, scene, picture);
  const grainOf = tones.grain > 0 ? noiseRows(seed, 0.6, picture.width) : undefined;
  const pass = { picture, tones, share, replaces: behind.length > 0 };
  return (from, to) => {
    for (let y = from; y < to; y++) relightRow(pass, rowsOf(y), grainOf?.(y), y);
  };
}

interface Pass {
  readonly picture: Picture;
  readonly tones: Tones;
  readonly share: number;
  readonly replaces: boolean;
}

/** A separate function without allocations, so that the runtime compiles it once and keeps it for the next picture. */
function relightRow(
  { picture, tones, share, replaces }: Pass,
  rows: readonly Float32Array[],
  grain: Float32Array | undefined,
  y: number,
): void {
  const { width, rgb } = picture;
  const { curve, compression, detail, saturation, keepsDetails } = tones;
  const [shadowR, shadowG, shadowB] = tones.shadows;
  const [highR, highG, highB] = tones.highlights;
  // Rounds and clamps.
  const out = new Uint8ClampedArray(rgb.buffer, rgb.byteOffset, rgb.length);
  const [gainsR = NONE, gainsG = NONE, gainsB = NONE, addedR = NONE, addedG = NONE, addedB = NONE] = rows;
  const [baseSlope = NONE, baseOffset = NONE, ofRed = NONE, ofGreen = NONE, ofBlue = NONE] = rows.slice(6);
  const [offset = NONE, newR = NONE, newG = NONE, newB = NONE, oldR = NONE, oldG = NONE, oldB = NONE] =
    rows.slice(11);
  for (let x = 0, pixel = y * width * 3; x < width; x++, pixel += 3) {
    const r = rgb[pixel] ?? 0;
    const g = rgb[pixel + 1] ?? 0;
    const b = rgb[pixel + 2] ?? 0;
    let lightR = LINEAR_OF_BYTE[r] ?? 0;
    let lightG = LINEAR_OF_BYTE[g] ?? 0;
    let lightB = LINEAR_OF_BYTE[b] ?? 0;
    let moreR = addedR[x] ?? 0;
    let moreG = addedG[x] ?? 0;
    let moreB = addedB[x] ?? 0;
    if (replaces) {
      const inside = ((ofRed[x] ?? 0) * r + (ofGreen[x] ?? 0) * g + (ofBlue[x] ?? 0) * b) / 255;
      // Narrower than the filter makes it, because bright wall around a subject at night would look like a halo.
      const outside = 1 - clamp(1.8 * (inside + (offset[x] ?? 0)) - 0.75, 0, 1);
      // The old background is removed from mixed pixels, so that no fringe remains.
      lightR = Math.max(0, lightR - outside * (oldR[x] ?? 0));
      lightG = Math.max(0, lightG - outside * (oldG[x] ?? 0));
      lightB = Math.max(0, lightB - outside * (oldB[x] ?? 0));
      moreR += outside * (newR[x] ?? 0);
      moreG += outside * (newG[x] ?? 0);
      moreB += outside * (newB[x] ?? 0);
    }
    const gainR = gainsR[x] ?? 0;
    const gainG = gainsG[x] ?? 0;
    const gainB = gainsB[x] ?? 0;
    const litR = lightR * gainR + moreR;
    const litG = lightG * gainG + moreG;
    const litB = lightB * gainB + moreB;
    const tone = (77 * r + 150 * g + 29 * b) / 65_280;
    const area = clamp((baseSlope[x] ?? 0) * tone + (baseOffset[x] ?? 0), 0.004, 1);
    let level = RED_WEIGHT * litR + GREEN_WEIGHT * litG + BLUE_WEIGHT * litB;
    let own = 1;
    if (keepsDetails && !replaces) {
      // The surrounding area decides how bright light is compressed, so that details stay.
      const more = RED_WEIGHT * moreR + GREEN_WEIGHT * moreG + BLUE_WEIGHT * moreB;
      const gain = RED_WEIGHT * gainR + GREEN_WEIGHT * gainG + BLUE_WEIGHT * gainB;
      level = (AREA_LIGHT[(area * AREA_STEPS) | 0] ?? 0) * gain + more;
      own = clamp(1 - more / (level + 1e-6), 0, 1);
    }
    const standsOut = clamp((tone / area - 1) * own * 2.2 * detail, -0.7, 0.9);
    const factor = (compression[indexOf(level)] ?? 0) * (1 + standsOut);
    const outR = curve[indexOf(litR * factor)] ?? 0;
    const outG = curve[indexOf(litG * factor)] ?? 0;
    const outB = curve[indexOf(litB * factor)] ?? 0;
    const gray = 0.299 * outR + 0.587 * outG + 0.114 * outB;
    // Saturated pixels get little more color, or they would lose their shades.
    const pale = 1 - (Math.max(outR, outG, outB) - Math.min(outR, outG, outB)) / 255;
    const color = saturation > 1 ? 1 + (saturation - 1) * pale : saturation;
    const height = gray / 255;
    const hump = 6.75 * height * (1 - height);
    const dark = hump * (1 - height);
    const bright = hump * height;
    const base = grain === undefined ? gray : gray + tones.grain * (grain[x] ?? 0);
    const madeR = base + color * (outR - gray) + dark * shadowR + bright * highR;
    const madeG = base + color * (outG - gray) + dark * shadowG + bright * highG;
    const madeB = base + color * (outB - gray) + dark * shadowB + bright * highB;
    out[pixel] = r + share * (madeR - r);
    out[pixel + 1] = g + share * (madeG - g);
    out[pixel + 2] = b + share * (madeB - b);
  }
}

/** Tables are indexed by the square root of light, which is close to how people see it. */
function indexOf(light: number): number {
  return light <= 0 ? 0 : Math.min(CURVE_STEPS, (Math.sqrt(light) * SCALE + 0.5) | 0);
}

/** The matte, the new background and the old one. Empty when the background stays. */
function backgroundPlanes({ scene: { subject }, backdrop }: Application): readonly Float32Array[] {
  if (subject === undefined || backdrop === undefined) return [];
  const { red, green, blue, offset } = subject.coefficients;
  return [red, green, blue, offset, ...backdrop, ...mapValues(subject.background, linearFromSrgb)];
}
