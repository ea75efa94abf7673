import { wander } from '../dsp/curve.ts';
import { between, pick, scatter } from '../dsp/random.ts';
import { CONTROL_STEP, SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto, addMono, addMoving } from '../dsp/stereo.ts';
import { addBed } from './bed.ts';
import { blip } from './grains.ts';
import type { Scene } from './scene.ts';

// Hum, prime, tierce, quint, nominal and above: the partials a bell founder tunes, their loudness and their length.
const BELL = [
  [0.5, 0.6, 1],
  [1, 0.9, 0.75],
  [1.2, 0.7, 0.6],
  [1.5, 0.35, 0.45],
  [2, 0.8, 0.4],
  [2.52, 0.3, 0.25],
  [2.67, 0.25, 0.22],
  [3.01, 0.3, 0.2],
  [4.1, 0.22, 0.14],
  [5.4, 0.12, 0.09],
] as const;

function bellOf(hz: number, seconds: number): Float32Array {
  const bell = new Float32Array(toSamples(seconds));
  for (const [ratio, gain, part] of BELL) {
    // Each partial is a pair a hair apart: the slow beating of a cast bell.
    for (const split of [0.9994, 1.0006])
      addInto(bell, blip({ hz: hz * ratio * split, seconds: seconds * part }), gain * 0.5);
  }
  return bell;
}

/** One bell or a small peal. */
export function bells(scene: Scene): void {
  const { random, seconds, out, words } = scene;
  const small = /jingle|sleigh|\bdoor|bicycle|\bring(?:s|ing)?\b|klingel|glöck/u.test(words);
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 500 }], gain: 0.015 });
  const base = small ? between(random, 1500, 2200) : between(random, 300, 440);
  const peal = [1, 9 / 8, 3 / 4].map((ratio) => bellOf(base * ratio, small ? 1.4 : 4.5));
  const every = small ? 0.3 : between(random, 1, 1.5);
  let n = 0;
  for (let at = 0.15; at < seconds; at += every * between(random, 0.97, 1.03)) {
    const which = Math.floor(random() * peal.length);
    const bell = peal[n % 3 === 0 ? 0 : which];
    if (bell)
      addMono(out, bell, { at: toSamples(at), gain: between(random, 0.6, 1), pan: (which - 1) * 0.4 });
    n += 1;
  }
}

/** Small bright notes that fall like dust. */
export function sparkle(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: 5000, q: 1 }],
    gain: 0.025,
    envelope: wander(random, { seconds, rate: 1, low: 0.2, high: 1 }),
  });
  for (let start = 0.1; start < seconds; start += between(random, 0.5, 1.5)) {
    const count = 4 + Math.floor(random() * 8);
    const rises = random() < 0.6 ? 1 : -1;
    const pan = between(random, -0.6, 0.6);
    for (let n = 0; n < count; n += 1) {
      const step = pick(random, [0, 2, 4, 7, 9]) + 12 * Math.floor((rises > 0 ? n : count - n) / 4);
      const hz = Math.min(9000, 1318 * 2 ** (step / 12));
      const note = blip({ hz, seconds: between(random, 0.3, 0.8) });
      addInto(note, blip({ hz: hz * 2.76, seconds: 0.15 }), 0.3);
      addMono(out, note, {
        at: toSamples(start + n * 0.055),
        gain: between(random, 0.1, 0.3),
        pan: pan + between(random, -0.4, 0.4),
      });
    }
  }
}

/** A clock: tick is not tock. */
export function clock(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 500 }], gain: 0.008 });
  const base = between(random, 1700, 2300);
  let tick = true;
  for (let at = 0.1; at < seconds; at += 0.5) {
    const hz = tick ? base : base * 0.82;
    for (const [ratio, gain] of [
      [1, 1],
      [1.83, 0.6],
      [3.1, 0.35],
      [0.28, 0.5],
    ] as const) {
      addMono(out, blip({ hz: hz * ratio, seconds: 0.05 / Math.sqrt(ratio) }), {
        at: toSamples(at),
        gain: gain * 0.4,
        pan: 0.15,
      });
    }
    tick = !tick;
  }
}

/** Emptiness: a deep chord that breathes, and far-off shimmers. */
export function space(scene: Scene): void {
  const { random, seconds, length, out } = scene;
  const root = between(random, 40, 55);
  for (const ratio of [1, 1.005, 1.5, 1.997, 2.99, 4.02]) {
    const samples = new Float32Array(length);
    const level = wander(random, { seconds, rate: 0.35, low: 0.2, high: 1 });
    const turn = (2 * Math.PI * root * ratio) / SAMPLE_RATE;
    let gain = 0;
    for (let n = 0; n < length; n += 1) {
      if (n % CONTROL_STEP === 0) gain += (level(n / SAMPLE_RATE) / ratio ** 0.7 - gain) * 0.2;
      samples[n] = gain * (Math.sin(turn * n) + 0.25 * Math.sin(2 * turn * n));
    }
    addMoving(out, samples, { pan: wander(random, { seconds, rate: 0.3, low: -0.7, high: 0.7 }) });
  }
  const sweep = wander(random, { seconds, rate: 0.4, low: 300, high: 2600 });
  addBed(scene, { color: 'pink', filters: [{ kind: 'band', hz: sweep, q: 5 }], gain: 0.35, lag: 0.5 });
  for (const at of scatter(random, { seconds, rate: 0.7 })) {
    const shimmer = blip({ hz: between(random, 1400, 4200), seconds: 1.6, attack: 0.3 });
    addMono(out, shimmer, { at: toSamples(at), gain: 0.06, pan: between(random, -0.9, 0.9) });
  }
}

/** A quiet place: air, and a mains hum one hardly hears. */
export function roomTone(scene: Scene): void {
  const { random, seconds, length, out } = scene;
  addBed(scene, {
    color: 'pink',
    filters: [
      { kind: 'low', hz: 1400 },
      { kind: 'high', hz: 60 },
    ],
    gain: 0.5,
    envelope: wander(random, { seconds, rate: 0.4, low: 0.75, high: 1 }),
    lag: 0.7,
  });
  addBed(scene, {
    color: 'brown',
    filters: [{ kind: 'band', hz: wander(random, { seconds, rate: 0.3, low: 140, high: 260 }), q: 2 }],
    gain: 0.3,
  });
  const turn = (2 * Math.PI * 100) / SAMPLE_RATE;
  const hum = new Float32Array(length).map((_, n) => Math.sin(turn * n) + 0.4 * Math.sin(2 * turn * n));
  addMono(out, hum, { gain: 0.006 });
}
