import { smoothStep, wander } from '../dsp/curve.ts';
import { bandPass, lowPass } from '../dsp/filter.ts';
import { whiteNoise } from '../dsp/noise.ts';
import { between, scatter } from '../dsp/random.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addMono } from '../dsp/stereo.ts';
import { addBed } from './bed.ts';
import { addPuff, blip } from './grains.ts';
import type { Scene } from './scene.ts';

/** Waves that swell, break and run out over sand, above the rumble of the open water. */
export function sea(scene: Scene): void {
  const { random, seconds, force } = scene;
  const swell = wander(random, { seconds, rate: 0.3, low: 0.6, high: 1 });
  addBed(scene, { color: 'brown', filters: [{ kind: 'low', hz: 260 }], gain: 0.45 * force, envelope: swell });
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'low', hz: 1500 }],
    gain: 0.12,
    envelope: swell,
    lag: 0.3,
  });
  const every = between(random, 3.6, 4.8) / Math.sqrt(force);
  for (let at = between(random, -1.6, -0.9); at < seconds; at += every * between(random, 0.8, 1.25)) {
    const loud = between(random, 0.55, 1) * force;
    const breaks = at + between(random, 1.2, 1.7);
    const ends = breaks + 4.5;
    const gone = (t: number) => 1 - smoothStep(ends - 1, ends, t);
    const wave = (t: number) =>
      smoothStep(at, breaks, t) ** 2 * Math.exp(-Math.max(0, t - breaks) * 1.5) * gone(t);
    const wash = (t: number) =>
      smoothStep(breaks - 0.15, breaks + 0.5, t) * Math.exp(-Math.max(0, t - breaks - 0.4) * 0.95) * gone(t);
    addBed(scene, {
      color: 'pink',
      filters: [{ kind: 'low', hz: (t) => 350 + 2400 * wave(t) }],
      gain: loud,
      envelope: wave,
      lag: between(random, -0.25, 0.25),
      span: [at - 0.3, ends + 0.3],
    });
    addBed(scene, {
      color: 'white',
      filters: [
        { kind: 'high', hz: 1800 },
        { kind: 'low', hz: 7500 },
      ],
      gain: 0.26 * loud,
      envelope: wash,
      lag: between(random, -0.3, 0.3),
      span: [breaks - 0.5, ends + 0.3],
    });
  }
}

/** The hiss of many drops far away, and single ones near by. */
export function rain(scene: Scene): void {
  const { random, seconds, force, nextSeed, out } = scene;
  const gusts = wander(random, { seconds, rate: 0.5, low: 0.75, high: 1 });
  addBed(scene, {
    color: 'white',
    filters: [
      { kind: 'high', hz: 1100 },
      { kind: 'low', hz: 9500 },
    ],
    gain: 0.3 * force,
    envelope: gusts,
    lag: 0.4,
  });
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: 700, q: 0.6 }],
    gain: 0.14 * force,
    envelope: gusts,
  });
  const noise = bandPass(whiteNoise(SAMPLE_RATE, nextSeed()), 5200, 0.7);
  for (const at of scatter(random, { seconds, rate: 150 * force })) {
    addPuff(out, noise, {
      from: random(),
      seconds: between(random, 0.003, 0.014),
      at: at,
      gain: 0.7 * random() ** 2,
      pan: between(random, -1, 1),
    });
  }
  for (const at of scatter(random, { seconds, rate: 14 * force })) {
    const drop = blip({
      hz: between(random, 900, 3200),
      seconds: between(random, 0.01, 0.03),
      bend: between(random, 0.1, 0.5),
    });
    addMono(out, drop, { at: toSamples(at), gain: 0.25 * random() ** 2, pan: between(random, -0.9, 0.9) });
  }
}

/** A stream: moving bands of noise and the small bubbles that make it gurgle. */
export function river(scene: Scene): void {
  const { random, seconds, force, out } = scene;
  for (const [hz, gain] of [
    [480, 0.5],
    [1250, 0.34],
    [2900, 0.2],
  ] as const) {
    addBed(scene, {
      color: 'pink',
      filters: [
        { kind: 'band', hz: wander(random, { seconds, rate: 3, low: hz * 0.75, high: hz * 1.35 }), q: 1.3 },
      ],
      gain: gain * force,
      envelope: wander(random, { seconds, rate: 5, low: 0.6, high: 1 }),
      lag: 0.05,
    });
  }
  if (/waterfall|cascade|wasserfall|rapids|瀑/u.test(scene.words)) {
    addBed(scene, { color: 'white', filters: [{ kind: 'low', hz: 5200 }], gain: 0.3 });
    addBed(scene, { color: 'brown', filters: [{ kind: 'low', hz: 180 }], gain: 0.8 });
  }
  for (const at of scatter(random, { seconds, rate: 42 })) {
    const bubble = blip({
      hz: 320 * 2 ** between(random, 0, 2.2),
      seconds: between(random, 0.03, 0.09),
      bend: between(random, 0.1, 0.6),
      attack: 0.004,
    });
    addMono(out, bubble, {
      at: toSamples(at),
      gain: 0.22 * random() ** 1.5,
      pan: between(random, -0.8, 0.8),
    });
  }
}

/** Pressure, and bubbles that rise in strings. */
export function underwater(scene: Scene): void {
  const { random, seconds, out } = scene;
  const depth = wander(random, { seconds, rate: 0.4, low: 160, high: 420 });
  addBed(scene, { color: 'brown', filters: [{ kind: 'low', hz: depth, q: 1.2 }], gain: 0.7 });
  addBed(scene, { color: 'pink', filters: [{ kind: 'band', hz: depth, q: 5 }], gain: 0.25, lag: 0.6 });
  for (const start of scatter(random, { seconds, rate: 1.1 })) {
    const pan = between(random, -0.8, 0.8);
    const count = 3 + Math.floor(random() * 12);
    let hz = between(random, 250, 700);
    let at = start;
    for (let n = 0; n < count; n += 1) {
      const bubble = blip({
        hz,
        seconds: between(random, 0.05, 0.12),
        bend: between(random, 0.4, 1),
        attack: 0.006,
      });
      addMono(out, bubble, {
        at: toSamples(at),
        gain: between(random, 0.3, 0.9),
        pan: pan + between(random, -0.15, 0.15),
      });
      at += between(random, 0.03, 0.11);
      hz *= between(random, 0.9, 1.17);
    }
  }
}

/** Single drops into still water, for the room to answer. */
export function drips(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, { color: 'brown', filters: [{ kind: 'low', hz: 160 }], gain: 0.1 });
  for (const at of [0.25, ...scatter(random, { seconds, rate: 1.7 })]) {
    const hz = between(random, 700, 2100);
    const pan = between(random, -0.8, 0.8);
    const gain = between(random, 0.25, 0.8);
    addMono(out, blip({ hz, seconds: 0.09, bend: 0.35 }), { at: toSamples(at), gain, pan });
    addMono(out, blip({ hz: hz * 1.6, seconds: 0.05, bend: 0.7 }), {
      at: toSamples(at + 0.045),
      gain: gain * 0.6,
      pan,
    });
  }
}

/** A boat's hull, a bath, a pool: slow slaps of water. */
export function lapping(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  river({ ...scene, force: 0.35 });
  for (const at of scatter(random, { seconds, rate: 1.3 })) {
    const noise = lowPass(whiteNoise(toSamples(0.5), nextSeed()), between(random, 500, 1100), 1.5);
    addPuff(out, noise, {
      from: 0,
      seconds: between(random, 0.25, 0.45),
      attack: 0.04,
      at: at,
      gain: between(random, 0.4, 1),
      pan: between(random, -0.6, 0.6),
    });
  }
}
