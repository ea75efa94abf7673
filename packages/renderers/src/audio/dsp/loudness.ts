import { SAMPLE_RATE } from './sample-rate.ts';
import type { Stereo } from './stereo.ts';

// Half the rate takes half the time; what it misses lies above 8 kHz and moves the result by less than a decibel.
const RATE = SAMPLE_RATE / 2;
const HOP = RATE / 10;
const HOPS_A_BLOCK = 4;

/** Loudness in LUFS as ITU-R BS.1770 measures it (blocks of 0.4 s, both gates); -Infinity when all is below -70. */
export function loudness(sound: Stereo): number {
  const hops = [hopEnergies(sound.left), hopEnergies(sound.right)];
  const count = hops[0]?.length ?? 0;
  const width = Math.min(HOPS_A_BLOCK, Math.max(1, count));
  const blocks: number[] = [];
  for (let start = 0; start + width <= count; start += 1) {
    let sum = 0;
    for (const energies of hops) for (let n = start; n < start + width; n += 1) sum += energies[n] ?? 0;
    blocks.push(sum / (width * HOP));
  }
  const loud = blocks.filter((energy) => toLufs(energy) > -70);
  const gate = toLufs(mean(loud)) - 10;
  return toLufs(mean(loud.filter((energy) => toLufs(energy) > gate)));
}

const toLufs = (energy: number): number => -0.691 + 10 * Math.log10(energy);

const mean = (values: readonly number[]): number =>
  values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;

/** The standard's two filters for any rate: a shelf for the head, then a high-pass. */
function weighting(): { readonly shelf: Biquad; readonly pass: Biquad } {
  const k = Math.tan((Math.PI * 1681.974450955533) / RATE);
  const q = 0.7071752369554196;
  const high = 10 ** (3.999843853973347 / 20);
  const band = high ** 0.4996667741545416;
  const a0 = 1 + k / q + k * k;
  const low = Math.tan((Math.PI * 38.13547087602444) / RATE);
  const lowQ = 0.5003270373238773;
  const c0 = 1 + low / lowQ + low * low;
  return {
    shelf: {
      b0: (high + (band * k) / q + k * k) / a0,
      b1: (2 * (k * k - high)) / a0,
      b2: (high - (band * k) / q + k * k) / a0,
      a1: (2 * (k * k - 1)) / a0,
      a2: (1 - k / q + k * k) / a0,
    },
    pass: { b0: 1, b1: -2, b2: 1, a1: (2 * (low * low - 1)) / c0, a2: (1 - low / lowQ + low * low) / c0 },
  };
}

interface Biquad {
  readonly b0: number;
  readonly b1: number;
  readonly b2: number;
  readonly a1: number;
  readonly a2: number;
}

const { shelf: SHELF, pass: PASS } = weighting();

/** The energy of every tenth of a second after those filters. */
function hopEnergies(samples: Float32Array): Float64Array {
  const { b0, b1, b2, a1, a2 } = SHELF;
  const { a1: c1, a2: c2 } = PASS;
  const energies = new Float64Array(Math.max(1, Math.floor(samples.length / (2 * HOP))));
  let x1 = 0;
  let x2 = 0;
  let y1 = 0;
  let y2 = 0;
  let z1 = 0;
  let z2 = 0;
  for (let hop = 0; hop < energies.length; hop += 1) {
    let sum = 0;
    const end = Math.min(samples.length - 1, (hop + 1) * 2 * HOP);
    for (let n = hop * 2 * HOP; n < end; n += 2) {
      const x = 0.5 * ((samples[n] ?? 0) + (samples[n + 1] ?? 0));
      const y = b0 * x + b1 * x1 + b2 * x2 - a1 * y1 - a2 * y2;
      const z = y - 2 * y1 + y2 - c1 * z1 - c2 * z2;
      x2 = x1;
      x1 = x;
      y2 = y1;
      y1 = y;
      z2 = z1;
      z1 = z;
      sum += z * z;
    }
    energies[hop] = sum;
  }
  return energies;
}
