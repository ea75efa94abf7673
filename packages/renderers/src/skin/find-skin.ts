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
  const middle = middleShare(planes, axes);
  const likelihood = skinLikelihood(planes, axes).map((value, at) => {
    const plain = smoothstep(0.06, 0.025, busy[at] ?? 0) * smoothstep(0.06, 0.3, middle[at] ?? 0);
    return value * plain;
  });
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
  const busy = luma.map((value, at) => Math.abs(value - (smooth[at] ?? 0)) / ((smooth[at] ?? 0) + 22));
  const around = boxMean(busy, planes, 3);
  const noise = Math.min(0.03, quantile(around, 0.1));
  return around.map((value) => Math.max(0, value - noise));
}

/** People are rarely at the rim of a picture, so pixels there count less. */
function inTheMiddle(likelihood: Float32Array, { width, height }: SmallPlanes): Float32Array {
  return likelihood.map((value, at) => {
    const down = (2 * Math.floor(at / width) + 1) / height - 1;
    const across = (2 * (at % width) + 1) / width - 1;
    const likely = smoothstep(0.3, 0.8, value);
    return likely * (1 - 0.85 * smoothstep(0.25, 1.1, across * across + down * down));
  });
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
  return likelihood.map((likely, at) => {
    if (likely === 0) return 0;
    const off = offTone(axes, at, tone, spread);
    const light = (planes.luma[at] ?? 0) / tone.luma;
    // Dark and uneven areas are hair, dark and even ones are skin in the shade.
    const hair = smoothstep(0.012, 0.032, (busy[at] ?? 0) * (0.6 + smoothstep(0.95, 0.5, light)));
    return smoothstep(0.12, 0.5, likely) * smoothstep(3, 2, off) * smoothstep(0.2, 0.38, light) * (1 - hair);
  });
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
  const mask = likely.map((value, at) => {
    const wide = widely[at] ?? 0;
    if (wide < 0.05) return 0;
    const bright = smoothstep(1.05, 1.25, (planes.luma[at] ?? 0) / tone.luma);
    // Gloss has the color of the light: it is less saturated along the line of skins, but hardly differs across it.
    const pale = smoothstep(4, 2, Math.abs((axes.across[at] ?? 0) - tone.across) / spread.across);
    const gloss = bright * pale * smoothstep(0.3, 0.5, wide) * smoothstep(0.03, 0.01, calm[at] ?? 0);
    // A cheek may be as red as lips, but has no edge nearby.
    const red = smoothstep(17, 13, Math.abs((axes.across[at] ?? 0) - tone.across));
    const cheek = red * smoothstep(0.45, 0.65, wide) * smoothstep(0.02, 0.01, calmer[at] ?? 0);
    const inside = smoothstep(0.25, 0.7, near[at] ?? 0) * smoothstep(0.05, 0.4, value);
    return Math.max(smoothstep(0.18, 0.4, around[at] ?? 0) * inside, gloss, cheek);
  });
  return boxMean(mask, planes, 1);
}
