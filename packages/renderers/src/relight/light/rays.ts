import { softBlur } from '../../pixels/box-blur.ts';
import { valueNoise } from '../backdrop/noise.ts';
import { resizePlane } from '../field.ts';
import type { Scene } from '../scene/scene.ts';
import type { Light } from './light-plan.ts';

const EDGE = 128;
const STEPS = 26;

/** Shafts of light in the air, from beyond the picture or from behind the subject, which shades them. */
export function raysOf({ from }: Light, { overview, matte, confidence }: Scene, seed: number): Float32Array {
  const longer = Math.max(overview.width, overview.height);
  const scale = Math.min(1, EDGE / longer);
  const size = {
    width: Math.max(1, Math.round(overview.width * scale)),
    height: Math.max(1, Math.round(overview.height * scale)),
  };
  const blocked = resizePlane(matte.values, overview, size);
  const behind = from[2] < 0;
  const sourceX = size.width * (0.5 + from[0] * (behind ? 0.3 : 0.75));
  const sourceY = size.height * (0.5 + Math.min(-0.25, from[1]) * (behind ? 0.35 : 0.75));
  const rays = new Float32Array(size.width * size.height);
  for (let y = 0, at = 0; y < size.height; y++) {
    for (let x = 0; x < size.width; x++, at++) {
      const stepX = (sourceX - x) / STEPS;
      const stepY = (sourceY - y) / STEPS;
      let open = 0;
      for (let step = 1; step <= STEPS; step++) {
        const column = Math.round(x + stepX * step);
        const row = Math.round(y + stepY * step);
        const outside = column < 0 || row < 0 || column >= size.width || row >= size.height;
        open += outside ? 1 : 1 - confidence * (blocked[row * size.width + column] ?? 0);
      }
      const angle = Math.atan2(y - sourceY, x - sourceX);
      const streaks =
        0.3 + 0.9 * valueNoise(angle * 9 + 50, 0, seed) * valueNoise(angle * 23 + 50, 3, seed) * 2;
      const distance = Math.hypot(x - sourceX, y - sourceY) / Math.max(size.width, size.height);
      rays[at] = ((open / STEPS) ** 2 * streaks) / (1 + 2.2 * distance * distance);
    }
  }
  return softBlur(resizePlane(rays, size, overview), overview, longer / 120);
}
