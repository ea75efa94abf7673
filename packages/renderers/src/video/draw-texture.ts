import { MAX_VALUE, type Planes } from './planes.ts';
import type { Layer, Texture } from './texture.ts';

/** Where a texture is drawn: its top left corner, and how large one of its pixels is there. */
export interface Placement {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  /** Rows of the frame from here on are left alone. */
  readonly bottom?: number | undefined;
}

/** An opaque texture covers the whole frame: beyond its edge, the edge goes on. */
export function drawTexture(target: Planes, texture: Texture, placement: Placement): void {
  const { width, height } = target;
  const { left, top, bottom = height } = placement;
  drawLayer({ width, height, data: target.y }, texture.y, { ...placement, bottom });
  const half = { ...placement, left: left / 2, top: top / 2, bottom: bottom / 2 };
  for (const name of ['u', 'v'] as const) {
    drawLayer({ width: width >> 1, height: height >> 1, data: target[name] }, texture[name], half);
  }
}

interface Target {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
}

/** Places and shares are whole numbers of this part: whole numbers are computed faster. */
const PART = 65_536;

function drawLayer(
  target: Target,
  layer: Layer,
  { left, top, scale, bottom = target.height }: Placement,
): void {
  const step = 1 / scale;
  const lowest = Math.min(target.height, Math.ceil(bottom)) - 1;
  const firstRow = layer.ranges ? Math.max(0, Math.ceil(top - scale / 2 - 0.5)) : 0;
  const lastRow = layer.ranges
    ? Math.min(lowest, Math.floor(top + (layer.height + 0.5) * scale - 0.5))
    : lowest;
  for (let row = firstRow; row <= lastRow; row++) {
    const place = Math.min(layer.height - 1, Math.max(0, (row + 0.5 - top) * step - 0.5));
    const above = Math.floor(place);
    const [first, end] = layer.ranges
      ? [layer.ranges[above * 2] as number, layer.ranges[above * 2 + 1] as number]
      : [0, layer.width];
    if (end <= first) continue;
    // Pixels of the frame whose place lies between the first and the last pixel that is not empty.
    const from = layer.ranges ? Math.max(0, Math.ceil((first - 0.5) * scale + left - 0.5)) : 0;
    const to = layer.ranges
      ? Math.min(target.width, Math.floor((end + 0.5) * scale + left - 0.5) + 1)
      : target.width;
    drawRow(target.data, row * target.width, layer, {
      from,
      to,
      upper: above * layer.width,
      lower: Math.min(layer.height - 1, above + 1) * layer.width,
      down: Math.round((place - above) * 256),
      place: Math.round(((from + 0.5 - left) * step - 0.5) * PART),
      step: Math.round(step * PART),
    });
  }
}

interface Row {
  readonly from: number;
  readonly to: number;
  readonly upper: number;
  readonly lower: number;
  readonly down: number;
  readonly place: number;
  readonly step: number;
}

function drawRow(data: Int16Array, start: number, layer: Layer, row: Row): void {
  if (layer.alpha) blendRow(data, start, layer.color, layer.alpha, row, layer.width);
  else copyRow(data, start, layer.color, row, layer.width);
}

/** The last place whose right neighbor is still within the row. Beyond it, and before the first, the edge goes on. */
function lastPlace(width: number): number {
  return Math.max(0, (width - 1) * PART - 1);
}

function copyRow(data: Int16Array, start: number, color: Int16Array, row: Row, width: number): void {
  const { upper, lower, down, step } = row;
  const last = lastPlace(width);
  const end = start + row.to;
  let next = row.place;
  for (let at = start + row.from; at < end; at++, next = (next + step) | 0) {
    const place = next < 0 ? 0 : next > last ? last : next;
    const left = place >> 16;
    const across = (place >> 8) & 255;
    const a = color[upper + left] as number;
    const b = color[lower + left] as number;
    const top = a + (Math.imul((color[upper + left + 1] as number) - a, across) >> 8);
    const low = b + (Math.imul((color[lower + left + 1] as number) - b, across) >> 8);
    data[at] = top + (Math.imul(low - top, down) >> 8);
  }
}

function blendRow(
  data: Int16Array,
  start: number,
  color: Int16Array,
  alpha: Uint8Array,
  row: Row,
  width: number,
): void {
  const { upper, lower, down, step } = row;
  const last = lastPlace(width);
  const end = start + row.to;
  let next = row.place;
  for (let at = start + row.from; at < end; at++, next = (next + step) | 0) {
    const place = next < 0 ? 0 : next > last ? last : next;
    const left = place >> 16;
    const across = (place >> 8) & 255;
    const above = (upper + left) | 0;
    const below = (lower + left) | 0;
    const a = color[above] as number;
    const b = color[below] as number;
    const top = a + (Math.imul((color[above + 1] as number) - a, across) >> 8);
    const low = b + (Math.imul((color[below + 1] as number) - b, across) >> 8);
    const value = top + (Math.imul(low - top, down) >> 8);
    const c = alpha[above] as number;
    const d = alpha[below] as number;
    const e = (c << 8) + Math.imul((alpha[above + 1] as number) - c, across);
    const f = (d << 8) + Math.imul((alpha[below + 1] as number) - d, across);
    // 255 in 8.7 bits is not quite 32768; the second term closes the gap.
    const mixed = ((e << 8) + Math.imul(f - e, down)) >> 9;
    const cover = mixed + (mixed >> 8);
    const under = data[at] as number;
    const sum = (under - (Math.imul(under, cover) >> 15) + value) | 0;
    data[at] = sum > MAX_VALUE ? MAX_VALUE : sum;
  }
}
