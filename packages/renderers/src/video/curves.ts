export { clamp, smoothstep } from '../pixels/planes.ts';

export function lerp(from: number, to: number, at: number): number {
  return from + (to - from) * at;
}

/** Starts and ends at rest, without the long standstill of a cubic. */
export function ease(at: number): number {
  return lerp(at, at * at * (3 - 2 * at), 0.85);
}
