import { clamp } from '../pixels/planes.ts';
import type { SkinAxes } from './skin-color.ts';
import type { SmallPlanes } from './small-planes.ts';

const ALONG = 24;
const ACROSS = 12;
const LUMA = 6;

/**
 * How much more often a color is found in the middle of the picture (1) than at its sides and top (0), where the backdrop is. The bottom
 * does not count, because people are cut off there.
 */
export function middleShare(planes: SmallPlanes, axes: SkinAxes): Float32Array {
  const { width, height } = planes;
  const middle = new Float32Array(ALONG * ACROSS * LUMA);
  const frame = new Float32Array(middle.length);
  const bins = new Int16Array(planes.luma.length);
  let [inMiddle, inFrame] = [1, 1];
  const rim = Math.max(1, Math.round(Math.min(width, height) * 0.06));
  for (let y = 0, at = 0; y < height; y++) {
    const down = (2 * y + 1) / height - 1;
    for (let x = 0; x < width; x++, at++) {
      const across = (2 * x + 1) / width - 1;
      const bin = binOf(axes.along[at] ?? 0, axes.across[at] ?? 0, planes.luma[at] ?? 0);
      bins[at] = bin;
      if (across * across + down * down < 0.25) {
        middle[bin] = (middle[bin] ?? 0) + 1;
        inMiddle++;
      } else if (y < rim || (y < height * 0.6 && (x < rim || x >= width - rim))) {
        frame[bin] = (frame[bin] ?? 0) + 1;
        inFrame++;
      }
    }
  }
  const shares = middle.map((count, bin) => {
    const here = count / inMiddle + 1e-3;
    return here / (here + (frame[bin] ?? 0) / inFrame + 1e-3);
  });
  return Float32Array.from(bins, (bin) => shares[bin] ?? 0);
}

function binOf(along: number, across: number, luma: number): number {
  const first = clamp(Math.floor(along / 4), 0, ALONG - 1);
  const second = clamp(Math.floor(across / 4) + ACROSS / 2, 0, ACROSS - 1);
  return (first * ACROSS + second) * LUMA + clamp(Math.floor(luma / 43), 0, LUMA - 1);
}
