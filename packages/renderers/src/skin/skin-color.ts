import { clamp, smoothstep } from '../pixels/planes.ts';
import type { SmallPlanes } from './small-planes.ts';

/**
 * The colors of all skins lie along one line, from pale to saturated, because of blood and melanin. Colors off the line are make-up, leaves
 * or sky. `along` and `across` are the axes in YCbCr. The color of dark pixels is scaled up, because skin has less color in less light.
 */
export interface SkinAxes {
  readonly along: Float32Array;
  readonly across: Float32Array;
}

export function skinAxes({ luma, cb, cr }: SmallPlanes): SkinAxes {
  const scaleAt = (at: number): number => lightScale(luma[at] ?? 0) * Math.SQRT1_2;
  return {
    along: cr.map((red, at) => (red - (cb[at] ?? 0)) * scaleAt(at)),
    across: cr.map((red, at) => (red + (cb[at] ?? 0)) * scaleAt(at)),
  };
}

/** The factor that makes the color of a dark pixel comparable with that of a bright one. */
function lightScale(luma: number): number {
  return 1 / clamp(luma / 150, 0.3, 1);
}

/** How likely each pixel is skin by its color alone, from 0 to 1: in YCbCr, in shares of red and green, and by hue. */
export function skinLikelihood(planes: SmallPlanes, axes: SkinAxes): Float32Array {
  return planes.luma.map((y, at) => {
    const onAxes = byAxes(axes.along[at] ?? 0, axes.across[at] ?? 0);
    if (onAxes === 0) return 0;
    const red = y + 1.402 * (planes.cr[at] ?? 0);
    const blue = y + 1.772 * (planes.cb[at] ?? 0);
    const green = (y - 0.299 * red - 0.114 * blue) / 0.587;
    return onAxes * byShares(red, green, blue) * byHue(red, green, blue) * smoothstep(14, 34, y);
  });
}

function byAxes(along: number, across: number): number {
  return (
    smoothstep(5, 13, along) *
    smoothstep(88, 66, along) *
    smoothstep(-19, -9, across) *
    smoothstep(21, 13, across)
  );
}

function byShares(red: number, green: number, blue: number): number {
  const sum = red + green + blue + 1;
  const r = red / sum;
  const g = green / sum;
  return (
    smoothstep(0.335, 0.355, r) *
    smoothstep(0.64, 0.57, r) *
    smoothstep(0.2, 0.25, g) *
    smoothstep(0.375, 0.355, g)
  );
}

/** From reddish pink to yellowish brown: about 0 to 45 degrees. */
function byHue(red: number, green: number, blue: number): number {
  const most = Math.max(red, green, blue);
  const spread = most - Math.min(red, green, blue);
  if (most !== red || spread < 1) return 0;
  const hue = ((green - blue) / spread) * 60;
  return smoothstep(-6, 5, hue) * smoothstep(48, 38, hue);
}
