import { type Curve, shape, wander } from '../dsp/curve.ts';
import { bandPass, lowPass } from '../dsp/filter.ts';
import { pinkNoise, whiteNoise } from '../dsp/noise.ts';
import { between, type Random, scatter } from '../dsp/random.ts';
import { CONTROL_STEP, SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto, addMono, addMoving } from '../dsp/stereo.ts';
import { addBed } from './bed.ts';
import { blip } from './grains.ts';
import type { Scene } from './scene.ts';

/** The hum of a city, and cars that pass. */
export function traffic(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  addBed(scene, {
    color: 'brown',
    filters: [
      { kind: 'low', hz: 320 },
      { kind: 'high', hz: 40 },
    ],
    gain: 0.3,
    envelope: wander(random, { seconds, rate: 0.5, low: 0.7, high: 1 }),
  });
  addBed(scene, { color: 'pink', filters: [{ kind: 'band', hz: 800, q: 0.5 }], gain: 0.06 });
  for (const start of [-0.6, ...scatter(random, { seconds, rate: 0.5 })]) {
    const length = between(random, 3, 4.5);
    const near = between(random, 0.5, 1.2);
    const hz = between(random, 60, 110);
    const side = random() < 0.5 ? 1 : -1;
    const passing = (t: number) => 1 / (1 + ((t - length / 2) / (0.13 * length)) ** 2);
    // The pitch of what passes falls by about a sixth at town speed.
    const doppler = (t: number) => 1 - 0.08 * Math.tanh((t - length / 2) * 5);
    const tyres = bandPass(pinkNoise(toSamples(length), nextSeed()), (t) => 900 * doppler(t), 0.6);
    addInto(tyres, lowPass(motor(random, { seconds: length, hz: (t) => hz * doppler(t) }), 420), 0.5);
    shape(tyres, (t) => near * passing(t));
    addMoving(out, tyres, { at: toSamples(start), pan: (t) => side * Math.tanh((t - length / 2) * 1.6) });
  }
  for (const at of scatter(random, { seconds, rate: 0.09 })) {
    const horn = new Float32Array(toSamples(between(random, 0.2, 0.5)));
    for (const hz of [392, 494, 988])
      addInto(horn, blip({ hz, seconds: horn.length / SAMPLE_RATE, attack: 0.02 }), hz > 900 ? 0.3 : 1);
    addMono(out, lowPass(horn, 1400), { at: toSamples(at), gain: 0.1, pan: between(random, -0.8, 0.8) });
  }
}

/** The firing of an engine: a pulse train with a little disorder. */
function motor(random: Random, { seconds, hz }: { seconds: number; hz: Curve }): Float32Array {
  const samples = new Float32Array(toSamples(seconds));
  const uneven = wander(random, { seconds, rate: 17, low: 0.96, high: 1.04 });
  let phase = random();
  let turn = 0;
  for (let n = 0; n < samples.length; n += 1) {
    if (n % CONTROL_STEP === 0) turn = (hz(n / SAMPLE_RATE) * uneven(n / SAMPLE_RATE)) / SAMPLE_RATE;
    phase += turn;
    if (phase >= 1) phase -= 1;
    const saw = 2 * phase - 1;
    samples[n] = saw * (1 - saw * saw) + (phase < 0.3 ? 0.35 : 0) - 0.105;
  }
  return samples;
}

/** An engine that works: revs rise and fall. */
export function engine(scene: Scene): void {
  const { random, seconds, out, force } = scene;
  const fast = /race|racing|speed|fast|sport|motorcycle|rennen/u.test(scene.words);
  const revs = wander(random, { seconds, rate: 0.6, low: fast ? 75 : 38, high: fast ? 210 : 72 });
  for (const [ratio, gain, pan] of [
    [1, 1, -0.2],
    [0.5, 0.8, 0.2],
    [2.01, 0.3, 0],
  ] as const) {
    const samples = motor(random, { seconds, hz: (t) => revs(t) * ratio });
    addMono(
      out,
      lowPass(samples, (t) => 350 + revs(t) * 8, 1.1),
      { gain: gain * force, pan },
    );
  }
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: (t) => 300 + revs(t) * 5, q: 0.7 }],
    gain: 0.3,
  });
}

/** Rails: a rumble, and the joints in pairs. */
export function train(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  addBed(scene, {
    color: 'brown',
    filters: [{ kind: 'low', hz: 240 }],
    gain: 0.35,
    envelope: wander(random, { seconds, rate: 4, low: 0.7, high: 1 }),
  });
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: 1500, q: 0.8 }],
    gain: 0.06,
    envelope: wander(random, { seconds, rate: 7, low: 0.4, high: 1 }),
  });
  const every = between(random, 0.62, 0.8);
  for (let start = 0.1; start < seconds; start += every) {
    for (const [step, gain] of [
      [0, 1],
      [0.13, 0.8],
      [0.31, 0.45],
      [0.42, 0.4],
    ] as const) {
      const clack = bandPass(whiteNoise(toSamples(0.12), nextSeed()), between(random, 480, 640), 3);
      addMono(
        out,
        shape(clack, (t) => Math.exp(-t * 55)),
        { at: toSamples(start + step * every), gain: 2.2 * gain, pan: step - 0.2 },
      );
    }
  }
  if (seconds < 3) return;
  const whistle = new Float32Array(toSamples(1.2));
  for (const hz of [311, 370, 466, 622]) addInto(whistle, tone(hz, 1.2), 0.25);
  shape(whistle, (t) => Math.min(1, t * 9) * Math.min(1, (1.2 - t) * 4));
  addMono(out, whistle, { at: toSamples(between(random, 0.6, seconds - 1.8)), gain: 0.3, pan: -0.3 });
}

function tone(hz: number, seconds: number): Float32Array {
  const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
  return new Float32Array(toSamples(seconds)).map(
    (_, n) => Math.sin(turn * n) + 0.3 * Math.sin(2 * turn * n),
  );
}

/** Jets roar; rotors chop. */
export function aircraft(scene: Scene): void {
  const { random, seconds, words } = scene;
  const chops = /helicopter|drone|hubschrauber|rotor|直升/u.test(words);
  const rate = between(random, 10, 13);
  const near = wander(random, { seconds, rate: 0.3, low: 0.5, high: 1 });
  const chop = (t: number) => (chops ? 0.25 + 0.75 * Math.exp(-((t * rate) % 1) * 4) : 1) * near(t);
  addBed(scene, {
    color: 'brown',
    filters: [
      { kind: 'low', hz: 400 },
      { kind: 'high', hz: 35 },
    ],
    gain: 0.9,
    envelope: chop,
  });
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: chops ? 900 : (t) => 500 + 1600 * near(t), q: 0.8 }],
    gain: 0.35,
    envelope: chop,
  });
}

/** A machine room of the future: hum, soft signals, a servo now and then. */
export function electronics(scene: Scene): void {
  const { random, seconds, out, length } = scene;
  const hum = new Float32Array(length);
  for (const [hz, gain] of [
    [60, 1],
    [120, 0.6],
    [180, 0.25],
    [1240, 0.03],
  ] as const) {
    const turn = (2 * Math.PI * hz) / SAMPLE_RATE;
    for (let n = 0; n < length; n += 1) hum[n] = (hum[n] ?? 0) + gain * Math.sin(turn * n);
  }
  addMono(out, hum, { gain: 0.018 });
  addBed(scene, { color: 'pink', filters: [{ kind: 'band', hz: 500, q: 0.5 }], gain: 0.018 });
  for (const start of [0.3, ...scatter(random, { seconds, rate: 0.9 })]) {
    const pan = between(random, -0.8, 0.8);
    if (random() < 0.35) {
      const servo = motor(random, { seconds: 0.5, hz: (t) => 180 + 420 * Math.sin(Math.PI * t * 2) ** 2 });
      addMono(
        out,
        shape(bandPass(servo, 900, 1), (t) => Math.sin(Math.PI * t * 2) ** 0.5 || 0),
        { at: toSamples(start), gain: 0.14, pan },
      );
      continue;
    }
    const count = 1 + Math.floor(random() * 4);
    for (let n = 0; n < count; n += 1) {
      const hz = 880 * 2 ** (Math.floor(random() * 13) / 12);
      addMono(out, blip({ hz, seconds: 0.14, attack: 0.004 }), {
        at: toSamples(start + n * 0.11),
        gain: 0.12,
        pan,
      });
    }
  }
}
