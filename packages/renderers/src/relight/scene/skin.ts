import { clamp } from '../field.ts';
import type { Overview } from './overview.ts';

/**
 * How much every pixel looks like skin, of whatever shade: skin of all people has nearly one hue, between red and
 * yellow, and a middling saturation. Light and dark decide little.
 */
export function skinLikeness({ tone: { red, green, blue } }: Overview): Float32Array {
  const likeness = new Float32Array(red.length);
  for (let at = 0; at < likeness.length; at++) {
    const r = red[at] ?? 0;
    const g = green[at] ?? 0;
    const b = blue[at] ?? 0;
    const light = 0.299 * r + 0.587 * g + 0.114 * b;
    if (light < 0.06 || r <= b) continue;
    const toRed = (r - light) / light;
    const toBlue = (b - light) / light;
    const offRed = (toRed - 0.27) / 0.17;
    const offBlue = (toBlue + 0.27) / 0.2;
    const order = clamp((g - b) * 30 + 1, 0, 1);
    likeness[at] =
      Math.exp(-(offRed * offRed) - offBlue * offBlue) * clamp((light - 0.06) * 12, 0, 1) * order;
  }
  return likeness;
}
