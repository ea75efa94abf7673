import type { PictureSize } from '../../platform/pictures/picture-limits.ts';

const SHORT_SIDE: Readonly<Record<string, number>> = {
  '360p': 360,
  '540p': 540,
  '720p': 720,
  '1080p': 1080,
  '2K': 1440,
};
const MAX_ASPECT = 16 / 9;

/** The resolution names the short side, as at vendors. A shape wider or taller than 16:9 gets no more pixels than 16:9. */
export function frameSize(resolution: string, shape: PictureSize): PictureSize {
  const short = SHORT_SIDE[resolution];
  if (short === undefined) throw new Error(`There is no resolution ${resolution}.`);
  const aspect = Math.max(shape.width, shape.height) / Math.min(shape.width, shape.height);
  const scale = Math.min(1, Math.sqrt(MAX_ASPECT / aspect));
  const shortSide = even(short * scale);
  const longSide = even(short * scale * aspect);
  return shape.width >= shape.height
    ? { width: longSide, height: shortSide }
    : { width: shortSide, height: longSide };
}

export function shapeOf(aspectRatio: string): PictureSize {
  const [width = 16, height = 9] = aspectRatio.split(':').map(Number);
  return { width, height };
}

function even(value: number): number {
  return Math.max(2, Math.round(value / 2) * 2);
}
