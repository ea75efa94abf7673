/** Random numbers from 0 to 1; the same seed gives the same ones. */
export function randomNumbers(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** Smooth noise from 0 to 1 over the plane. */
export function valueNoise(x: number, y: number, seed: number): number {
  const left = Math.floor(x);
  const top = Math.floor(y);
  const alongX = x - left;
  const alongY = y - top;
  const shareX = alongX * alongX * (3 - 2 * alongX);
  const shareY = alongY * alongY * (3 - 2 * alongY);
  const above = lattice(left, top, seed) * (1 - shareX) + lattice(left + 1, top, seed) * shareX;
  const below = lattice(left, top + 1, seed) * (1 - shareX) + lattice(left + 1, top + 1, seed) * shareX;
  return above * (1 - shareY) + below * shareY;
}

/** Noise with ever finer noise on it, from 0 to 1. */
export function cloudNoise(x: number, y: number, seed: number, octaves: number): number {
  let sum = 0;
  let total = 0;
  for (let octave = 0, size = 1, weight = 1; octave < octaves; octave++, size *= 2.03, weight *= 0.52) {
    sum += weight * valueNoise(x * size + octave * 17.3, y * size, seed + octave);
    total += weight;
  }
  return sum / total;
}

function lattice(x: number, y: number, seed: number): number {
  let value = Math.imul(x, 0x27d4eb2d) ^ Math.imul(y, 0x165667b1) ^ Math.imul(seed, 0x9e3779b1);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  value = Math.imul(value ^ (value >>> 12), 0x297a2d39);
  return ((value ^ (value >>> 15)) >>> 0) / 4_294_967_296;
}
