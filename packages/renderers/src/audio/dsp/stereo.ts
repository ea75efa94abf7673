import type { Curve } from './curve.ts';
import { CONTROL_STEP, SAMPLE_RATE } from './sample-rate.ts';

export interface Stereo {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

export const createStereo = (length: number): Stereo => ({
  left: new Float32Array(length),
  right: new Float32Array(length),
});

export function addInto(into: Float32Array, from: Float32Array, gain = 1, at = 0): void {
  const end = Math.min(from.length, into.length - at);
  for (let n = Math.max(0, -at); n < end; n += 1) into[at + n] = (into[at + n] ?? 0) + (from[n] ?? 0) * gain;
}

/** As `addInto`, with a gain that moves; the curve's time is the added sound's own. */
export function addShaped(
  into: Float32Array,
  from: Float32Array,
  { at, curve }: { at: number; curve: Curve },
): void {
  const end = Math.min(from.length, into.length - at);
  let gain = curve(0);
  for (let start = 0; start < end; start += CONTROL_STEP) {
    const stop = Math.min(start + CONTROL_STEP, end);
    const step = (curve((start + CONTROL_STEP) / SAMPLE_RATE) - gain) / CONTROL_STEP;
    for (let n = start; n < stop; n += 1) {
      into[at + n] = (into[at + n] ?? 0) + (from[n] ?? 0) * gain;
      gain += step;
    }
  }
}

export function addStereo(into: Stereo, from: Stereo, gain = 1): void {
  addInto(into.left, from.left, gain);
  addInto(into.right, from.right, gain);
}

interface Place {
  /** In samples. */
  readonly at?: number | undefined;
  readonly gain?: number | undefined;
  /** From -1, left, to 1, right. The loudness is the same everywhere. */
  readonly pan?: number | undefined;
}

export function addMono(into: Stereo, from: Float32Array, { at = 0, gain = 1, pan = 0 }: Place = {}): void {
  const angle = ((Math.min(1, Math.max(-1, pan)) + 1) * Math.PI) / 4;
  addInto(into.left, from, gain * Math.cos(angle), at);
  addInto(into.right, from, gain * Math.sin(angle), at);
}

/** As `addMono`, from a place that moves. */
export function addMoving(
  into: Stereo,
  from: Float32Array,
  { pan, at = 0 }: { pan: Curve; at?: number },
): void {
  for (let start = 0; start < from.length; start += CONTROL_STEP) {
    const place = Math.min(1, Math.max(-1, pan(start / SAMPLE_RATE)));
    const block = from.subarray(start, start + CONTROL_STEP);
    addMono(into, block, { at: at + start, pan: place });
  }
}

export function scale(sound: Stereo, gain: number): Stereo {
  for (const channel of [sound.left, sound.right]) {
    for (let n = 0; n < channel.length; n += 1) channel[n] = (channel[n] ?? 0) * gain;
  }
  return sound;
}
