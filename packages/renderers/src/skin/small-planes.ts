import type { Planes, Size } from '../pixels/planes.ts';

/** The reduced picture as brightness and two color differences (BT.601), on the scale of 8-bit samples. */
export interface SmallPlanes extends Size {
  /** Pixels of the picture per pixel of these planes, in each direction. */
  readonly factor: number;
  readonly luma: Float32Array;
  /** Towards blue, around 0. */
  readonly cb: Float32Array;
  /** Towards red, around 0. */
  readonly cr: Float32Array;
}

export function smallPlanes(
  { width, height, planes: [red, green, blue] }: Size & { readonly planes: Planes },
  factor: number,
): SmallPlanes {
  const luma = red.map((value, at) => 0.299 * value + 0.587 * (green[at] ?? 0) + 0.114 * (blue[at] ?? 0));
  return {
    width,
    height,
    factor,
    luma,
    cb: blue.map((value, at) => (value - (luma[at] ?? 0)) * 0.564),
    cr: red.map((value, at) => (value - (luma[at] ?? 0)) * 0.713),
  };
}
