const RATE = 48_000;

export const toDecibels = (value: number): number => 20 * Math.log10(Math.max(value, 1e-12));

export function rms(samples: Float32Array): number {
  let sum = 0;
  for (const value of samples) sum += value * value;
  return Math.sqrt(sum / Math.max(1, samples.length));
}

export function peak(samples: Float32Array): number {
  let most = 0;
  for (const value of samples) most = Math.max(most, Math.abs(value));
  return most;
}

/** The longest time in seconds that stays under the level, in steps of 50 ms. */
export function longestBelow(samples: Float32Array, decibels: number): number {
  const step = RATE / 20;
  let run = 0;
  let longest = 0;
  for (let at = 0; at < samples.length; at += step) {
    run = toDecibels(rms(samples.subarray(at, at + step))) < decibels ? run + 0.05 : 0;
    longest = Math.max(longest, run);
  }
  return longest;
}

/** The mean power spectrum; entry n is n × 48000 / size Hz. */
export function spectrum(samples: Float32Array, size = 4096): Float64Array {
  const power = new Float64Array(size / 2);
  for (let start = 0; start + size <= samples.length; start += size / 2) {
    const real = Float64Array.from(samples.subarray(start, start + size), (value, n) => {
      const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * n) / size);
      return value * window;
    });
    const imaginary = new Float64Array(size);
    transform(real, imaginary);
    for (let n = 0; n < power.length; n += 1) power[n]! += real[n]! ** 2 + imaginary[n]! ** 2;
  }
  return power;
}

function transform(real: Float64Array, imaginary: Float64Array): void {
  const size = real.length;
  for (let i = 1, j = 0; i < size; i += 1) {
    let bit = size >> 1;
    for (; j & bit; bit >>= 1) j ^= bit;
    j ^= bit;
    if (i < j) [real[i], real[j]] = [real[j]!, real[i]!];
  }
  for (let length = 2; length <= size; length *= 2) {
    for (let k = 0; k < length / 2; k += 1) {
      const cos = Math.cos((-2 * Math.PI * k) / length);
      const sin = Math.sin((-2 * Math.PI * k) / length);
      for (let i = k; i < size; i += length) {
        const j = i + length / 2;
        const re = real[j]! * cos - imaginary[j]! * sin;
        const im = real[j]! * sin + imaginary[j]! * cos;
        real[j] = real[i]! - re;
        imaginary[j] = imaginary[i]! - im;
        real[i]! += re;
        imaginary[i]! += im;
      }
    }
  }
}

/** The share of the power between two frequencies. */
export function share(power: Float64Array, low: number, high: number): number {
  const binHz = RATE / 2 / power.length;
  let inside = 0;
  let all = 0;
  for (const [n, value] of power.entries()) {
    all += value;
    if (n * binHz >= low && n * binHz < high) inside += value;
  }
  return inside / all;
}

/** The pitch of each frame of 50 ms that has one: where the sound is like itself a period later. */
export function pitches(samples: Float32Array): number[] {
  const slow = slowDown(samples);
  const rate = RATE / 6;
  const found: number[] = [];
  for (let start = 0; start + 400 + 100 <= slow.length; start += 200) {
    const frame = slow.subarray(start, start + 500);
    if (rms(frame) < 0.01) continue;
    let best = 0;
    let bestLag = 0;
    for (let lag = Math.floor(rate / 350); lag <= rate / 75; lag += 1) {
      const like = likeness(frame, lag);
      // A period twice as long fits as well: the shorter one wins unless the longer is clearly better.
      if (like > best + 0.03) {
        best = like;
        bestLag = lag;
      }
    }
    if (best > 0.75) found.push(rate / bestLag);
  }
  return found;
}

function slowDown(samples: Float32Array): Float32Array {
  return Float32Array.from({ length: Math.floor(samples.length / 6) }, (_, n) => {
    let sum = 0;
    for (let k = 0; k < 6; k += 1) sum += samples[n * 6 + k]!;
    return sum / 6;
  });
}

function likeness(frame: Float32Array, lag: number): number {
  let product = 0;
  let one = 0;
  let other = 0;
  for (let n = 0; n < 390; n += 1) {
    const a = frame[n]!;
    const b = frame[n + lag]!;
    product += a * b;
    one += a * a;
    other += b * b;
  }
  return product / Math.sqrt(one * other + 1e-12);
}

export function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
