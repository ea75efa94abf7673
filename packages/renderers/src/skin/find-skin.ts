import { boxMean, clamp, quantile, smoothstep, softBlur } from '../pixels/planes.ts';
import { middleShare } from './backdrop-colors.ts';
import { largestRegion } from './regions.ts';
import { type SkinAxes, skinAxes, skinLikelihood } from './skin-color.ts';
import type { SmallPlanes } from './small-planes.ts';

export interface Skin {
  /** From 0 to 1, with soft edges. */
  readonly mask: Float32Array;
  readonly axes: SkinAxes;
  readonly tone: SkinTone;
  /** The square root of the area of the largest piece of skin, in pixels of the reduced picture. */
  readonly extent: number;
  /** How much the picture varies around each pixel, relative to its brightness. */
  readonly busy: Float32Array;
}

type SkinTone = NonNullable<ReturnType<typeof toneOf>>;
type Spread = ReturnType<typeof spreadOf>;

/** A smaller share of the picture is a spot of the same color, not a person. */
const LEAST_SHARE = 0.004;

/** `undefined` for a picture without skin. */
export function findSkin(planes: SmallPlanes): Skin | undefined {
  const axes = skinAxes(planes);
  const busy = busyness(planes);
  const likelihood = skinLikelihood(planes, axes);
  const middle = middleShare(planes, axes);
  for (let at = 0; at < likelihood.length; at++) {
    const plain = smoothstep(0.06, 0.025, busy[at] ?? 0) * smoothstep(0.06, 0.3, middle[at] ?? 0);
    likelihood[at] = (likelihood[at] ?? 0) * plain;
  }
  const seeds = inTheMiddle(likelihood, planes);
  const first = toneOf(planes, axes, seeds);
  if (first === undefined) return undefined;
  const spread = spreadOf(axes, seeds, first);
  const usual = { tone: first, spread, busy };
  const likely = ofThisTone(planes, axes, likelihood, usual);
  const mask = inRegions(planes, axes, likely, usual);
  const extent = Math.sqrt(largestRegion(mask, planes));
  const tone = toneOf(planes, axes, mask);
  if (tone === undefined || extent * extent < LEAST_SHARE * mask.length) return undefined;
  return { mask, axes, tone, extent, busy };
}

/** Hair, cloth and leaves vary much more than skin. The noise of the whole picture is subtracted. */
function busyness(planes: SmallPlanes): Float32Array {
  const { luma } = planes;
  const smooth = boxMean(luma, planes, 1);
  const busy = new Float32Array(luma.length);
  for (let at = 0; at < busy.length; at++) {
    busy[at] = Math.abs((luma[at] ?? 0) - (smooth[at] ?? 0)) / ((smooth[at] ?? 0) + 22);
  }
  const around = boxMean(busy, planes, 3);
  const noise = Math.min(0.03, quantile(around, 0.1));
  for (let at = 0; at < around.length; at++) around[at] = Math.max(0, (around[at] ?? 0) - noise);
  return around;
}

/** People are rarely at the rim of a picture, so pixels there count less. */
function inTheMiddle(likelihood: Float32Array, { width, height }: SmallPlanes): Float32Array {
  const weights = new Float32Array(likelihood.length);
  for (let y = 0, at = 0; y < height; y++) {
    const down = (2 * y + 1) / height - 1;
    for (let x = 0; x < width; x++, at++) {
      const across = (2 * x + 1) / width - 1;
      const likely = smoothstep(0.3, 0.8, likelihood[at] ?? 0);
      weights[at] = likely * (1 - 0.85 * smoothstep(0.25, 1.1, across * across + down * down));
    }
  }
  return weights;
}

/** The mean skin color. */
function toneOf(planes: SmallPlanes, axes: SkinAxes, weights: Float32Array) {
  let [luma, cb, cr, along, across, total] = [0, 0, 0, 0, 0, 0];
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight === 0) continue;
    total += weight;
    luma += weight * (planes.luma[at] ?? 0);
    cb += weight * (planes.cb[at] ?? 0);
    cr += weight * (planes.cr[at] ?? 0);
    along += weight * (axes.along[at] ?? 0);
    across += weight * (axes.across[at] ?? 0);
  }
  if (total < weights.length * LEAST_SHARE * 0.5) return undefined;
  return { luma: luma / total, cb: cb / total, cr: cr / total, along: along / total, across: across / total };
}

function spreadOf(axes: SkinAxes, weights: Float32Array, tone: SkinTone) {
  let [along, across, total] = [0, 0, 1e-9];
  for (let at = 0; at < weights.length; at++) {
    const weight = weights[at] ?? 0;
    if (weight === 0) continue;
    total += weight;
    along += weight * ((axes.along[at] ?? 0) - tone.along) ** 2;
    across += weight * ((axes.across[at] ?? 0) - tone.across) ** 2;
  }
  return {
    along: clamp(Math.sqrt(along / total), 6, 13),
    across: clamp(Math.sqrt(across / total), 3, 5.5),
  };
}

interface Usual {
  readonly tone: SkinTone;
  readonly spread: Spread;
  readonly busy: Float32Array;
}

/** Keeps colors close to the skin of this picture, which wood and sand rarely are. */
function ofThisTone(
  planes: SmallPlanes,
  axes: SkinAxes,
  likelihood: Float32Array,
  usual: Usual,
): Float32Array {
  const { tone, spread, busy } = usual;
  const kept = new Float32Array(likelihood.length);
  for (let at = 0; at < kept.length; at++) {
    const likely = likelihood[at] ?? 0;
    if (likely === 0) continue;
    const off = offTone(axes, at, tone, spread);
    const light = (planes.luma[at] ?? 0) / tone.luma;
    // Dark and uneven areas are hair, dark and even ones are skin in the shade.
    const hair = smoothstep(0.012, 0.032, (busy[at] ?? 0) * (0.6 + smoothstep(0.95, 0.5, light)));
    kept[at] =
      smoothstep(0.12, 0.5, likely) * smoothstep(3, 2, off) * smoothstep(0.2, 0.38, light) * (1 - hair);
  }
  return kept;
}

/** The distance of a color from the tone, in spreads. */
function offTone(axes: SkinAxes, at: number, tone: SkinTone, spread: Spread): number {
  const along = ((axes.along[at] ?? 0) - tone.along) / spread.along;
  const across = ((axes.across[at] ?? 0) - tone.across) / spread.across;
  return Math.sqrt(along * along + across * across);
}

/** Drops single pixels, fills glossy spots within skin, and keeps away from eyes, lips and hair. */
function inRegions(planes: SmallPlanes, axes: SkinAxes, likely: Float32Array, usual: Usual): Float32Array {
  const { tone, spread, busy } = usual;
  const reach = Math.max(1, Math.round(Math.min(planes.width, planes.height) / 40));
  const around = softBlur(likely, planes, reach);
  const widely = softBlur(around, planes, reach * 2);
  const near = boxMean(likely, planes, Math.max(1, Math.round(reach / 5)));
  const calm = boxMean(busy, planes, Math.max(1, Math.round(reach / 3)));
  const calmer = boxMean(busy, planes, reach);
  const mask = new Float32Array(likely.length);
  for (let at = 0; at < mask.length; at++) {
    const wide = widely[at] ?? 0;
    if (wide < 0.05) continue;
    const bright = smoothstep(1.05, 1.25, (planes.luma[at] ?? 0) / tone.luma);
    // Gloss has the color of the light: it is less saturated along the line of skins, but hardly differs across it.
    const pale = smoothstep(4, 2, Math.abs((axes.across[at] ?? 0) - tone.across) / spread.across);
    const gloss = bright * pale * smoothstep(0.3, 0.5, wide) * smoothstep(0.03, 0.01, calm[at] ?? 0);
    // A cheek may be as red as lips, but has no edge nearby.
    const red = smoothstep(17, 13, Math.abs((axes.across[at] ?? 0) - tone.across));
    const cheek = red * smoothstep(0.45, 0.65, wide) * smoothstep(0.02, 0.01, calmer[at] ?? 0);
    const inside = smoothstep(0.25, 0.7, near[at] ?? 0) * smoothstep(0.05, 0.4, likely[at] ?? 0);
    mask[at] = Math.max(smoothstep(0.18, 0.4, around[at] ?? 0) * inside, gloss, cheek);
  }
  return boxMean(mask, planes, 1);
}
