import { blurWithin } from '../pixels/box-blur.ts';
import { fillRow, type NoiseField } from '../pixels/noise-tile.ts';
import type { Corrections } from './corrections.ts';
import type { Skin } from './find-skin.ts';
import type { Recipe } from './recipe.ts';
import { clamp, type SmallPlanes } from './small-planes.ts';

/** Brings the dark side of a face up and takes the gloss off it, without flattening it. */
export function lightSkin(planes: SmallPlanes, skin: Skin, recipe: Recipe, corrections: Corrections): void {
  if (recipe.evenLight === 0 && recipe.gloss === 0) return;
  const [light = planes.luma] = blurWithin(
    [planes.luma],
    skin.mask,
    planes,
    Math.max(1.5, skin.extent * 0.15),
  );
  const { luma, cb, cr } = corrections;
  // A little over the mean, so that the face as a whole becomes lighter.
  const aim = skin.tone.luma * 1.08;
  for (let at = 0; at < luma.length; at++) {
    const here = light[at] ?? 0;
    const missing = aim - here;
    luma[at] = (luma[at] ?? 0) + recipe.evenLight * missing * (missing > 0 ? 0.62 : 0.3);
    const over = (planes.luma[at] ?? 0) - here * 1.06 - 5;
    if (over <= 0) continue;
    const taken = recipe.gloss * over * 0.65;
    luma[at] = (luma[at] ?? 0) - taken;
    // Below the gloss lies skin of the usual color.
    const share = clamp((taken / Math.max(20, here)) * 2.5, 0, 0.6);
    cb[at] = (cb[at] ?? 0) + share * (skin.tone.cb - (planes.cb[at] ?? 0));
    cr[at] = (cr[at] ?? 0) + share * (skin.tone.cr - (planes.cr[at] ?? 0));
  }
}

/** Takes painted skin to what a camera sees: color within bounds, and never the same twice. */
export function liveSkin(
  planes: SmallPlanes,
  recipe: Recipe,
  corrections: Corrections,
  mottles: readonly [red: NoiseField, dark: NoiseField],
): void {
  if (recipe.calmColor === 0 && recipe.mottle === 0) return;
  const { luma, cb, cr } = corrections;
  const reds = new Float32Array(planes.width);
  const darks = new Float32Array(planes.width);
  for (let y = 0, at = 0; y < planes.height; y++) {
    fillRow(mottles[0], y, reds);
    fillRow(mottles[1], y, darks);
    for (let x = 0; x < planes.width; x++, at++) {
      const here = (planes.luma[at] ?? 0) / 255;
      const b = planes.cb[at] ?? 0;
      const r = planes.cr[at] ?? 0;
      const color = Math.hypot(b, r);
      // As measured on skins of all tones: most color in the middle of the scale.
      const most = 14 + 62 * here * (1.15 - here);
      const less = recipe.calmColor * Math.max(0, 1 - most / Math.max(1, color)) * 0.85;
      const living = recipe.mottle * clamp(here * 2.2, 0.2, 1);
      cb[at] = (cb[at] ?? 0) - less * b - 0.7 * living * (reds[x] ?? 0);
      cr[at] = (cr[at] ?? 0) - less * r + 1.4 * living * (reds[x] ?? 0);
      luma[at] = (luma[at] ?? 0) + living * (0.7 * (darks[x] ?? 0) - 0.5 * (reds[x] ?? 0));
    }
  }
}
