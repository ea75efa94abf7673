/** The same for the same place and seed, from 0 to 1. */
export function hashed(x: number, y: number, seed: number): number {
  let hash = Math.imul(x, 374761393) + Math.imul(y, 668265263) + Math.imul(seed, 974634097);
  hash = Math.imul(hash ^ (hash >>> 13), 1274126177);
  hash = Math.imul(hash ^ (hash >>> 16), 2246822519);
  return ((hash ^ (hash >>> 15)) >>> 0) / 4294967296;
}

/** Smooth noise with features of about one unit, from 0 to 1. */
export function noise(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const a = fade(x - left);
  const b = fade(y - top);
  const above = mix(hashed(left, top, seed), hashed(left + 1, top, seed), a);
  const below = mix(hashed(left, top + 1, seed), hashed(left + 1, top + 1, seed), a);
  return mix(above, below, b);
}

/** Noise with detail in it, from -1 to 1. */
export function cloud(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let total = 0;
  for (let octave = 0, size = 1, weight = 1; octave < octaves; octave++, size *= 2.03, weight *= 0.55) {
    sum += weight * (2 * noise(x * size, y * size, seed + octave) - 1);
    total += weight;
  }
  return sum / total;
}

/** How far the nearest of points strewn one to a unit square is. */
export function nearestPoint(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  let least = 4;
  for (let row = top - 1; row <= top + 1; row++) {
    for (let column = left - 1; column <= left + 1; column++) {
      const dx = column + hashed(column, row, seed) - x;
      const dy = row + hashed(column, row, seed + 7) - y;
      least = Math.min(least, dx * dx + dy * dy);
    }
  }
  return Math.sqrt(least);
}

/** A value near the mean 0 with the deviation 1. */
export function gaussian(x: number, y: number, seed: number): number {
  const sum = hashed(x, y, seed) + hashed(x, y, seed + 1) + hashed(x, y, seed + 2) + hashed(x, y, seed + 3);
  return (sum - 2) * 1.732;
}

export function mix(from: number, to: number, share: number): number {
  return from + (to - from) * share;
}

/** 0 up to `from`, 1 from `to` on, smooth between; `from` may be the larger. */
export function step(from: number, to: number, value: number): number {
  const share = Math.min(1, Math.max(0, (value - from) / (to - from)));
  return fade(share);
}

/** A bell of height 1. */
export function bell(x: number, y: number, width: number, height: number): number {
  const a = x / width;
  const b = y / height;
  const square = a * a + b * b;
  return square > 12 ? 0 : Math.exp(-square);
}

function fade(share: number): number {
  return share * share * (3 - 2 * share);
}
