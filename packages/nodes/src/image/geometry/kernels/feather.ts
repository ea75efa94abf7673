import type { Mask } from '../../../values/image.ts';
import type { PixelSize } from '../../resize/pillow-resize.ts';

export interface Margins {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
  readonly feathering: number;
}

/**
 * Writes the part of the mask over the picture: 0, rising to 1 towards extended sides. The last row and column measure their
 * distance from beyond the picture, the first ones from themselves.
 */
export function featherInto(
  mask: Mask,
  { width, height }: PixelSize,
  margins: Margins,
  checkpoint: () => void,
): void {
  const { left, top, right, bottom, feathering } = margins;
  const feathered = feathering > 0 && feathering * 2 < height && feathering * 2 < width;
  for (let y = 0; y < height; y++) {
    if ((y & 31) === 0) checkpoint();
    const start = (top + y) * mask.width + left;
    mask.data.fill(0, start, start + width);
    if (!feathered) continue;
    const vertical = Math.min(top === 0 ? height : y, bottom === 0 ? height : height - y);
    for (let x = 0; x < width; x++) {
      const horizontal = Math.min(left === 0 ? width : x, right === 0 ? width : width - x);
      const distance = Math.min(vertical, horizontal);
      if (distance >= feathering) continue;
      const share = (feathering - distance) / feathering;
      mask.data[start + x] = share * share;
    }
  }
}
