import type { Curve } from '../dsp/curve.ts';
import { type FilterOptions, filter } from '../dsp/filter.ts';
import { brownNoise, pinkNoise, whiteNoise } from '../dsp/noise.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto, addShaped } from '../dsp/stereo.ts';
import type { Scene } from './scene.ts';

const NOISES = { white: whiteNoise, pink: pinkNoise, brown: brownNoise } as const;

interface BedOptions {
  readonly color: keyof typeof NOISES;
  readonly filters?: readonly FilterOptions[] | undefined;
  readonly gain?: number | undefined;
  readonly envelope?: Curve | undefined;
  /** Only this part of the time, in seconds; the envelope still counts from the beginning of all. */
  readonly span?: readonly [number, number] | undefined;
  /** Seconds by which the right side's envelope lags: the sound seems to pass. */
  readonly lag?: number | undefined;
}

// Noise does not know itself after this long: one noise, shifted, serves both sides.
const SHIFT = toSamples(0.35);

/** A wide bed of noise: the two sides are independent. */
export function addBed(scene: Scene, options: BedOptions): void {
  const { gain = 1, envelope, lag = 0, span = [0, scene.seconds], filters = [] } = options;
  const first = Math.max(0, toSamples(span[0]));
  const length = Math.min(scene.length, toSamples(span[1])) - first;
  if (length <= 0) return;
  const begin = first / SAMPLE_RATE;
  // A filter that moves must move at the same time on both sides, so there the noise cannot be shared.
  const shared = filters.every(({ hz }) => typeof hz === 'number')
    ? noiseOf(scene, options, length + SHIFT)
    : undefined;
  for (const [side, into] of [scene.out.left, scene.out.right].entries()) {
    const noise =
      shared?.subarray(side * SHIFT, side * SHIFT + length) ?? noiseOf(scene, options, length, begin);
    if (envelope)
      addShaped(into, noise, { at: first, curve: (at) => gain * envelope(at + begin - side * lag) });
    else addInto(into, noise, gain, first);
  }
}

function noiseOf(scene: Scene, { color, filters = [] }: BedOptions, length: number, begin = 0): Float32Array {
  const noise = NOISES[color](length, scene.nextSeed());
  for (const { kind, hz, q } of filters) {
    filter(noise, { kind, q, hz: typeof hz === 'number' ? hz : (at) => hz(at + begin) });
  }
  return noise;
}
