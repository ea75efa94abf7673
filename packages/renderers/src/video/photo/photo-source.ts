import type { Picture } from '../../pixels/picture.ts';
import { BLUE, GREEN, RED, type Size, U_PART, UNIT, V_PART } from '../planes.ts';

/** A picture to be read at any place near it: beyond its edges it is mirrored. */
export interface PhotoSource {
  /** Pixels of the source for one pixel of the frame. */
  readonly scale: number;
  /** How far it goes on beyond each edge, in its own pixels; even. */
  readonly pad: number;
  readonly y: SourcePlane;
  readonly u: SourcePlane;
  readonly v: SourcePlane;
}

export interface SourcePlane {
  readonly width: number;
  readonly height: number;
  readonly data: Int16Array;
}

/** How much of the frame's longer side can be seen beyond an edge. */
const PAD = 0.08;

export function createPhotoSource({ width, height, rgb }: Picture, frame: Size): PhotoSource {
  const pad = Math.ceil(Math.max(width, height) * PAD * 0.5) * 2;
  const full = { width: width + 2 * pad, height: height + 2 * pad };
  const half = { width: full.width >> 1, height: full.height >> 1 };
  const y = new Int16Array(full.width * full.height);
  const u = new Int16Array(half.width * half.height);
  const v = new Int16Array(half.width * half.height);
  const columns = Int32Array.from({ length: full.width }, (_, x) => mirrored(x - pad, width) * 3);
  for (let row = 0; row < full.height; row++) {
    const from = mirrored(row - pad, height) * width * 3;
    const to = row * full.width;
    const halfRow = (row >> 1) * half.width;
    for (let x = 0; x < full.width; x++) {
      const at = from + (columns[x] as number);
      const red = rgb[at] as number;
      const blue = rgb[at + 2] as number;
      const light = RED * red + GREEN * (rgb[at + 1] as number) + BLUE * blue;
      y[to + x] = light * UNIT;
      const place = halfRow + (x >> 1);
      if (place >= u.length) continue;
      u[place] = (u[place] as number) + (blue - light) * U_PART * (UNIT / 4);
      v[place] = (v[place] as number) + (red - light) * V_PART * (UNIT / 4);
    }
  }
  return {
    scale: width / frame.width,
    pad,
    y: { ...full, data: y },
    u: { ...half, data: u },
    v: { ...half, data: v },
  };
}

function mirrored(at: number, length: number): number {
  const span = 2 * length;
  const place = ((at % span) + span) % span;
  return place < length ? place : span - 1 - place;
}
