import { blurWithin, boxMean } from '../pixels/box-blur.ts';
import { addTowards, type Corrections } from './corrections.ts';
import type { Skin } from './find-skin.ts';
import type { Recipe } from './recipe.ts';
import { clamp, type SmallPlanes, smoothstep } from './small-planes.ts';

/** The low band of a frequency separation: blotches go, the shape of the face stays. */
export function evenSkin(
  planes: SmallPlanes,
  skin: Skin,
  blemishes: Float32Array,
  recipe: Recipe,
  corrections: Corrections,
): void {
  const scale = skin.extent / 150;
  const sound = new Float32Array(skin.mask.length);
  for (let at = 0; at < sound.length; at++)
    sound[at] = (skin.mask[at] ?? 0) * (1 - (blemishes[at] ?? 0)) ** 2;
  if (recipe.healing > 0) heal(planes, sound, blemishes, scale, corrections);
  const left = rest(blemishes);
  if (recipe.blotches > 0) {
    const smooth = smoothWithin(planes, sound, Math.max(1, Math.round(4.5 * scale)));
    addTowards(corrections.luma, planes.luma, smooth, 0.85 * recipe.blotches, left);
  }
  if (recipe.redness > 0) {
    const [cb, cr] = blurWithin([planes.cb, planes.cr], sound, planes, 9 * scale);
    if (cb !== undefined) addTowards(corrections.cb, planes.cb, cb, 0.8 * recipe.redness, left);
    if (cr !== undefined) addTowards(corrections.cr, planes.cr, cr, 0.8 * recipe.redness, left);
    pullTowardsTone(skin, recipe.redness * 0.25, corrections, planes);
  }
}

/** Puts sound skin from around a blemish in its place. */
function heal(
  planes: SmallPlanes,
  sound: Float32Array,
  blemishes: Float32Array,
  scale: number,
  corrections: Corrections,
): void {
  const targets = [corrections.luma, corrections.cb, corrections.cr];
  const sources = [planes.luma, planes.cb, planes.cr];
  blurWithin(sources, sound, planes, 3.2 * scale).forEach((healthy, index) => {
    const [target, source] = [targets[index], sources[index]];
    if (target !== undefined && source !== undefined) addTowards(target, source, healthy, 1, blemishes);
  });
}

/** What is left to the even-handed steps where a blemish was healed. */
function rest(blemishes: Float32Array): Float32Array {
  const left = new Float32Array(blemishes.length);
  for (let at = 0; at < left.length; at++) left[at] = 1 - (blemishes[at] ?? 0);
  return left;
}

/** A self-guided filter that only looks at skin: small differences go, the edges of shadows and folds stay. */
function smoothWithin(planes: SmallPlanes, weights: Float32Array, radius: number): Float32Array {
  const { luma } = planes;
  const first = new Float32Array(luma.length);
  const second = new Float32Array(luma.length);
  for (let at = 0; at < luma.length; at++) {
    const weighted = (luma[at] ?? 0) * (weights[at] ?? 0);
    first[at] = weighted;
    second[at] = weighted * (luma[at] ?? 0);
  }
  const total = boxMean(weights, planes, radius);
  const sums = boxMean(first, planes, radius);
  const squares = boxMean(second, planes, radius);
  const slope = first;
  const offset = second;
  for (let at = 0; at < luma.length; at++) {
    const weight = (total[at] ?? 0) + 1e-3;
    const mean = ((sums[at] ?? 0) + 1e-3 * (luma[at] ?? 0)) / weight;
    const variance = Math.max(0, (squares[at] ?? 0) / weight - mean * mean);
    // Differences below some five steps of 255 count as blotches.
    const steep = variance / (variance + 30);
    slope[at] = steep;
    offset[at] = (1 - steep) * mean;
  }
  const slopes = boxMean(slope, planes, Math.max(1, radius >> 1));
  const offsets = boxMean(offset, planes, Math.max(1, radius >> 1));
  for (let at = 0; at < luma.length; at++)
    offsets[at] = (slopes[at] ?? 0) * (luma[at] ?? 0) + (offsets[at] ?? 0);
  return offsets;
}

function pullTowardsTone(skin: Skin, share: number, { cb, cr }: Corrections, planes: SmallPlanes): void {
  for (let at = 0; at < cb.length; at++) {
    // Skin in the shade has less color by nature.
    const light = clamp((planes.luma[at] ?? 0) / skin.tone.luma, 0.3, 1.15);
    const bright = smoothstep(1.6, 1.1, (planes.luma[at] ?? 0) / skin.tone.luma);
    cb[at] = (cb[at] ?? 0) + share * bright * (skin.tone.cb * light - (planes.cb[at] ?? 0) - (cb[at] ?? 0));
    cr[at] = (cr[at] ?? 0) + share * bright * (skin.tone.cr * light - (planes.cr[at] ?? 0) - (cr[at] ?? 0));
  }
}
