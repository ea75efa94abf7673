import { guidedFilter } from '../pixels/guided-filter.ts';
import { clamp, softBlur } from '../pixels/planes.ts';
import type { Recipe } from './recipe.ts';
import type { SmallPlanes } from './small-planes.ts';

/** What is added to the brightness of the whole picture: lifted shadows, and a glow as through a soft lens. */
export function lightPicture(planes: SmallPlanes, { shadows, glow }: Recipe): Float32Array {
  const edge = Math.max(planes.width, planes.height);
  const radius = Math.max(2, Math.round(edge / 24));
  // Follows edges, so that dark things have no halo.
  const base = guidedFilter(planes.luma, planes.luma, planes, { radius, epsilon: 300 });
  const bright = planes.luma.map((value) => Math.max(0, value - 105));
  const spread = softBlur(bright, planes, edge / 45);
  return base.map((value, at) => {
    const here = clamp(value / 255, 0, 1);
    // Nothing at black, most in the deep mid-tones, nothing from the middle on.
    const lift = shadows * 150 * here * Math.max(0, 1 - here * 1.7) ** 2;
    return lift + glow * 0.45 * (spread[at] ?? 0) * (1 - (planes.luma[at] ?? 0) / 255);
  });
}
