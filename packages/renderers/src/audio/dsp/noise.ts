import { hash } from './random.ts';

/** Even noise from -1 to 1. */
export function whiteNoise(length: number, seed: number): Float32Array {
  const noise = new Float32Array(length);
  let state = hash(seed, 'white') | 1;
  for (let n = 0; n < length; n += 1) {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    noise[n] = state / 2_147_483_648;
  }
  return noise;
}

/** Noise that falls by 3 dB an octave: white noise through three shelves (error under 0.5 dB from 40 Hz up). */
export function pinkNoise(length: number, seed: number): Float32Array {
  const noise = whiteNoise(length, seed);
  let low = 0;
  let middle = 0;
  let high = 0;
  for (let n = 0; n < length; n += 1) {
    const white = noise[n] ?? 0;
    low = 0.9988 * low + white * 0.0496;
    middle = 0.9767 * middle + white * 0.1483;
    high = 0.7304 * high + white * 0.5248;
    noise[n] = (low + middle + high + white * 0.1848) * 0.45;
  }
  return noise;
}

/** Noise that falls by 6 dB an octave above 20 Hz. */
export function brownNoise(length: number, seed: number): Float32Array {
  const noise = whiteNoise(length, seed);
  let sum = 0;
  for (let n = 0; n < length; n += 1) {
    sum = 0.9974 * sum + (noise[n] ?? 0) * 0.06;
    noise[n] = sum;
  }
  return noise;
}
