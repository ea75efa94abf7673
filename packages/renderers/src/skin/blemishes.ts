import { boxMean, softBlur } from '../pixels/box-blur.ts';
import type { Skin } from './find-skin.ts';
import { type SmallPlanes, smoothstep } from './small-planes.ts';

/**
 * How much of a blemish each pixel is, from 0 to `strength`: a small spot darker or redder than the skin around it. A spot bends
 * down in every direction; a wrinkle or the shadow of a nose does so in one only, and is left.
 */
export function findBlemishes(planes: SmallPlanes, skin: Skin, strength: number): Float32Array {
  const found = new Float32Array(planes.luma.length);
  if (strength === 0) return found;
  const scale = Math.max(1, skin.extent / 150);
  for (const size of [0.9 * scale, 1.8 * scale]) {
    addSpots(found, planes, skin, size);
  }
  // A spot is healed with its rim.
  const wide = boxMean(found, planes, Math.max(1, Math.round(scale)));
  for (let at = 0; at < found.length; at++) {
    const inside = smoothstep(0.5, 0.95, skin.mask[at] ?? 0);
    found[at] = strength * inside * Math.min(1, Math.max(found[at] ?? 0, 2 * (wide[at] ?? 0)));
  }
  return softBlur(found, planes, scale * 0.6);
}

function addSpots(found: Float32Array, planes: SmallPlanes, skin: Skin, size: number): void {
  const { width, height } = planes;
  const luma = softBlur(planes.luma, planes, size);
  const red = softBlur(planes.cr, planes, size);
  const step = Math.max(1, Math.round(size));
  // Bends are measured over this distance, so that larger spots answer as strongly as small ones.
  for (let y = step; y < height - step; y++) {
    for (let x = step; x < width - step; x++) {
      const at = y * width + x;
      if ((skin.mask[at] ?? 0) < 0.5) continue;
      const dark = leastBend(luma, at, step, step * width, 1) / Math.max(40, skin.tone.luma);
      const flushed = leastBend(red, at, step, step * width, -1);
      const weight = Math.max(smoothstep(0.012, 0.035, dark), smoothstep(0.4, 1.1, flushed));
      if (weight > (found[at] ?? 0)) found[at] = weight;
    }
  }
}

/**
 * How much a plane bends up in the direction in which it does so least: above 0 only in a hollow. With `sign` -1, how
 * much it bends down: above 0 only on a hill.
 */
function leastBend(plane: Float32Array, at: number, dx: number, dy: number, sign: number): number {
  const twice = 2 * (plane[at] ?? 0);
  const across = (plane[at - dx] ?? 0) + (plane[at + dx] ?? 0) - twice;
  const down = (plane[at - dy] ?? 0) + (plane[at + dy] ?? 0) - twice;
  const falling = (plane[at + dx + dy] ?? 0) + (plane[at - dx - dy] ?? 0);
  const rising = (plane[at + dx - dy] ?? 0) + (plane[at - dx + dy] ?? 0);
  const half = (across - down) / 2;
  const slanted = (falling - rising) / 4;
  return (sign * (across + down)) / 2 - Math.sqrt(half * half + slanted * slanted);
}
