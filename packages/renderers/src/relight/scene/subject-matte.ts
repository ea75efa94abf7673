import { type ColorCoefficients, guidedByColor } from '../../pixels/guided-filter.ts';
import { clamp } from '../field.ts';
import type { Overview } from './overview.ts';

/** The matte at any pixel is the slopes times its sRGB values, 0 to 1, and the offset. */
export interface Matte extends ColorCoefficients {
  /** The matte itself, at the size of the overview. */
  readonly values: Float32Array;
}

const EPSILON = 0.0004;
/** Steeper than the filter leaves it: a veil over the whole background is worse than a hard hair. */
const STEEPER = 1.5;

/** The mask with the edges of the picture: soft where hair is, sharp where a bottle is. */
export function matteOf(overview: Overview, mask: Float32Array): Matte {
  const { red, green, blue } = overview.tone;
  const radius = Math.max(2, Math.round(Math.max(overview.width, overview.height) / 90));
  const found = guidedByColor([red, green, blue], mask, overview, { radius, epsilon: EPSILON });
  const values = new Float32Array(mask.length);
  for (let at = 0; at < values.length; at++) {
    const slopeRed = STEEPER * (found.red[at] ?? 0);
    const slopeGreen = STEEPER * (found.green[at] ?? 0);
    const slopeBlue = STEEPER * (found.blue[at] ?? 0);
    const offset = STEEPER * ((found.offset[at] ?? 0) - 0.5) + 0.5;
    found.red[at] = slopeRed;
    found.green[at] = slopeGreen;
    found.blue[at] = slopeBlue;
    found.offset[at] = offset;
    values[at] = clamp(
      slopeRed * (red[at] ?? 0) + slopeGreen * (green[at] ?? 0) + slopeBlue * (blue[at] ?? 0) + offset,
      0,
      1,
    );
  }
  return { ...found, values };
}
