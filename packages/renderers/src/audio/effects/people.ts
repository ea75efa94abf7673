import { shape, wander } from '../dsp/curve.ts';
import { bandPass, highPass, lowPass } from '../dsp/filter.ts';
import { whiteNoise } from '../dsp/noise.ts';
import { between, type Random, scatter } from '../dsp/random.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto, addMono } from '../dsp/stereo.ts';
import { addBed } from './bed.ts';
import { addPuff, blip } from './grains.ts';
import type { Scene } from './scene.ts';

const MOUTHS = [
  [700, 1150],
  [320, 2100],
  [520, 1750],
  [380, 900],
  [580, 1250],
] as const;

/** Many people talk at once: voices without words, each at its own pace and place. */
export function crowd(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: 600, q: 0.6 }],
    gain: 0.12,
    envelope: wander(random, { seconds, rate: 2, low: 0.6, high: 1 }),
  });
  for (let pair = 0; pair < 5; pair += 1) {
    const babble = lowPass(babbleOf(random, seconds), between(random, 900, 2400));
    addMono(out, babble, { gain: between(random, 0.2, 0.7), pan: between(random, -1, 1) });
    // The same voice turned round in time is another one to the ear.
    addMono(out, babble.toReversed(), { gain: between(random, 0.2, 0.7), pan: between(random, -1, 1) });
  }
}

function babbleOf(random: Random, seconds: number): Float32Array {
  const samples = new Float32Array(toSamples(seconds));
  const pitch = between(random, 95, 230);
  const tune = wander(random, { seconds, rate: 2.2, low: pitch * 0.85, high: pitch * 1.3 });
  for (let at = -random() * 0.3; at < seconds; ) {
    const length = between(random, 0.09, 0.24);
    const [first, second] = MOUTHS[Math.floor(random() * MOUTHS.length)] ?? MOUTHS[0];
    const source = new Float32Array(toSamples(length));
    const turn = tune(at) / SAMPLE_RATE;
    for (let n = 0; n < source.length; n += 1) {
      const phase = (n * turn) % 1;
      source[n] =
        (phase < 0.55 ? (2 - 5.45 * phase) * phase * 3 : 0) * Math.sin((Math.PI * n) / source.length);
    }
    const bright = bandPass(source.slice(), second, 5);
    addInto(samples, bandPass(source, first, 4), 1, toSamples(at));
    addInto(samples, bright, 0.5, toSamples(at));
    at += length * between(random, 0.75, 1) + (random() < 0.14 ? between(random, 0.2, 0.9) : 0);
  }
  return samples;
}

/** Hands, thousands of them. */
export function applause(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  const noises = [900, 1300, 1900].map((hz) => bandPass(whiteNoise(SAMPLE_RATE, nextSeed()), hz, 1.2));
  addBed(scene, { color: 'pink', filters: [{ kind: 'band', hz: 1400, q: 0.6 }], gain: 0.14 });
  for (const at of scatter(random, { seconds, rate: 130 })) {
    const noise = noises[Math.floor(random() * 3)];
    if (!noise) continue;
    addPuff(out, noise, {
      from: random(),
      seconds: between(random, 0.02, 0.05),
      at: at,
      gain: between(random, 0.1, 0.7),
      pan: between(random, -1, 1),
    });
  }
}

/** Walking or running, on what the prompt says the ground is. */
export function footsteps(scene: Scene): void {
  const { random, seconds, words, nextSeed, out } = scene;
  const runs = /\brun|\bsprint|chas|jog|renn|cour[ts]/u.test(words);
  const ground = groundOf(words);
  const every = (runs ? 0.34 : 0.56) * between(random, 0.93, 1.07);
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 700 }], gain: 0.012 });
  let foot = 1;
  for (let at = 0.12; at < seconds; at += every * between(random, 0.96, 1.04)) {
    foot = -foot;
    const pan = 0.18 * foot;
    const gain = between(random, 0.8, 1);
    const heel = lowPass(whiteNoise(toSamples(0.2), nextSeed()), ground.hz, 1.4);
    addMono(
      out,
      shape(heel, (t) => Math.min(1, t * 900) * Math.exp(-t * 48)),
      { at: toSamples(at), gain: gain * ground.thud, pan },
    );
    const grains = scatter(random, { seconds: 0.17, rate: ground.grains });
    const noise = bandPass(whiteNoise(toSamples(0.4), nextSeed()), ground.grainHz, 1.1);
    for (const t of grains) {
      addPuff(out, noise, {
        from: random(),
        seconds: between(random, 0.004, 0.02),
        at: at + t,
        gain: gain * 0.5 * Math.sin((Math.PI * t) / 0.17),
        pan,
      });
    }
    const toe = highPass(whiteNoise(toSamples(0.1), nextSeed()), 1500);
    addMono(
      out,
      shape(toe, (t) => Math.min(1, t * 400) * Math.exp(-t * 70)),
      { at: toSamples(at + every * 0.17), gain: gain * ground.scuff, pan },
    );
  }
}

interface Ground {
  readonly hz: number;
  readonly thud: number;
  readonly grains: number;
  readonly grainHz: number;
  readonly scuff: number;
}

function groundOf(words: string): Ground {
  if (/snow|schnee|neige|nieve|雪|ice\b/u.test(words))
    return { hz: 220, thud: 0.5, grains: 330, grainHz: 2300, scuff: 0.03 };
  if (/gravel|leaves|forest|wood|autumn|jungle|kies|laub/u.test(words))
    return { hz: 260, thud: 0.6, grains: 150, grainHz: 3200, scuff: 0.05 };
  if (/sand|beach|desert|grass|field/u.test(words))
    return { hz: 200, thud: 0.7, grains: 120, grainHz: 1700, scuff: 0.04 };
  return { hz: 420, thud: 1, grains: 8, grainHz: 2500, scuff: 0.09 };
}

/** Lub, dub. */
export function heartbeat(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, { color: 'brown', filters: [{ kind: 'low', hz: 120 }], gain: 0.05 });
  const every = between(random, 0.78, 0.92) / scene.force;
  for (let at = 0.1; at < seconds; at += every) {
    for (const [shift, gain, hz] of [
      [0, 1, 58],
      [0.27 * every, 0.7, 72],
    ] as const) {
      addMono(out, blip({ hz, seconds: 0.22, bend: -0.5, attack: 0.012 }), {
        at: toSamples(at + shift),
        gain,
      });
      addMono(out, blip({ hz: hz * 2.1, seconds: 0.1, bend: -0.5, attack: 0.008 }), {
        at: toSamples(at + shift),
        gain: gain * 0.4,
      });
    }
  }
}

/** Fingers on keys, in bursts. */
export function typing(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 400 }], gain: 0.02 });
  const noise = bandPass(whiteNoise(SAMPLE_RATE, nextSeed()), 2600, 1.2);
  for (
    let at = 0.1;
    at < seconds;
    at += random() < 0.1 ? between(random, 0.3, 0.7) : between(random, 0.07, 0.19)
  ) {
    const gain = between(random, 0.5, 1);
    const pan = between(random, -0.3, 0.3);
    addPuff(out, noise, { from: random(), seconds: 0.018, at: at, gain, pan });
    addMono(out, blip({ hz: between(random, 180, 260), seconds: 0.03 }), {
      at: toSamples(at),
      gain: gain * 0.4,
      pan,
    });
    addPuff(out, noise, { from: random(), seconds: 0.012, at: at + 0.07, gain: gain * 0.3, pan });
  }
}
