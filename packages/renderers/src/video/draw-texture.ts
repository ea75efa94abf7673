import { vectorFloats } from '@atelier/nodes/simd';
import { clamp } from '../pixels/planes.ts';
import type { Planes } from './planes.ts';
import type { Layer, Texture } from './texture.ts';
import { blendPixels, copyPixels, mixAlphas, mixColors } from './texture-row.ts';

export interface Placement {
  readonly left: number;
  readonly top: number;
  readonly scale: number;
  /** Rows of the frame from here on are not drawn. */
  readonly bottom?: number | undefined;
}

/** An opaque texture covers the whole frame: its edge pixels are repeated. */
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

/** Places and shares are fixed-point numbers, which are faster. */
const PART = 65_536;
const VECTOR = 8;

function drawLayer(
  target: Target,
  layer: Layer,
  { left, top, scale, bottom = target.height }: Placement,
): void {
  const step = 1 / scale;
  const room = workspace(target, layer);
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
    if (to <= from) continue;
    const start = row * target.width;
    drawRow(target.data.subarray(start + from, start + to), layer, room, {
      upper: above * layer.width,
      lower: Math.min(layer.height - 1, above + 1) * layer.width,
      down: Math.floor((place - above) * 32_768),
      place: Math.round(((from + 0.5 - left) * step - 0.5) * PART),
      step: Math.round(step * PART),
    });
  }
}

interface Workspace {
  readonly shorts: Int16Array;
  readonly bytes: Uint8Array;
  /** Addresses in bytes of a row of the texture, and of the two rows that it is mixed from. The row of the frame is at 0. */
  readonly color: number;
  readonly alpha: number;
  readonly colors: number;
  readonly alphas: number;
}

/** Rows in the vector memory. Vectors may write past their ends. */
function workspace(target: Target, layer: Layer): Workspace {
  const rowBytes = (layer.width + VECTOR) * 2;
  const color = (target.width + VECTOR) * 2;
  const alpha = color + rowBytes;
  const colors = alpha + rowBytes;
  const alphas = colors + rowBytes * 2;
  const { buffer } = vectorFloats((alphas + rowBytes) / 4);
  return { shorts: new Int16Array(buffer), bytes: new Uint8Array(buffer), color, alpha, colors, alphas };
}

interface Row {
  readonly upper: number;
  readonly lower: number;
  readonly down: number;
  readonly place: number;
  readonly step: number;
}

function drawRow(pixels: Int16Array, { width, color, alpha }: Layer, room: Workspace, row: Row): void {
  const { upper, lower, down, place, step } = row;
  // The last place whose right neighbor is still within the row.
  const last = Math.max(0, (width - 1) * PART - 1);
  const left = clamp(place, 0, last) >> 16;
  const end = (clamp(place + pixels.length * step, 0, last) >> 16) + 2;
  const bytes = (end - left) * 2;
  const gap = lower - upper;
  // Both rows, with what lies between them.
  room.shorts.set(color.subarray(upper + left, lower + end), room.colors / 2);
  mixColors(room.color, room.color + bytes, room.colors, room.colors + gap * 2, down);
  if (alpha) {
    room.bytes.set(alpha.subarray(upper + left, lower + end), room.alphas);
    mixAlphas(room.alpha, room.alpha + bytes, room.alphas, room.alphas + gap, down);
    room.shorts.set(pixels);
  }
  const draw = alpha ? blendPixels : copyPixels;
  const first = place - left * PART;
  draw(0, pixels.length * 2, room.color, room.alpha, first, step, last - left * PART);
  pixels.set(room.shorts.subarray(0, pixels.length));
}
