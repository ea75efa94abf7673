import { MOST, type Planes } from './planes.ts';
import type { Layer, Texture } from './texture.ts';

/** Where a texture is drawn: its top left corner, and how large one of its pixels is there. */
export interface Placement {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  readonly opacity?: number | undefined;
  /** How far each row of the texture is moved to the right, in pixels of the frame. */
  readonly sway?: Float32Array | undefined;
  /** Rows of the frame from here on are left alone. */
  readonly bottom?: number | undefined;
}

/** An opaque texture covers the whole frame: what is beyond its edge continues the edge. */
export function drawTexture(target: Planes, texture: Texture, placement: Placement): void {
  const { width, height } = target;
  const half = {
    ...placement,
    left: placement.left / 2,
    top: placement.top / 2,
    bottom: placement.bottom && placement.bottom / 2,
  };
  drawLayer({ width, height, data: target.y }, texture.y, placement, 1);
  drawLayer({ width: width >> 1, height: height >> 1, data: target.u }, texture.u, half, 2);
  drawLayer({ width: width >> 1, height: height >> 1, data: target.v }, texture.v, half, 2);
}

interface Target {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
}

function drawLayer(target: Target, layer: Layer, placement: Placement, coarseness: 1 | 2): void {
  const { left, top, scale, opacity = 1, sway, bottom = target.height } = placement;
  const line = new Int32Array(layer.width + 2);
  const step = 1 / scale;
  const isOpaque = layer.kind === 'opaque';
  const firstRow = isOpaque ? 0 : Math.max(0, Math.ceil(top - scale / 2 - 0.5));
  const lowest = Math.min(target.height, Math.ceil(bottom)) - 1;
  const lastRow = isOpaque ? lowest : Math.min(lowest, Math.floor(top + (layer.height + 0.5) * scale - 0.5));
  for (let row = firstRow; row <= lastRow; row++) {
    const place = Math.min(layer.height - 1, Math.max(0, (row + 0.5 - top) * step - 0.5));
    const above = Math.min(layer.height - 1, Math.floor(place));
    const below = Math.min(layer.height - 1, above + 1);
    const swayed = sway
      ? (sway[Math.min(sway.length - 1, Math.round(place) * coarseness)] as number) / coarseness
      : 0;
    const start = row * target.width;
    const shift = left + swayed;
    // Only what is in the frame.
    const seenFrom = Math.max(0, Math.floor((0.5 - shift) * step - 0.5) - 1);
    const seenTo = Math.min(layer.width, Math.ceil((target.width - 0.5 - shift) * step) + 2);
    const mixing = { above, below, part: place - above, opacity };
    const { spans } = layer;
    if (!spans) {
      mixColors(layer, { ...mixing, first: seenFrom, end: seenTo }, line);
      copyRow(target, start, { line, last: layer.width - 1, shift, step });
      continue;
    }
    for (let span = spans.starts[above] as number; span < (spans.starts[above + 1] as number); span += 2) {
      const first = Math.max(seenFrom, spans.ends[span] as number);
      const end = Math.min(seenTo, spans.ends[span + 1] as number);
      if (end <= first) continue;
      if (layer.kind === 'light') {
        mixColors(layer, { ...mixing, first, end }, line);
        addRow(target, start, { line, first, end, shift, step });
      } else {
        mixBoth(layer, { ...mixing, first, end }, line);
        overRow(target, start, { line, first, end, shift, step });
      }
    }
  }
}

interface RowMix {
  readonly above: number;
  readonly below: number;
  readonly part: number;
  readonly first: number;
  readonly end: number;
  readonly opacity: number;
}

/** Two rows mixed; after the end comes nothing, or the edge again where the texture is opaque. */
function mixColors({ width, color, kind }: Layer, mixing: RowMix, line: Int32Array): void {
  const { above, below, part, first, end, opacity } = mixing;
  const upper = above * width;
  const lower = below * width;
  const lowerPart = Math.round(part * opacity * 256);
  const upperPart = Math.round(opacity * 256) - lowerPart;
  for (let x = first; x < end; x++) {
    const sum =
      Math.imul(color[upper + x] as number, upperPart) + Math.imul(color[lower + x] as number, lowerPart);
    line[x] = sum >> 8;
  }
  line[end] = kind === 'opaque' ? (line[end - 1] as number) : 0;
}

/** Colors in the lower half of each number, alpha (0 to 65535) in the upper: one reading gives both. */
function mixBoth({ width, color, alpha }: Layer, mixing: RowMix, line: Int32Array): void {
  if (!alpha) return;
  const { above, below, part, first, end, opacity } = mixing;
  const upper = above * width;
  const lower = below * width;
  const lowerPart = Math.round(part * opacity * 256);
  const upperPart = Math.round(opacity * 256) - lowerPart;
  const lowerAlpha = Math.round(part * opacity * 257);
  const upperAlpha = Math.round(opacity * 257) - lowerAlpha;
  for (let x = first; x < end; x++) {
    const cover =
      Math.imul(alpha[upper + x] as number, upperAlpha) + Math.imul(alpha[lower + x] as number, lowerAlpha);
    const sum =
      Math.imul(color[upper + x] as number, upperPart) + Math.imul(color[lower + x] as number, lowerPart);
    line[x] = (cover << 16) | ((sum >> 8) & 0xffff);
  }
  line[end] = 0;
}

/** Places along a row are whole numbers of this part of a pixel. */
const PLACE = 65_536;

interface Reading {
  readonly line: Int32Array;
  readonly shift: number;
  readonly step: number;
}

interface SpanReading extends Reading {
  readonly first: number;
  readonly end: number;
}

function overRow(
  { width, data }: Target,
  start: number,
  { line, first, end, shift, step }: SpanReading,
): void {
  const from = Math.max(0, Math.ceil((first + 0.5) / step + shift - 0.5));
  const to = Math.min(width - 1, Math.floor((end - 0.5) / step + shift - 0.5));
  const increment = Math.round(step * PLACE);
  let place = Math.max(0, Math.round(((from + 0.5 - shift) * step - 0.5) * PLACE));
  for (let x = from; x <= to; x++, place = (place + increment) | 0) {
    const left = line[place >> 16] as number;
    const right = line[(place >> 16) + 1] as number;
    if ((left | right) === 0) continue;
    const part = (place >> 8) & 255;
    const alpha = left >>> 16;
    const cover = alpha + (Math.imul((right >>> 16) - alpha, part) >> 8);
    const color = (left << 16) >> 16;
    const mixed = color + (Math.imul(((right << 16) >> 16) - color, part) >> 8);
    const i = start + x;
    const under = data[i] as number;
    const sum = under - (Math.imul(under, cover) >> 16) + mixed;
    data[i] = sum > MOST ? MOST : sum;
  }
}

function addRow(
  { width, data }: Target,
  start: number,
  { line, first, end, shift, step }: SpanReading,
): void {
  const from = Math.max(0, Math.ceil((first + 0.5) / step + shift - 0.5));
  const to = Math.min(width - 1, Math.floor((end - 0.5) / step + shift - 0.5));
  const increment = Math.round(step * PLACE);
  let place = Math.max(0, Math.round(((from + 0.5 - shift) * step - 0.5) * PLACE));
  for (let x = from; x <= to; x++, place = (place + increment) | 0) {
    const color = line[place >> 16] as number;
    const next = line[(place >> 16) + 1] as number;
    const i = start + x;
    const sum = (data[i] as number) + color + (Math.imul(next - color, (place >> 8) & 255) >> 8);
    data[i] = sum > MOST ? MOST : sum;
  }
}

function copyRow({ width, data }: Target, start: number, row: Reading & { readonly last: number }): void {
  const { line, last, shift, step } = row;
  const increment = Math.round(step * PLACE);
  const limit = last * PLACE;
  let place = Math.round(((0.5 - shift) * step - 0.5) * PLACE);
  for (let x = 0; x < width; x++, place = (place + increment) | 0) {
    const kept = place < 0 ? 0 : place > limit ? limit : place;
    const color = line[kept >> 16] as number;
    data[start + x] = color + (Math.imul((line[(kept >> 16) + 1] as number) - color, (kept >> 8) & 255) >> 8);
  }
}
