import type { Curve } from './curve.ts';
import { CONTROL_STEP, SAMPLE_RATE } from './sample-rate.ts';

export interface FilterOptions {
  readonly kind: 'low' | 'high' | 'band';
  readonly hz: number | Curve;
  /** The square root of a half, which it is without one, is flat; a band of a high `q` rings. */
  readonly q?: number | undefined;
}

/**
 * A two-pole state-variable filter, in place; a band has a gain of 1 at its centre. This form stays stable and
 * quiet while `hz` moves, which the direct form does not.
 */
export function filter(samples: Float32Array, { kind, hz, q = Math.SQRT1_2 }: FilterOptions): Float32Array {
  const k = 1 / q;
  let first = 0;
  let second = 0;
  for (let start = 0; start < samples.length; start += CONTROL_STEP) {
    const cutoff = typeof hz === 'number' ? hz : hz(start / SAMPLE_RATE);
    const g = Math.tan((Math.PI * Math.min(Math.max(cutoff, 5), SAMPLE_RATE * 0.45)) / SAMPLE_RATE);
    const a1 = 1 / (1 + g * (g + k));
    const a2 = g * a1;
    const a3 = g * a2;
    const ofInput = kind === 'high' ? 1 : 0;
    const ofBand = kind === 'low' ? 0 : kind === 'band' ? k : -k;
    const ofLow = kind === 'low' ? 1 : kind === 'band' ? 0 : -1;
    const end = Math.min(start + CONTROL_STEP, samples.length);
    for (let n = start; n < end; n += 1) {
      const input = samples[n] ?? 0;
      const rest = input - second;
      const band = a1 * first + a2 * rest;
      const low = second + a2 * first + a3 * rest;
      first = 2 * band - first;
      second = 2 * low - second;
      samples[n] = ofInput * input + ofBand * band + ofLow * low;
    }
  }
  return samples;
}

export const lowPass = (samples: Float32Array, hz: number | Curve, q?: number): Float32Array =>
  filter(samples, { kind: 'low', hz, q });

export const highPass = (samples: Float32Array, hz: number | Curve, q?: number): Float32Array =>
  filter(samples, { kind: 'high', hz, q });

export const bandPass = (samples: Float32Array, hz: number | Curve, q?: number): Float32Array =>
  filter(samples, { kind: 'band', hz, q });
