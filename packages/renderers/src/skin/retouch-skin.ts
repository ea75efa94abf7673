import { blurWithin, boxMean, clamp, product, smoothstep, softBlur } from '../pixels/planes.ts';
import type { Skin } from './find-skin.ts';
import { makeUpOn } from './make-up.ts';
import type { Recipe } from './recipe.ts';
import type { SmallPlanes } from './small-planes.ts';

/** The change of the skin's low band, at reduced size. */
export function retouchSkin(planes: SmallPlanes, skin: Skin, recipe: Recipe) {
  const { mask, tone, extent } = skin;
  const scale = extent / 150;
  const healed = findBlemishes(planes, skin, recipe.healing);
  const sound = mask.map((value, at) => value * (1 - (healed[at] ?? 0)) ** 2);
  const { luma, cb, cr } = planes;
  const [nearLuma, nearCb, nearCr] = blurWithin([luma, cb, cr] as const, sound, planes, 3.2 * scale);
  const [wideCb, wideCr] = blurWithin([cb, cr] as const, sound, planes, 9 * scale);
  const [faceLight] = blurWithin([luma] as const, mask, planes, Math.max(1.5, extent * 0.15));
  const smooth = smoothWithin(planes, sound, Math.max(1, Math.round(4.5 * scale)));
  const made = recipe.makeUp > 0 ? makeUpOn(planes, skin, recipe.makeUp) : undefined;
  const result = { luma: new Float32Array(luma.length), cb: luma.slice(), cr: luma.slice() };
  for (let at = 0; at < mask.length; at++) {
    const [y, b, r, heal] = [luma[at] ?? 0, cb[at] ?? 0, cr[at] ?? 0, healed[at] ?? 0];
    const around = faceLight[at] ?? 0;
    const left = 1 - heal;
    // A little above the mean, so that the whole face becomes lighter.
    const missing = tone.luma * 1.08 - around;
    const glossy = recipe.gloss * 0.65 * Math.max(0, y - around * 1.06 - 5);
    result.luma[at] =
      heal * ((nearLuma[at] ?? 0) - y) +
      left * 0.85 * recipe.blotches * ((smooth[at] ?? 0) - y) +
      recipe.evenLight * missing * (missing > 0 ? 0.62 : 0.3) -
      glossy +
      (made?.luma[at] ?? 0);
    // Skin has less color in the shade and in bright light.
    const light = clamp(y / tone.luma, 0.3, 1.15);
    const pull = 0.25 * recipe.redness * smoothstep(1.6, 1.1, y / tone.luma);
    const below = clamp((glossy / Math.max(20, around)) * 2.5, 0, 0.6);
    const even = 0.8 * recipe.redness * left;
    const color = (own: number, near: number, wide: number, usual: number): number =>
      heal * (near - own) + even * (wide - own) + pull * (usual * light - own) + below * (usual - own);
    result.cb[at] = color(b, nearCb[at] ?? 0, wideCb[at] ?? 0, tone.cb) + (made?.cb[at] ?? 0);
    result.cr[at] = color(r, nearCr[at] ?? 0, wideCr[at] ?? 0, tone.cr) + (made?.cr[at] ?? 0);
  }
  return {
    ...result,
    /** Skin, and make-up beside it. */
    mask: made === undefined ? mask : mask.map((value, at) => Math.max(value, made.amount[at] ?? 0)),
    /** How much of a pixel is a blemish, which is removed with its texture. */
    healed,
  };
}

/**
 * Finds small spots that are darker or redder than the skin around them, 0 to `strength`. A spot is curved in every direction. A wrinkle
 * or the shadow of a nose is curved in only one, and stays.
 */
function findBlemishes(planes: SmallPlanes, { mask, tone, extent }: Skin, strength: number): Float32Array {
  const { width, height } = planes;
  const found = new Float32Array(mask.length);
  if (strength === 0) return found;
  const scale = Math.max(1, extent / 150);
  for (const size of [0.9 * scale, 1.8 * scale]) {
    const luma = softBlur(planes.luma, planes, size);
    const red = softBlur(planes.cr, planes, size);
    const step = Math.max(1, Math.round(size));
    for (let y = step; y < height - step; y++) {
      for (let x = step; x < width - step; x++) {
        const at = y * width + x;
        if ((mask[at] ?? 0) < 0.5) continue;
        const dark = smallestBend(luma, at, step, step * width, 1) / Math.max(40, tone.luma);
        const flushed = smallestBend(red, at, step, step * width, -1);
        const weight = Math.max(smoothstep(0.012, 0.035, dark), smoothstep(0.4, 1.1, flushed));
        if (weight > (found[at] ?? 0)) found[at] = weight;
      }
    }
  }
  // A spot is healed with its rim.
  const wide = boxMean(found, planes, Math.max(1, Math.round(scale)));
  const spots = found.map(
    (value, at) =>
      strength * smoothstep(0.5, 0.95, mask[at] ?? 0) * Math.min(1, Math.max(value, 2 * (wide[at] ?? 0))),
  );
  return softBlur(spots, planes, scale * 0.6);
}

/** The smallest second derivative of all directions: above 0 only in a hollow, or with `sign` -1 on a hill. */
function smallestBend(plane: Float32Array, at: number, dx: number, dy: number, sign: number): number {
  const twice = 2 * (plane[at] ?? 0);
  const across = (plane[at - dx] ?? 0) + (plane[at + dx] ?? 0) - twice;
  const down = (plane[at - dy] ?? 0) + (plane[at + dy] ?? 0) - twice;
  const falling = (plane[at + dx + dy] ?? 0) + (plane[at - dx - dy] ?? 0);
  const rising = (plane[at + dx - dy] ?? 0) + (plane[at - dx + dy] ?? 0);
  return (sign * (across + down)) / 2 - Math.hypot((across - down) / 2, (falling - rising) / 4);
}

/** A self-guided filter within the skin: removes small differences, keeps the edges of shadows and folds. */
function smoothWithin(planes: SmallPlanes, weights: Float32Array, radius: number): Float32Array {
  const { luma } = planes;
  const total = boxMean(weights, planes, radius);
  const weighted = product(luma, weights);
  const sums = boxMean(weighted, planes, radius);
  const squares = boxMean(product(weighted, luma), planes, radius);
  const offset = new Float32Array(luma.length);
  const slope = luma.map((value, at) => {
    const weight = (total[at] ?? 0) + 1e-3;
    const mean = ((sums[at] ?? 0) + 1e-3 * value) / weight;
    const variance = Math.max(0, (squares[at] ?? 0) / weight - mean * mean);
    // Differences below about five steps of 255 are blotches.
    const steep = variance / (variance + 30);
    offset[at] = (1 - steep) * mean;
    return steep;
  });
  const half = Math.max(1, radius >> 1);
  const [slopes, offsets] = [boxMean(slope, planes, half), boxMean(offset, planes, half)];
  return luma.map((value, at) => (slopes[at] ?? 0) * value + (offsets[at] ?? 0));
}
