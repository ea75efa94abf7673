import { shape } from '../dsp/curve.ts';
import { bandPass, highPass, lowPass } from '../dsp/filter.ts';
import { whiteNoise } from '../dsp/noise.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto } from '../dsp/stereo.ts';
import type { Hit } from './compose-drums.ts';

/** One stroke, as loud as can be. */
export function drumOf(drum: Hit['drum'], seed: number): Float32Array {
  switch (drum) {
    case 'kick':
      return skin({ from: 130, to: 48, seconds: 0.32, fall: 32, decay: 11 });
    case 'tom':
      return add(skin({ from: 110, to: 62, seconds: 0.9, fall: 14, decay: 5 }), thump(seed), 0.6);
    case 'snare':
      return add(
        skin({ from: 240, to: 170, seconds: 0.2, fall: 30, decay: 20 }),
        noise(seed, { hz: 2600, seconds: 0.22, decay: 20 }),
        0.9,
      );
    case 'clap':
      return noise(seed, { hz: 1400, seconds: 0.25, decay: 17 });
    case 'hat':
      return highPass(noise(seed, { hz: 8500, seconds: 0.08, decay: 60 }), 6000);
    case 'shaker':
      return shape(
        highPass(whiteNoise(toSamples(0.1), seed), 5000),
        (t) => Math.sin((Math.PI * t) / 0.1) ** 2 * 0.6,
      );
    case 'cymbal':
      return highPass(noise(seed, { hz: 6000, seconds: 2, decay: 2.6 }), 3000);
  }
}

/** A drum skin: a tone that falls quickly to its pitch. */
function skin(options: {
  from: number;
  to: number;
  seconds: number;
  fall: number;
  decay: number;
}): Float32Array {
  const { from, to, seconds, fall, decay } = options;
  const samples = new Float32Array(toSamples(seconds));
  let phase = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const at = n / SAMPLE_RATE;
    phase += (2 * Math.PI * (to + (from - to) * Math.exp(-at * fall))) / SAMPLE_RATE;
    samples[n] =
      Math.sin(phase) * Math.exp(-at * decay) * Math.min(1, at * 800) * Math.min(1, (seconds - at) * 30);
  }
  return samples;
}

const thump = (seed: number): Float32Array =>
  shape(lowPass(whiteNoise(toSamples(0.25), seed), 700), (t) => Math.exp(-t * 30));

function noise(
  seed: number,
  { hz, seconds, decay }: { hz: number; seconds: number; decay: number },
): Float32Array {
  const samples = bandPass(whiteNoise(toSamples(seconds), seed), hz, 0.6);
  return shape(
    samples,
    (t) => Math.min(1, t * 2000) * Math.exp(-t * decay) * Math.min(1, (seconds - t) * 20),
  );
}

function add(samples: Float32Array, other: Float32Array, gain: number): Float32Array {
  if (samples.length < other.length)
    return add(
      Float32Array.from({ length: other.length }, (_, n) => samples[n] ?? 0),
      other,
      gain,
    );
  addInto(samples, other, gain);
  return samples;
}
