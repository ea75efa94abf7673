import type { Size } from '../pixels/box-blur.ts';
import type { SmallPicture } from '../pixels/downscale.ts';

/** The reduced picture as brightness and two differences of color (BT.601), on the scale of 8-bit samples. */
export interface SmallPlanes extends Size {
  readonly factor: number;
  readonly luma: Float32Array;
  /** Towards blue, around 0. */
  readonly cb: Float32Array;
  /** Towards red, around 0. */
  readonly cr: Float32Array;
}

export function smallPlanes({ width, height, factor, red, green, blue }: SmallPicture): SmallPlanes {
  const luma = new Float32Array(red.length);
  const cb = new Float32Array(red.length);
  const cr = new Float32Array(red.length);
  for (let at = 0; at < luma.length; at++) {
    const r = red[at] ?? 0;
    const b = blue[at] ?? 0;
    const y = 0.299 * r + 0.587 * (green[at] ?? 0) + 0.114 * b;
    luma[at] = y;
    cb[at] = (b - y) * 0.564;
    cr[at] = (r - y) * 0.713;
  }
  return { width, height, factor, luma, cb, cr };
}

export function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}

/** 0 up to `from`, 1 from `to` on, smooth between; `from` may be the larger. */
export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}

/** The value that this share of a plane lies below, by some thousand samples of it. */
export function quantile(plane: Float32Array, share: number): number {
  const step = Math.max(1, Math.floor(plane.length / 4001));
  const samples = new Float32Array(Math.ceil(plane.length / step));
  for (let index = 0; index < samples.length; index++) samples[index] = plane[index * step] ?? 0;
  samples.sort();
  return samples[Math.floor(samples.length * share)] ?? 0;
}
