import type { Image } from '../../../values/image.ts';
import type { Area } from '../../batch.ts';

/** The highest byte of a mask that is not surely subject. */
const FOREGROUND = 204;

export function clampUnit(data: Float32Array): void {
  for (let at = 0; at < data.length; at++) {
    const value = data[at] ?? 0;
    if (value < 0) data[at] = 0;
    else if (value > 1) data[at] = 1;
  }
}

export function invert(data: Float32Array): void {
  for (let at = 0; at < data.length; at++) data[at] = 1 - (data[at] ?? 0);
}

/** Whether a mask covers its border but not its middle, so it seems to show the background. */
export function isInverted(data: Float32Array, width: number, height: number): boolean {
  let border = 0;
  for (let x = 0; x < width; x++) border += (data[x] ?? 0) + (data[(height - 1) * width + x] ?? 0);
  for (let y = 0; y < height; y++) border += (data[y * width] ?? 0) + (data[(y + 1) * width - 1] ?? 0);
  if (border / (2 * width + 2 * height) <= 0.5) return false;
  const left = Math.floor(width / 4);
  const top = Math.floor(height / 4);
  let middle = 0;
  for (let y = top; y < height - top; y++) {
    for (let x = left; x < width - left; x++) middle += data[y * width + x] ?? 0;
  }
  return middle / ((width - 2 * left) * (height - 2 * top)) < 0.5;
}

export interface Bounds {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** The smallest rectangle with the whole subject. If the mask has none, that of the inverted mask. */
export function foregroundBounds(
  data: Float32Array,
  width: number,
  height: number,
): { readonly bounds: Bounds | undefined; readonly inverted: boolean } {
  const bounds = boundsOf(data, width, height, false);
  if (bounds) return { bounds, inverted: false };
  const others = boundsOf(data, width, height, true);
  return { bounds: others, inverted: others !== undefined };
}

function boundsOf(data: Float32Array, width: number, height: number, inverted: boolean): Bounds | undefined {
  let [left, top, right, bottom] = [width, height, -1, -1];
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const byte = Math.fround(Math.min(1, Math.max(0, data[y * width + x] ?? 0)) * 255) | 0;
      if ((inverted ? 255 - byte : byte) <= FOREGROUND) continue;
      left = Math.min(left, x);
      right = Math.max(right, x);
      top = Math.min(top, y);
      bottom = y;
    }
  }
  return right < 0 ? undefined : { left, top, right, bottom };
}

/** A part around the bounds with the proportions `aspect`, grown by `padFactor`. It may reach beyond the picture. */
export function subjectArea({ left, top, right, bottom }: Bounds, aspect: number, padFactor: number): Area {
  const width = right - left + 1;
  const height = bottom - top + 1;
  const wide = width / height >= aspect;
  const cropWidth = Math.trunc((wide ? width : height * aspect) * padFactor);
  const cropHeight = Math.trunc((wide ? width / aspect : height) * padFactor);
  const halfWidth = Math.ceil(cropWidth / 2);
  const halfHeight = Math.ceil(cropHeight / 2);
  return {
    x: Math.trunc((left + right) / 2 - halfWidth),
    y: Math.trunc((top + bottom) / 2 - halfHeight),
    width: 2 * halfWidth,
    height: 2 * halfHeight,
  };
}

/** Composites a part of a picture over a color by its mask. Beyond the picture there is only the color. */
export function compositeArea(
  image: Image,
  mask: Float32Array,
  area: Area,
  color: readonly [number, number, number],
  { data }: Image,
  checkpoint: () => void,
): void {
  let to = 0;
  for (let row = area.y; row < area.y + area.height; row++) {
    if ((row & 31) === 0) checkpoint();
    for (let column = area.x; column < area.x + area.width; column++) {
      const inside = row >= 0 && row < image.height && column >= 0 && column < image.width;
      const pixel = row * image.width + column;
      const share = inside ? (mask[pixel] ?? 0) : 0;
      for (let channel = 0; channel < 3; channel++) {
        const own = inside ? (image.data[pixel * 3 + channel] ?? 0) : 0;
        const value = own * share + (color[channel] ?? 0) * (1 - share);
        data[to++] = value < 0 ? 0 : value > 1 ? 1 : value;
      }
    }
  }
}
