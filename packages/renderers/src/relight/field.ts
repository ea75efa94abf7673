import type { Size } from '../pixels/box-blur.ts';

/** Three planes, one a channel. */
export interface Planes {
  readonly red: Float32Array;
  readonly green: Float32Array;
  readonly blue: Float32Array;
}

export const CHANNELS = ['red', 'green', 'blue'] as const;

export function createPlanes(length: number): Planes {
  return { red: new Float32Array(length), green: new Float32Array(length), blue: new Float32Array(length) };
}

export function mapPlanes(planes: Planes, change: (plane: Float32Array) => Float32Array): Planes {
  return { red: change(planes.red), green: change(planes.green), blue: change(planes.blue) };
}

export function meanWithin(plane: Float32Array, weights: Float32Array): number {
  let sum = 0;
  let share = 1e-6;
  for (let at = 0; at < plane.length; at++) {
    sum += (plane[at] ?? 0) * (weights[at] ?? 0);
    share += weights[at] ?? 0;
  }
  return sum / share;
}

/** The value below which this share of the plane lies, of at most some thousand samples. */
export function percentile(plane: Float32Array, share: number): number {
  const step = Math.max(1, Math.floor(plane.length / 4096));
  const samples = new Float32Array(Math.floor((plane.length - 1) / step) + 1);
  for (let n = 0; n < samples.length; n++) samples[n] = plane[n * step] ?? 0;
  samples.sort();
  return samples[Math.min(samples.length - 1, Math.floor(share * samples.length))] ?? 0;
}

/** Bilinear, with the corners of both planes on each other's corners. */
export function resizePlane(plane: Float32Array, from: Size, to: Size): Float32Array {
  const resized = new Float32Array(to.width * to.height);
  for (let y = 0; y < to.height; y++) {
    const atY = Math.min(from.height - 1, Math.max(0, ((y + 0.5) * from.height) / to.height - 0.5));
    const top = Math.floor(atY);
    const shareY = atY - top;
    const upper = top * from.width;
    const lower = Math.min(from.height - 1, top + 1) * from.width;
    for (let x = 0; x < to.width; x++) {
      const atX = Math.min(from.width - 1, Math.max(0, ((x + 0.5) * from.width) / to.width - 0.5));
      const left = Math.floor(atX);
      const right = Math.min(from.width - 1, left + 1);
      const shareX = atX - left;
      const above = (plane[upper + left] ?? 0) * (1 - shareX) + (plane[upper + right] ?? 0) * shareX;
      const below = (plane[lower + left] ?? 0) * (1 - shareX) + (plane[lower + right] ?? 0) * shareX;
      resized[y * to.width + x] = above * (1 - shareY) + below * shareY;
    }
  }
  return resized;
}

export function clamp(value: number, least: number, most: number): number {
  return value < least ? least : value > most ? most : value;
}

export function smoothstep(from: number, to: number, value: number): number {
  const share = clamp((value - from) / (to - from), 0, 1);
  return share * share * (3 - 2 * share);
}
