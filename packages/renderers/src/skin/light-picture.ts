import { softBlur } from '../pixels/box-blur.ts';
import { guidedFilter } from '../pixels/guided-filter.ts';
import type { Recipe } from './recipe.ts';
import type { SmallPlanes } from './small-planes.ts';

/** What is added to the brightness of the whole picture, skin or not; `undefined` for nothing. */
export function lightPicture(planes: SmallPlanes, recipe: Recipe): Float32Array | undefined {
  if (recipe.shadows === 0 && recipe.glow === 0) return undefined;
  const added = new Float32Array(planes.luma.length);
  const edge = Math.max(planes.width, planes.height);
  if (recipe.shadows > 0) liftShadows(added, planes, recipe.shadows, edge);
  if (recipe.glow > 0) addGlow(added, planes, recipe.glow, edge);
  return added;
}

/** Follows edges, so that no light stands around what is dark. */
function liftShadows(added: Float32Array, planes: SmallPlanes, share: number, edge: number): void {
  const radius = Math.max(2, Math.round(edge / 24));
  const base = guidedFilter(planes.luma, planes.luma, planes, { radius, epsilon: 300 });
  for (let at = 0; at < added.length; at++) {
    const here = Math.min(1, Math.max(0, (base[at] ?? 0) / 255));
    // Nothing at black, most in the deep mid-tones, nothing from the middle on.
    const dark = Math.max(0, 1 - here * 1.7);
    added[at] = share * 150 * here * dark * dark;
  }
}

/** Light that spreads from bright places, as through a soft lens. */
function addGlow(added: Float32Array, planes: SmallPlanes, share: number, edge: number): void {
  const bright = new Float32Array(added.length);
  for (let at = 0; at < bright.length; at++) bright[at] = Math.max(0, (planes.luma[at] ?? 0) - 105);
  const spread = softBlur(bright, planes, edge / 45);
  for (let at = 0; at < added.length; at++) {
    const room = 1 - (planes.luma[at] ?? 0) / 255;
    added[at] = (added[at] ?? 0) + share * 0.45 * (spread[at] ?? 0) * room;
  }
}
