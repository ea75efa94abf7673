import { blurWithin, boxMean, softBlur } from '../pixels/box-blur.ts';
import type { Corrections } from './corrections.ts';
import type { Skin } from './find-skin.ts';
import { enclosedBy } from './regions.ts';
import { clamp, type SmallPlanes, smoothstep } from './small-planes.ts';

/** How much make-up lies on each pixel, from 0 to 1: color inside of a face that its skin does not have. */
export function findMakeUp(planes: SmallPlanes, skin: Skin): Float32Array {
  const face = softBlur(skin.mask, planes, skin.extent * 0.12);
  // Lips, lids and cheeks are surrounded by skin; what is beside a face is not.
  const near = new Float32Array(face.length);
  for (let at = 0; at < near.length; at++) near[at] = (face[at] ?? 0) > 0.52 ? 1 : (skin.mask[at] ?? 0);
  const enclosed = boxMean(enclosedBy(near, planes), planes, 1);
  const made = new Float32Array(planes.luma.length);
  for (let at = 0; at < made.length; at++) {
    const inside = smoothstep(0.25, 0.45, face[at] ?? 0) * (enclosed[at] ?? 0);
    if (inside === 0) continue;
    const along = (skin.axes.along[at] ?? 0) - skin.tone.along;
    const across = (skin.axes.across[at] ?? 0) - skin.tone.across;
    const off = offSkin(along, across);
    // Lashes, pupils and the whites of eyes are neither make-up nor skin.
    const light = (planes.luma[at] ?? 0) / skin.tone.luma;
    const seen =
      smoothstep(0.22, 0.4, light) * smoothstep(1.45, 1.2, light + 0.02 * Math.max(0, -along - 12));
    // On skin a weight that grows slowly, so that of two colors the stronger stays the stronger one.
    const own = skin.mask[at] ?? 0;
    made[at] = inside * seen * (own * (off / (off + 2.5)) + (1 - own) * smoothstep(3, 9, off));
  }
  const steady = boxMean(made, planes, Math.max(1, Math.round(skin.extent / 80)));
  for (let at = 0; at < made.length; at++) {
    // An iris is colored as well, but between edges, and never as red as lips.
    const red = smoothstep(6, 12, (skin.axes.across[at] ?? 0) - skin.tone.across);
    const edges = Math.max(red, smoothstep(0.13, 0.07, skin.busy[at] ?? 0));
    made[at] = edges * (made[at] ?? 0) * smoothstep(0.1, 0.35, steady[at] ?? 0);
  }
  return boxMean(made, planes, 1);
}

/** Leaves lips as red as bare ones are, and takes everything else to the color of the skin around it. */
export function removeMakeUp(
  planes: SmallPlanes,
  { mask, axes, tone, extent }: Skin,
  made: Float32Array,
  share: number,
  { luma, cb, cr }: Corrections,
): void {
  const bare = new Float32Array(mask.length);
  for (let at = 0; at < bare.length; at++) bare[at] = (mask[at] ?? 0) * (1 - (made[at] ?? 0)) ** 3;
  const around = blurWithin([planes.luma, planes.cb, planes.cr], bare, planes, extent * 0.09);
  const [nearLuma = planes.luma, nearCb = planes.cb, nearCr = planes.cr] = around;
  for (let at = 0; at < made.length; at++) {
    const weight = share * (made[at] ?? 0);
    if (weight === 0) continue;
    const along = (axes.along[at] ?? 0) - tone.along;
    const across = (axes.across[at] ?? 0) - tone.across;
    const lips = smoothstep(11, 24, across);
    const painted = smoothstep(8, 18, offSkin(along, across));
    // Bare lips are somewhat darker and redder than the skin around them.
    const here = planes.luma[at] ?? 0;
    const near = Math.max(1, nearLuma[at] ?? 0);
    const lighter = painted * (0.7 - 0.1 * lips) * Math.max(0, near * (0.92 - 0.2 * lips) - here);
    const light = clamp((here + lighter) / near, 0.5, 1.2);
    const bareCb = (nearCb[at] ?? 0) * light * (1 - 0.05 * lips);
    const bareCr = (nearCr[at] ?? 0) * light * (1 + 0.4 * lips);
    luma[at] = (luma[at] ?? 0) + weight * lighter;
    cb[at] = (cb[at] ?? 0) + weight * (bareCb - (planes.cb[at] ?? 0));
    cr[at] = (cr[at] ?? 0) + weight * (bareCr - (planes.cr[at] ?? 0));
  }
}

/** Lipstick and rouge lie across the line of skins, eye shadow beyond its pale end; what is on the line is skin. */
function offSkin(along: number, across: number): number {
  return Math.hypot(across, Math.max(0, Math.abs(along) - 14) * 0.8);
}
