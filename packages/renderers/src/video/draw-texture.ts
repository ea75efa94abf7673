import type { FrameKernels } from './frame-kernels.ts';
import { type FrameMemory, oncePerMemory } from './frame-memory.ts';
import { type PlacedLayer, placeTexture } from './place-texture.ts';
import type { Planes } from './planes.ts';
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
  const { memory, width, height } = target;
  if (placement.opacity === 0) return;
  const half = {
    ...placement,
    left: placement.left / 2,
    top: placement.top / 2,
    bottom: placement.bottom && placement.bottom / 2,
  };
  const placed = placeTexture(memory, texture);
  const lines = linesFor(memory, texture.width);
  const fine = { width, height, lines, kernels: memory.kernels };
  const coarse = { ...fine, width: width >> 1, height: height >> 1 };
  drawLayer({ ...fine, data: target.y }, texture.y, placed.y, placement, 1);
  drawLayer({ ...coarse, data: target.u }, texture.u, placed.u, half, 2);
  drawLayer({ ...coarse, data: target.v }, texture.v, placed.v, half, 2);
}

/** The colors and the alpha of a row of a texture. */
interface Lines {
  readonly length: number;
  readonly colors: number;
  readonly covers: number;
}

const linesIn = oncePerMemory((): { lines: Lines } => ({ lines: { length: 0, colors: 0, covers: 0 } }));

function linesFor(memory: FrameMemory, length: number): Lines {
  const known = linesIn(memory);
  if (known.lines.length >= length) return known.lines;
  known.lines = { length, colors: memory.take(length * 2), covers: memory.take(length * 2) };
  return known.lines;
}

interface Target {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
  readonly lines: Lines;
  readonly kernels: FrameKernels;
}

/** Shares of rows are whole numbers of this part. */
const SHARE = 32_768;

function drawLayer(
  target: Target,
  layer: Layer,
  placed: PlacedLayer,
  placement: Placement,
  coarseness: 1 | 2,
): void {
  const { left, top, scale, opacity = 1, sway, bottom = target.height } = placement;
  const { kernels, lines } = target;
  const step = 1 / scale;
  const isOpaque = layer.kind === 'opaque';
  const firstRow = isOpaque ? 0 : Math.max(0, Math.ceil(top - scale / 2 - 0.5));
  const lowest = Math.min(target.height, Math.ceil(bottom)) - 1;
  const lastRow = isOpaque ? lowest : Math.min(lowest, Math.floor(top + (layer.height + 0.5) * scale - 0.5));
  const { spans } = layer;
  const total = Math.round(opacity * SHARE);
  for (let row = firstRow; row <= lastRow; row++) {
    const place = Math.min(layer.height - 1, Math.max(0, (row + 0.5 - top) * step - 0.5));
    const above = Math.min(layer.height - 1, Math.floor(place));
    const below = Math.min(layer.height - 1, above + 1);
    const swayed = sway
      ? (sway[Math.min(sway.length - 1, Math.round(place) * coarseness)] as number) / coarseness
      : 0;
    const shift = left + swayed;
    // Only what is in the frame.
    const seenFrom = Math.max(0, Math.floor((0.5 - shift) * step - 0.5) - 1);
    const seenTo = Math.min(layer.width, Math.ceil((target.width - 0.5 - shift) * step) + 2);
    const to = target.data.byteOffset + row * target.width * 2;
    const upper = placed.color + above * layer.width * 2;
    const lower = placed.color + below * layer.width * 2;
    const lowerShare = Math.round((place - above) * total);
    const upperShare = total - lowerShare;
    if (!spans) {
      kernels.copyRow(
        to,
        target.width,
        upper,
        lower,
        upperShare,
        lowerShare,
        layer.width - 1,
        seenFrom,
        seenTo,
        shift,
        step,
        lines.colors,
      );
      continue;
    }
    const start = spans.starts[above] as number;
    const count = (spans.starts[above + 1] as number) - start;
    if (count === 0) continue;
    kernels.drawSpans(
      to,
      target.width,
      upper,
      lower,
      placed.alpha && placed.alpha + above * layer.width,
      placed.alpha && placed.alpha + below * layer.width,
      upperShare,
      lowerShare,
      placed.spans + start * 4,
      count,
      seenFrom,
      seenTo,
      shift,
      step,
      lines.colors,
      lines.covers,
    );
  }
}
