import { shape, smoothStep, wander } from '../dsp/curve.ts';
import { bandPass, highPass, lowPass } from '../dsp/filter.ts';
import { brownNoise, whiteNoise } from '../dsp/noise.ts';
import { between, scatter } from '../dsp/random.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addMono, addMoving } from '../dsp/stereo.ts';
import { addBed } from './bed.ts';
import { addPuff } from './grains.ts';
import type { Scene } from './scene.ts';

/** Gusts: the stronger the wind, the higher it sings. */
export function wind(scene: Scene): void {
  const { random, seconds, force } = scene;
  const gust = wander(random, { seconds, rate: 0.8, low: 0.1, high: 1 });
  const fast = wander(random, { seconds, rate: 3, low: 0.8, high: 1 });
  const strength = (at: number) => gust(at) * fast(at);
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'low', hz: (at) => 250 + 500 * strength(at) }],
    gain: 0.8 * force,
    envelope: (at) => 0.2 + 0.8 * strength(at),
    lag: 0.2,
  });
  for (const [low, high, q, gain] of [
    [320, 820, 9, 2.6],
    [700, 1650, 14, 1.5],
  ] as const) {
    addBed(scene, {
      color: 'pink',
      filters: [{ kind: 'band', hz: (at) => low + (high - low) * strength(at) ** 1.3, q }],
      gain: gain * force,
      envelope: (at) => strength(at) ** 2,
      lag: 0.12,
    });
  }
  addBed(scene, {
    color: 'white',
    filters: [{ kind: 'high', hz: 3500 }],
    gain: 0.012 * force,
    envelope: strength,
  });
}

/** The crack, then the rolling; the first strike comes early so that no clip misses it. */
export function thunder(scene: Scene): void {
  const { random, seconds, force } = scene;
  addBed(scene, {
    color: 'brown',
    filters: [{ kind: 'low', hz: 90 }],
    gain: 0.35,
    envelope: wander(random, { seconds, rate: 0.8, low: 0.3, high: 1 }),
  });
  const strikes = [between(random, 0.15, 0.6) * Math.min(1, seconds / 3)];
  while ((strikes.at(-1) ?? 0) + 4.5 < seconds)
    strikes.push((strikes.at(-1) ?? 0) + between(random, 3.6, 5.6));
  for (const at of strikes) strike(scene, { at, near: between(random, 0.35, 1) * force });
}

function strike({ random, nextSeed, out }: Scene, { at, near }: { at: number; near: number }): void {
  const pan = between(random, -0.5, 0.5);
  const crack = highPass(whiteNoise(toSamples(0.5), nextSeed()), 350);
  const tears = wander(random, { seconds: 0.5, rate: 45, low: 0, high: 1 });
  shape(crack, (t) => tears(t) ** 2 * Math.exp(-t * 13));
  addMono(out, lowPass(crack, 2600), { at: toSamples(at), gain: 0.55 * near, pan });
  const length = between(random, 3.2, 4.6);
  const rolls = wander(random, { seconds: length, rate: 5.5, low: 0.15, high: 1 });
  for (const [hz, gain, side] of [
    [85, 2.6, 0.2],
    [85, 2.6, -0.2],
    [230, 1.1, 0.5],
    [230, 1.1, -0.5],
  ] as const) {
    const rumble = lowPass(
      brownNoise(toSamples(length), nextSeed()),
      (t) => hz * (0.6 + 1.6 * Math.exp(-t * 1.6)),
      0.9,
    );
    shape(
      rumble,
      (t) =>
        smoothStep(0, 0.06, t) *
        rolls(t) ** 1.4 *
        Math.exp(-t * 0.95) *
        (1 - smoothStep(length - 0.4, length, t)),
    );
    addMono(out, rumble, { at: toSamples(at + 0.03), gain: gain * (0.5 + 0.5 * near), pan: pan + side });
  }
}

/** One great blow and its debris. */
export function explosion(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  addBed(scene, { color: 'brown', filters: [{ kind: 'low', hz: 140 }], gain: 0.12 });
  const blasts = [
    Math.min(0.5, seconds * 0.15),
    ...scatter(random, { seconds: Math.max(0, seconds - 3), rate: 0.25 }).map((at) => at + 2),
  ];
  for (const at of blasts) {
    const body = lowPass(brownNoise(toSamples(3), nextSeed()), (t) => 60 + 1500 * Math.exp(-t * 5), 1);
    shape(body, (t) => Math.min(1, t * 250) * Math.exp(-t * 1.7));
    addMono(out, body, { at: toSamples(at), gain: 3, pan: between(random, -0.3, 0.3) });
    const noise = bandPass(whiteNoise(SAMPLE_RATE, nextSeed()), 2600, 0.8);
    for (const fall of scatter(random, { seconds: 2, rate: 26 })) {
      addPuff(out, noise, {
        from: random(),
        seconds: between(random, 0.01, 0.05),
        at: at + 0.25 + fall,
        gain: 0.3 * Math.exp(-fall) * random(),
        pan: between(random, -1, 1),
      });
    }
  }
}

/** Something large and fast goes by: wings, blades, a dive. */
export function whoosh(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 500 }], gain: 0.07 });
  for (const at of [0.2, ...scatter(random, { seconds, rate: 0.8 })]) {
    const length = between(random, 0.6, 1.5);
    const peak = length * between(random, 0.4, 0.6);
    const high = between(random, 700, 2200);
    const near = (t: number) => Math.exp(-(((t - peak) / (length * 0.2)) ** 2));
    const noise = bandPass(whiteNoise(toSamples(length), nextSeed()), (t) => 180 + high * near(t), 1.6);
    shape(noise, near);
    const side = random() < 0.5 ? 1 : -1;
    addMoving(out, noise, { at: toSamples(at), pan: (t) => side * 0.9 * (1 - (2 * t) / length) });
  }
}

/** Flames: a soft roar, a hiss, and crackles of all sizes. */
export function fire(scene: Scene): void {
  const { random, seconds, force, nextSeed, out } = scene;
  addBed(scene, {
    color: 'brown',
    filters: [
      { kind: 'low', hz: 380 },
      { kind: 'high', hz: 45 },
    ],
    gain: 0.26 * force,
    envelope: wander(random, { seconds, rate: 6, low: 0.45, high: 1 }),
    lag: 0.04,
  });
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: 2400, q: 0.5 }],
    gain: 0.06,
    envelope: wander(random, { seconds, rate: 4, low: 0.3, high: 1 }),
  });
  const noises = [1300, 2600, 4800].map((hz) => bandPass(whiteNoise(SAMPLE_RATE, nextSeed()), hz, 1.6));
  const flurry = wander(random, { seconds, rate: 1.2, low: 0, high: 1 });
  for (const at of scatter(random, { seconds, rate: 60 * force })) {
    const noise = noises[Math.floor(random() * 3)];
    if (!noise || random() > 0.15 + flurry(at)) continue;
    addPuff(out, noise, {
      from: random(),
      seconds: between(random, 0.002, 0.014),
      attack: 0.0002,
      at: at,
      gain: 0.15 + 1.5 * random() ** 7,
      pan: between(random, -0.7, 0.7),
    });
  }
}
