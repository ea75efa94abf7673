import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import type { Stereo } from '../dsp/stereo.ts';

/** A tone that decays: a drop, a bubble, a tick. `bend` is how many octaves it rises (or falls) on its way. */
export function blip({
  hz,
  seconds,
  bend = 0,
  attack = 0.001,
}: {
  hz: number;
  seconds: number;
  bend?: number;
  attack?: number;
}): Float32Array {
  const length = toSamples(seconds);
  const samples = new Float32Array(length);
  const fade = Math.exp(-6.9 / length);
  if (bend === 0) return ring(samples, { hz, fade, attack });
  const rise = 2 ** (bend / length);
  const ramp = Math.max(1, attack * SAMPLE_RATE);
  let turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  let phase = 0;
  let level = 1;
  for (let n = 0; n < length; n += 1) {
    samples[n] = Math.sin(phase) * level * Math.min(1, n / ramp);
    phase += turn;
    turn *= rise;
    level *= fade;
  }
  return samples;
}

/** The same without a bend, as a resonator that was struck once: far cheaper than a sine a sample. */
function ring(
  samples: Float32Array,
  { hz, fade, attack }: { hz: number; fade: number; attack: number },
): Float32Array {
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  const b = 2 * fade * Math.cos(turn);
  const c = -fade * fade;
  let before = 0;
  let value = fade * Math.sin(turn);
  for (let n = 1; n < samples.length; n += 1) {
    samples[n] = value;
    const next = b * value + c * before;
    before = value;
    value = next;
  }
  const ramp = Math.min(samples.length, attack * SAMPLE_RATE);
  for (let n = 0; n < ramp; n += 1) samples[n] = ((samples[n] ?? 0) * n) / ramp;
  return samples;
}

interface Puff {
  /** Which part of the noise, from 0 to 1. */
  readonly from: number;
  readonly seconds: number;
  readonly attack?: number | undefined;
  /** In seconds. */
  readonly at: number;
  readonly gain: number;
  readonly pan: number;
}

/** Noise that decays by 60 dB over its length: a clap, a crackle, a step. Written in place: there are thousands of them. */
export function addPuff({ left, right }: Stereo, noise: Float32Array, puff: Puff): void {
  const { from, seconds, attack = 0.0008, at, gain, pan } = puff;
  const first = toSamples(at);
  const length = Math.min(toSamples(seconds), left.length - first, noise.length);
  const fade = Math.exp(-6.9 / toSamples(seconds));
  const ramp = Math.max(1, attack * SAMPLE_RATE);
  const start = Math.floor(from * (noise.length - length));
  const angle = ((pan + 1) * Math.PI) / 4;
  let toLeft = gain * Math.cos(angle);
  let toRight = gain * Math.sin(angle);
  for (let n = 0; n < length; n += 1) {
    const value = (noise[start + n] ?? 0) * Math.min(1, n / ramp);
    left[first + n] = (left[first + n] ?? 0) + value * toLeft;
    right[first + n] = (right[first + n] ?? 0) + value * toRight;
    toLeft *= fade;
    toRight *= fade;
  }
}
