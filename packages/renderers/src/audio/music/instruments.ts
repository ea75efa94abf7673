import { shape, smoothStep } from '../dsp/curve.ts';
import { bandPass, highPass, lowPass } from '../dsp/filter.ts';
import { whiteNoise } from '../dsp/noise.ts';
import { createRandom } from '../dsp/random.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto } from '../dsp/stereo.ts';

/** A note as an instrument plays it: `seconds` until it is let go. */
interface Played {
  readonly hz: number;
  readonly seconds: number;
  readonly loud: number;
  readonly seed: number;
}

export type Instrument = (played: Played) => Float32Array;

/** Saws a little out of tune with one another, added to `into`. The corners are rounded so that they do not alias. */
export function addSaws(
  into: Float32Array,
  { hz, cents, seed }: { hz: number; cents: readonly number[]; seed: number },
): void {
  const random = createRandom(seed);
  for (const cent of cents) {
    const turn = (hz * 2 ** (cent / 1200)) / SAMPLE_RATE;
    let phase = random();
    for (let n = 0; n < into.length; n += 1) {
      phase += turn;
      if (phase >= 1) phase -= 1;
      let value = 2 * phase - 1;
      if (phase < turn) {
        const part = phase / turn;
        value -= 2 * part - part * part - 1;
      } else if (phase > 1 - turn) {
        const part = (phase - 1) / turn;
        value -= part * part + 2 * part + 1;
      }
      into[n] = (into[n] ?? 0) + value;
    }
  }
}

/** A struck string: partials that each ring and decay, the higher the sooner, a hair sharper than whole multiples. */
export const piano: Instrument = ({ hz, seconds, loud, seed }) => {
  const length = toSamples(Math.min(4.5, seconds + 0.5));
  const samples = new Float32Array(length);
  const ring = Math.min(5, 480 / hz ** 0.75);
  for (let n = 1; n <= 10; n += 1) {
    const partial = n * hz * Math.sqrt(1 + 0.0004 * n * n);
    if (partial > 11_000) break;
    // A soft blow has few high partials; one in seven is weak where the hammer strikes.
    const gain = (loud ** (0.4 + n * 0.12) / n ** 1.15) * (n === 7 ? 0.2 : 1);
    addPartial(samples, { hz: partial, gain, decay: ring / (1 + 0.35 * (n - 1)) });
    addPartial(samples, { hz: partial * 1.0004, gain: gain * 0.5, decay: (ring * 1.6) / n ** 0.6 });
  }
  const knock = shape(lowPass(whiteNoise(toSamples(0.04), seed), 1600), (t) => Math.exp(-t * 120));
  addInto(samples, knock, 0.12 * loud);
  return release(samples, seconds, 0.35);
};

function addPartial(
  samples: Float32Array,
  { hz, gain, decay }: { hz: number; gain: number; decay: number },
): void {
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  const fade = Math.exp(-4 / (decay * SAMPLE_RATE));
  const b = 2 * fade * Math.cos(turn);
  const c = -fade * fade;
  let before = 0;
  let value = gain * Math.sin(turn);
  for (let n = 1; n < samples.length; n += 1) {
    samples[n] = (samples[n] ?? 0) + value;
    const next = b * value + c * before;
    before = value;
    value = next;
  }
}

/** Frequency modulation: `ratio` and `index` decide the color, the index fades with `bright` seconds. */
function modulated(
  { hz, seconds, loud }: Played,
  { ratio, index, bright, decay }: { ratio: number; index: number; bright: number; decay: number },
): Float32Array {
  const samples = new Float32Array(toSamples(Math.min(decay * 1.4, seconds + 0.6)));
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  const darker = Math.exp(-1 / (bright * SAMPLE_RATE));
  const softer = Math.exp(-4 / (decay * SAMPLE_RATE));
  let color = index * loud;
  let level = 1;
  for (let n = 0; n < samples.length; n += 1) {
    samples[n] = level * Math.sin(turn * n + color * Math.sin(turn * ratio * n));
    color *= darker;
    level *= softer;
  }
  return release(samples, seconds, 0.4);
}

export const electric: Instrument = (played) => {
  const body = modulated(played, { ratio: 1, index: 1.4, bright: 0.5, decay: 2.6 });
  const tine = modulated(played, { ratio: 14, index: 0.6, bright: 0.08, decay: 0.6 });
  addInto(body, tine, 0.25);
  return body;
};

export const bell: Instrument = (played) => {
  const body = modulated(played, { ratio: 3.5, index: 1.3, bright: 0.6, decay: 3 });
  addInto(
    body,
    modulated({ ...played, hz: played.hz * 2 }, { ratio: 1.41, index: 0.5, bright: 0.3, decay: 1.4 }),
    0.25,
  );
  return body;
};

export const pluck: Instrument = ({ hz, seconds, loud, seed }) => {
  // A string that was plucked is noise running round a loop that loses its highs.
  const length = toSamples(Math.min(2.5, seconds + 0.7));
  const period = SAMPLE_RATE / hz - 0.5;
  const whole = Math.floor(period);
  const part = period - whole;
  const samples = new Float32Array(length);
  samples.set(lowPass(whiteNoise(Math.min(length, whole + 1), seed), 1500 + 5000 * loud).subarray(0, length));
  for (let n = whole + 2; n < length; n += 1) {
    const near = samples[n - whole] ?? 0;
    const far = samples[n - whole - 1] ?? 0;
    const farther = samples[n - whole - 2] ?? 0;
    const late = near + (far - near) * part;
    const later = far + (farther - far) * part;
    samples[n] = 0.4985 * (late + later);
  }
  return release(samples, seconds + 0.3, 0.4);
};

export const flute: Instrument = ({ hz, seconds, loud, seed }) => {
  const samples = new Float32Array(toSamples(seconds + 0.15));
  const breath = bandPass(whiteNoise(samples.length, seed), hz * 2, 2);
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  let phase = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const at = n / SAMPLE_RATE;
    const vibrato = 0.0045 * smoothStep(0.2, 0.7, at) * Math.sin(2 * Math.PI * 5.1 * at);
    phase += turn * (1 + vibrato);
    const tone = Math.sin(phase) + 0.28 * loud * Math.sin(2 * phase) + 0.1 * Math.sin(3 * phase);
    samples[n] = (tone + (breath[n] ?? 0) * 0.25) * smoothStep(0, 0.07, at);
  }
  return release(samples, seconds, 0.14);
};

export const strings: Instrument = ({ hz, seconds, loud, seed }) => {
  const samples = new Float32Array(toSamples(seconds + 0.3));
  addSaws(samples, { hz, cents: [-9, 2, 11], seed });
  lowPass(samples, (at) => 700 + 2600 * loud * smoothStep(0, 0.25, at), 0.8);
  shape(samples, (at) => 0.3 * smoothStep(0, 0.12, at));
  return release(samples, seconds, 0.28);
};

export const synth: Instrument = ({ hz, seconds, loud, seed }) => {
  const samples = new Float32Array(toSamples(seconds + 0.25));
  addSaws(samples, { hz, cents: [-6, 6], seed });
  lowPass(samples, (at) => 500 + 5200 * loud * Math.exp(-at * 5), 2.2);
  shape(samples, (at) => 0.35 * smoothStep(0, 0.006, at) * Math.exp(-at * 1.2));
  return release(samples, seconds, 0.2);
};

export const bass: Instrument = ({ hz, seconds, seed }) => {
  const samples = new Float32Array(toSamples(seconds + 0.12));
  addSaws(samples, { hz, cents: [0], seed });
  lowPass(samples, (at) => 160 + 500 * Math.exp(-at * 6), 0.9);
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  for (let n = 0; n < samples.length; n += 1) samples[n] = 0.5 * (samples[n] ?? 0) + 0.8 * Math.sin(turn * n);
  shape(samples, (at) => smoothStep(0, 0.012, at) * (0.45 + 0.55 * Math.exp(-at * 2)));
  return highPass(release(samples, seconds, 0.1), 30);
};

/** Lets the note go at `seconds`. */
function release(samples: Float32Array, seconds: number, fade: number): Float32Array {
  const end = samples.length / SAMPLE_RATE;
  const from = Math.max(0, Math.min(seconds, end - fade));
  return shape(samples, (at) => 1 - smoothStep(from, Math.min(end - 0.001, from + fade), at));
}
