import type { Size } from '../../pixels/box-blur.ts';
import { LINEAR_OF_BYTE } from '../../pixels/color.ts';
import { smallSize } from '../../pixels/downscale.ts';
import type { Picture } from '../../pixels/picture.ts';
import { createPlanes, type Planes } from '../field.ts';

/** The whole picture, small: all that is worked out about light is worked out on it. */
export interface Overview extends Size {
  /** How many pixels of the picture, each way, are one of these. */
  readonly factor: number;
  /** Linear light. */
  readonly light: Planes;
  /** The sRGB values, 0 to 1, whose weighted sums guide edges at full size. */
  readonly tone: Planes;
}

/** Longer edge at most. Fields of light are smooth: more would only cost time. */
const OVERVIEW_EDGE = 288;

export function overviewOf({ width, height, rgb }: Picture): Overview {
  const factor = Math.max(1, Math.ceil(Math.max(width, height) / OVERVIEW_EDGE));
  const size = smallSize({ width, height }, factor);
  const light = createPlanes(size.width * size.height);
  const tone = createPlanes(size.width * size.height);
  for (let y = 0, at = 0; y < size.height; y++) {
    const top = y * factor;
    const bottom = Math.min(height, top + factor);
    for (let x = 0; x < size.width; x++, at++) {
      const left = x * factor;
      const area = { width, left, right: Math.min(width, left + factor), top, bottom };
      averageInto(rgb, area, { light, tone, at });
    }
  }
  return { ...size, factor, light, tone };
}

interface Area {
  readonly width: number;
  readonly left: number;
  readonly right: number;
  readonly top: number;
  readonly bottom: number;
}

interface Target {
  readonly light: Planes;
  readonly tone: Planes;
  readonly at: number;
}

function averageInto(
  rgb: Uint8Array,
  { width, left, right, top, bottom }: Area,
  { light, tone, at }: Target,
): void {
  let red = 0;
  let green = 0;
  let blue = 0;
  let redTone = 0;
  let greenTone = 0;
  let blueTone = 0;
  for (let y = top; y < bottom; y++) {
    let from = (y * width + left) * 3;
    for (let x = left; x < right; x++, from += 3) {
      const r = rgb[from] ?? 0;
      const g = rgb[from + 1] ?? 0;
      const b = rgb[from + 2] ?? 0;
      redTone += r;
      greenTone += g;
      blueTone += b;
      red += LINEAR_OF_BYTE[r] ?? 0;
      green += LINEAR_OF_BYTE[g] ?? 0;
      blue += LINEAR_OF_BYTE[b] ?? 0;
    }
  }
  const share = 1 / ((right - left) * (bottom - top));
  light.red[at] = red * share;
  light.green[at] = green * share;
  light.blue[at] = blue * share;
  tone.red[at] = (redTone * share) / 255;
  tone.green[at] = (greenTone * share) / 255;
  tone.blue[at] = (blueTone * share) / 255;
}
