import { blurWithin, boxMean, smoothstep, softBlur } from '../pixels/planes.ts';
import type { Skin } from './find-skin.ts';
import { enclosedBy } from './regions.ts';
import type { SmallPlanes } from './small-planes.ts';

/** How much redder bare lips are than the skin, on the axis across the line of skins. */
const BARE_LIPS = 9;

/**
 * The change that removes make-up: lipstick becomes the red of bare lips, shadow and rouge become mostly the skin around them. `amount` is
 * how much make-up is on each pixel, 0 to 1.
 */
export function makeUpOn(planes: SmallPlanes, skin: Skin, share: number) {
  const { mask, axes, tone, extent } = skin;
  const amount = findMakeUp(planes, skin);
  const bare = mask.map((value, at) => value * (1 - (amount[at] ?? 0)) ** 3);
  const [nearLuma, nearCb, nearCr] = blurWithin(
    [planes.luma, planes.cb, planes.cr] as const,
    bare,
    planes,
    extent * 0.09,
  );
  const made = { luma: amount.slice(), cb: amount.slice(), cr: amount.slice(), amount };
  for (let at = 0; at < amount.length; at++) {
    const excess = (axes.across[at] ?? 0) - tone.across;
    const lips = smoothstep(5, 10, excess);
    // Lips keep the red of bare lips. With less they would look gray.
    const kept =
      lips * Math.min(1, (BARE_LIPS + 0.35 * Math.max(0, excess - BARE_LIPS)) / Math.max(1, excess));
    const way = share * (amount[at] ?? 0) * (lips > 0 ? 1 - kept : 0.8);
    const y = planes.luma[at] ?? 0;
    made.luma[at] = way * 0.6 * ((nearLuma[at] ?? 0) * (1 - 0.15 * lips) - y);
    made.cb[at] = way * ((nearCb[at] ?? 0) - (planes.cb[at] ?? 0));
    made.cr[at] = way * ((nearCr[at] ?? 0) - (planes.cr[at] ?? 0));
  }
  return made;
}

/** Finds colors within a face that its skin does not have. */
function findMakeUp(planes: SmallPlanes, { mask, axes, tone, extent, busy }: Skin): Float32Array {
  const face = softBlur(mask, planes, extent * 0.12);
  // Lips, lids and cheeks are surrounded by skin, unlike things beside a face.
  const near = face.map((value, at) => (value > 0.52 ? 1 : (mask[at] ?? 0)));
  const enclosed = boxMean(enclosedBy(near, planes), planes, 1);
  const made = face.map((value, at) => {
    const inside = smoothstep(0.25, 0.45, value) * (enclosed[at] ?? 0);
    const along = (axes.along[at] ?? 0) - tone.along;
    const off = Math.hypot((axes.across[at] ?? 0) - tone.across, Math.max(0, Math.abs(along) - 14) * 0.8);
    // Lashes, pupils and the whites of eyes are neither make-up nor skin.
    const light = (planes.luma[at] ?? 0) / tone.luma;
    const seen =
      smoothstep(0.22, 0.4, light) * smoothstep(1.45, 1.2, light + 0.02 * Math.max(0, -along - 12));
    return inside * seen * smoothstep(4, 12, off);
  });
  const steady = boxMean(made, planes, Math.max(1, Math.round(extent / 80)));
  const kept = made.map((value, at) => {
    // An iris is colored too, but has edges around it and is never as red as lips.
    const red = smoothstep(6, 12, (axes.across[at] ?? 0) - tone.across);
    const calm = Math.max(red, smoothstep(0.13, 0.07, busy[at] ?? 0));
    return calm * value * smoothstep(0.1, 0.35, steady[at] ?? 0);
  });
  return boxMean(kept, planes, 1);
}
