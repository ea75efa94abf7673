import { shape, smoothStep, wander } from '../dsp/curve.ts';
import { bandPass } from '../dsp/filter.ts';
import { whiteNoise } from '../dsp/noise.ts';
import { between, type Random, scatter } from '../dsp/random.ts';
import { SAMPLE_RATE, toSamples } from '../dsp/sample-rate.ts';
import { addInto, addMono, addMoving } from '../dsp/stereo.ts';
import { addBed } from './bed.ts';
import type { Scene } from './scene.ts';

/** Some birds, each with a song of its own that it repeats from its own place. */
export function birds(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, {
    color: 'pink',
    filters: [{ kind: 'band', hz: 900, q: 0.4 }],
    gain: 0.02,
    envelope: wander(random, { seconds, rate: 0.5, low: 0.4, high: 1 }),
  });
  const count = 3 + Math.floor(random() * 3);
  for (let bird = 0; bird < count; bird += 1) {
    const song = createSong(random);
    const pan = between(random, -0.9, 0.9);
    const gain = between(random, 0.25, 0.9);
    const rest = between(random, 0.9, 2.4);
    for (let at = between(random, 0.05, bird === 0 ? 0.3 : 2); at < seconds; ) {
      const repeats = 1 + Math.floor(random() * 3);
      for (let n = 0; n < repeats; n += 1) {
        addMono(out, song.samples, { at: toSamples(at), gain: gain * between(random, 0.7, 1), pan });
        at += song.seconds + 0.09;
      }
      at += rest * between(random, 0.5, 1.5);
    }
  }
}

function createSong(random: Random): { readonly samples: Float32Array; readonly seconds: number } {
  const syllables = 2 + Math.floor(random() * 5);
  const step = between(random, 0.07, 0.2);
  const base = between(random, 2300, 5200);
  const trill = random() < 0.4;
  const samples = new Float32Array(toSamples(syllables * step + 0.05));
  let hz = base;
  for (let n = 0; n < syllables; n += 1) {
    const from = trill ? base : hz;
    const to = from * 2 ** between(random, -0.5, 0.4);
    const chirp = chirpOf({
      from,
      to,
      seconds: step * between(random, 0.55, 0.9),
      warble: random() < 0.3 ? 38 : 0,
    });
    addInto(samples, chirp, between(random, 0.6, 1), toSamples(n * step));
    hz = Math.min(7200, Math.max(1900, base * 2 ** between(random, -0.35, 0.45)));
  }
  return { samples, seconds: syllables * step };
}

function chirpOf({
  from,
  to,
  seconds,
  warble,
}: {
  from: number;
  to: number;
  seconds: number;
  warble: number;
}): Float32Array {
  const samples = new Float32Array(toSamples(seconds));
  let phase = 0;
  for (let n = 0; n < samples.length; n += 1) {
    const part = n / samples.length;
    const swing = warble > 0 ? 1 + 0.05 * Math.sin((2 * Math.PI * warble * n) / SAMPLE_RATE) : 1;
    phase += (2 * Math.PI * from * (to / from) ** part * swing) / SAMPLE_RATE;
    samples[n] = (Math.sin(phase) + 0.12 * Math.sin(2 * phase)) * Math.sin(Math.PI * part) ** 1.3;
  }
  return samples;
}

/** A summer night: each cricket rubs three or four short pulses and waits. */
export function crickets(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 700 }], gain: 0.03 });
  const count = 4 + Math.floor(random() * 3);
  for (let cricket = 0; cricket < count; cricket += 1) {
    const hz = between(random, 3900, 5300);
    const pulses = 3 + Math.floor(random() * 2);
    const rate = between(random, 26, 36);
    const chirp = new Float32Array(toSamples((pulses + 0.2) / rate));
    for (let n = 0; n < chirp.length; n += 1) {
      const pulse = ((n / SAMPLE_RATE) * rate) % 1;
      if ((n / SAMPLE_RATE) * rate >= pulses) break;
      const level = pulse < 0.62 ? Math.sin((Math.PI * pulse) / 0.62) ** 2 : 0;
      chirp[n] = level * Math.sin((2 * Math.PI * hz * n) / SAMPLE_RATE);
    }
    const every = between(random, 0.32, 0.75);
    const place = { gain: between(random, 0.15, 0.7), pan: between(random, -1, 1) };
    for (let at = random() * every; at < seconds; at += every * between(random, 0.96, 1.05)) {
      addMono(out, chirp, { ...place, at: toSamples(at) });
    }
  }
}

/** A bee or fly that comes and goes. */
export function buzzing(scene: Scene): void {
  const { random, seconds, length, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 1200 }], gain: 0.04 });
  for (let insect = 0; insect < 3; insect += 1) {
    const hz = wander(random, { seconds, rate: 2.5, low: 165, high: 235 });
    const near = wander(random, { seconds, rate: 0.7, low: 0.02, high: 1 });
    const samples = new Float32Array(length);
    let phase = random();
    let turn = 0;
    for (let n = 0; n < length; n += 1) {
      if (n % 64 === 0) turn = hz(n / SAMPLE_RATE) / SAMPLE_RATE;
      phase += turn;
      if (phase >= 1) phase -= 1;
      samples[n] = (2 * phase - 1) * (1 - (2 * phase - 1) ** 2);
    }
    shape(bandPass(samples, 620, 0.5), (at) => near(at) ** 2);
    addMoving(out, samples, { pan: wander(random, { seconds, rate: 0.8, low: -1, high: 1 }) });
  }
}

interface Call {
  readonly words: RegExp;
  readonly seconds: number;
  /** The pitch at even steps through the call. */
  readonly hz: readonly number[];
  /** Two formants at its beginning and end. */
  readonly mouth: readonly [readonly [number, number], readonly [number, number]];
  readonly rough: number;
  readonly every: number;
}

// biome-ignore format: a table
const CALLS: readonly Call[] = [
  { words: /\bdog|puppy|\bhunde?\b|\bchien|\bperro|狗/u, seconds: 0.22, hz: [420, 560, 330], mouth: [[700, 1300], [450, 900]], rough: 0.35, every: 0.9 },
  { words: /\bcats?\b|kitten|\bkatze|\bchat\b|\bgato|猫/u, seconds: 0.85, hz: [560, 720, 690, 480], mouth: [[500, 2100], [850, 1300]], rough: 0.03, every: 2.1 },
  { words: /wolf|wolves|coyote|狼/u, seconds: 2.6, hz: [300, 560, 590, 560, 380], mouth: [[400, 900], [500, 800]], rough: 0.03, every: 3.4 },
  { words: /\blions?\b|tiger|dragon|\broar|monster|\bbeast|dinosaur|\bbears?\b|löwe|drache|龙|虎/u, seconds: 2, hz: [75, 105, 92, 60], mouth: [[650, 1100], [380, 800]], rough: 0.8, every: 3.2 },
  { words: /\bcows?\b|cattle|\bkuh\b|\bvache|牛/u, seconds: 1.5, hz: [150, 190, 185, 140], mouth: [[320, 800], [650, 1050]], rough: 0.12, every: 3 },
  { words: /sheep|\bgoat|\blambs?\b|\bschaf|mouton|羊/u, seconds: 0.8, hz: [330, 350, 320], mouth: [[700, 1500], [600, 1400]], rough: 0.25, every: 1.9 },
  { words: /\bowls?\b|\beulen?\b|hibou/u, seconds: 0.7, hz: [380, 400, 370], mouth: [[380, 700], [380, 700]], rough: 0.02, every: 1.8 },
  { words: /\bhorse|pferd|\bcheval|马/u, seconds: 1.3, hz: [900, 1150, 800, 500], mouth: [[900, 2000], [600, 1500]], rough: 0.35, every: 4 },
  { words: /\bgulls?\b|seagull|\bbeach|harbou?r|möwe|mouette|\bcoast\b|seaside/u, seconds: 0.4, hz: [900, 1350, 1000], mouth: [[1200, 2600], [1000, 2300]], rough: 0.1, every: 1.6 },
  { words: /whale|dolphin|\bwale?\b|baleine|鲸/u, seconds: 2.4, hz: [210, 420, 330, 520, 260], mouth: [[450, 1000], [600, 1200]], rough: 0.02, every: 3 },
  { words: /elephant/u, seconds: 1.3, hz: [320, 460, 470, 400], mouth: [[800, 1700], [900, 1900]], rough: 0.45, every: 3.2 },
];

/** The animals that the prompt names: a rough voice through a muzzle that opens or closes. */
export function animalCalls(scene: Scene): void {
  const { random, seconds, out, words } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 900 }], gain: 0.012 });
  for (const call of CALLS.filter((each) => each.words.test(words)).slice(0, 2)) {
    const pan = between(random, -0.6, 0.6);
    const voices = Array.from({ length: 2 }, () => callOf(scene, call));
    for (
      let at = between(random, 0.2, 0.5);
      at < seconds - 0.3;
      at += call.every * between(random, 0.7, 1.4)
    ) {
      const voice = voices[Math.floor(random() * 2)];
      if (voice) addMono(out, voice, { at: toSamples(at), gain: between(random, 0.5, 1), pan });
    }
  }
}

function callOf({ random, nextSeed }: Scene, { seconds, hz, mouth, rough }: Call): Float32Array {
  const length = toSamples(seconds * between(random, 0.85, 1.15));
  const noise = whiteNoise(length, nextSeed());
  const source = new Float32Array(length);
  const tune = between(random, 0.92, 1.08);
  const growl = wander(random, { seconds, rate: 40, low: 1 - rough * 0.3, high: 1 + rough * 0.3 });
  let phase = 0;
  let turn = 0;
  for (let n = 0; n < length; n += 1) {
    const part = n / length;
    if (n % 64 === 0) turn = (pointAt(hz, part) * tune * growl(n / SAMPLE_RATE)) / SAMPLE_RATE;
    phase += turn;
    if (phase >= 1) phase -= 1;
    const pulse = phase < 0.5 ? (2 - 6 * phase) * phase * 4 : 0;
    const swell = smoothStep(0, 0.12, part) * (1 - smoothStep(0.65, 1, part));
    source[n] = (pulse + (noise[n] ?? 0) * rough * (phase < 0.5 ? 0.8 : 0.25)) * swell;
  }
  const call = new Float32Array(length);
  for (const which of [0, 1] as const) {
    const from = mouth[0][which];
    const to = mouth[1][which];
    const heard = bandPass(source.slice(), (at) => from + (to - from) * Math.min(1, at / seconds), 3);
    addInto(call, heard, which === 0 ? 1 : 0.6);
  }
  return call;
}

function pointAt(points: readonly number[], part: number): number {
  const place = part * (points.length - 1);
  const index = Math.floor(place);
  const a = points[index] ?? 0;
  return a + ((points[index + 1] ?? a) - a) * smoothStep(index, index + 1, place);
}

/** The animals' words, for choosing the effect. */
export const ANIMAL_WORDS = new RegExp(CALLS.map((call) => call.words.source).join('|'), 'u');

/** Wing beats and hooves share a rhythm: three quick, one rest. */
export function hooves(scene: Scene): void {
  const { random, seconds, nextSeed, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 600 }], gain: 0.02 });
  const noises = [620, 780, 540].map((hz) => bandPass(whiteNoise(toSamples(0.2), nextSeed()), hz, 4));
  const stride = between(random, 0.44, 0.56);
  for (let start = 0.05; start < seconds; start += stride * between(random, 0.97, 1.03)) {
    for (const [index, noise] of noises.entries()) {
      const hit = shape(noise.slice(), (t) => Math.exp(-t * 42));
      const at = start + index * stride * 0.2;
      addMono(out, hit, { at: toSamples(at), gain: between(random, 0.6, 1), pan: (index - 1) * 0.3 });
    }
  }
}

/** A pond at night. */
export function frogs(scene: Scene): void {
  const { random, seconds, out } = scene;
  addBed(scene, { color: 'pink', filters: [{ kind: 'low', hz: 800 }], gain: 0.03 });
  for (let frog = 0; frog < 4; frog += 1) {
    const hz = between(random, 380, 900);
    const croak = new Float32Array(toSamples(between(random, 0.2, 0.4)));
    const rate = between(random, 28, 60);
    for (let n = 0; n < croak.length; n += 1) {
      const at = n / SAMPLE_RATE;
      const pulse = Math.exp(-((at * rate) % 1) * 4);
      croak[n] = pulse * Math.sin(2 * Math.PI * hz * at) * Math.sin((Math.PI * n) / croak.length);
    }
    const pan = between(random, -0.9, 0.9);
    for (const at of scatter(random, { seconds, rate: 0.9 }))
      addMono(out, croak, { at: toSamples(at), gain: between(random, 0.3, 0.9), pan });
  }
}
