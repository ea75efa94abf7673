export function clamp(value: number, low = 0, high = 1): number {
  return value < low ? low : value > high ? high : value;
}

export function lerp(from: number, to: number, at: number): number {
  return from + (to - from) * at;
}

/** 0 below `from`, 1 above `to`, smooth between; the other way round where `from` is the larger. */
export function smoothstep(from: number, to: number, value: number): number {
  const at = clamp((value - from) / (to - from));
  return at * at * (3 - 2 * at);
}

/** Starts and ends at rest, without the long standstill of a cubic. */
export function ease(at: number): number {
  return lerp(at, at * at * (3 - 2 * at), 0.85);
}
