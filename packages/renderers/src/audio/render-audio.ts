import { fractalAlong, noiseAlong } from '../video/noise.ts';
import { hashText, pick, seededRandom } from '../video/random.ts';
import { WORDS } from '../video/scene/scene-words.ts';

const SAMPLE_RATE = 48_000;

export interface AudioRequest {
  readonly prompt: string;
  readonly seconds: number;
  readonly seed: number;
  /** Wind, and waves, rain or the deep sea where the prompt names them. */
  readonly ambience: boolean;
  /** A slow pad. */
  readonly music: boolean;
}

export type Sound = ReturnType<typeof renderAudio>;

interface Layer {
  /** The mean level; 1 is full scale. */
  readonly level: number;
  /** Returns the samples of one side by their time in seconds. Called for every sample in order. */
  readonly side: (side: 0 | 1) => (seconds: number) => number;
}

/** The same request gives the same samples. */
export function renderAudio({ prompt, seconds, seed, ambience, music }: AudioRequest) {
  const length = Math.round(seconds * SAMPLE_RATE);
  const layers = [
    ...(ambience ? ambienceOf(prompt.toLowerCase(), seed) : []),
    ...(music ? [padOf(seed)] : []),
  ];
  const [left, right] = ([0, 1] as const).map((side) => {
    const mixed = new Float32Array(length);
    for (const layer of layers) addLayer(mixed, layer, side);
    return mixed;
  });
  if (!left || !right) throw new Error('Expected two audio channels.');
  finish([left, right]);
  return { sampleRate: SAMPLE_RATE, left, right };
}

function addLayer(mixed: Float32Array, { level, side: create }: Layer, side: 0 | 1): void {
  const sample = create(side);
  const samples = mixed.map((_, at) => sample(at / SAMPLE_RATE));
  const power = samples.reduce((sum, value) => sum + value * value, 0) / Math.max(1, samples.length);
  const gain = level / Math.max(1e-6, Math.sqrt(power));
  for (let at = 0; at < mixed.length; at++)
    mixed[at] = (mixed[at] as number) + (samples[at] as number) * gain;
}

function ambienceOf(text: string, seed: number): readonly Layer[] {
  const isStormy = WORDS.storm.test(text) || WORDS.windy.test(text);
  if (WORDS.underwater.test(text)) return [deep(seed)];
  return [
    wind(seed, isStormy ? 0.09 : 0.035),
    ...(WORDS.sea.test(text) ? [waves(seed, isStormy ? 0.1 : 0.07)] : []),
    ...(WORDS.rain.test(text) ? [rain(seed)] : []),
  ];
}

/** Noise through two poles, whose cutoff may change with time. */
function filteredNoise(seed: number, cutoffAt: (seconds: number) => number): (seconds: number) => number {
  let state = seed | 1;
  let [first, second, part, until] = [0, 0, 0, -1];
  return (seconds) => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    if (seconds >= until) {
      part = 1 - Math.exp((-2 * Math.PI * cutoffAt(seconds)) / SAMPLE_RATE);
      until = seconds + 0.002;
    }
    first += (state / 2 ** 31 - first) * part;
    second += (first - second) * part;
    return second;
  };
}

function wind(seed: number, level: number): Layer {
  return {
    level,
    side(side) {
      const gusts = hashText(`gusts ${seed}`);
      const air = filteredNoise(
        hashText(`wind ${seed} ${side}`),
        (at) => 320 + 190 * noiseAlong(at * 0.7, gusts),
      );
      return (at) => air(at) * (1 + 0.6 * fractalAlong(at * 0.45 + side * 0.15, gusts + 1, 3));
    },
  };
}

/** Breakers every few seconds, and their backwash. */
function waves(seed: number, level: number): Layer {
  return {
    level,
    side(side) {
      const pace = 0.13 + 0.05 * seededRandom(seed, 'waves')();
      const swell = (at: number): number =>
        (0.5 + 0.5 * Math.sin((at * pace + side * 0.03) * 2 * Math.PI)) ** 3;
      const surf = filteredNoise(hashText(`surf ${seed} ${side}`), (at) => 500 + 1900 * swell(at));
      return (at) => surf(at) * (0.25 + swell(at));
    },
  };
}

function rain(seed: number): Layer {
  return {
    level: 0.06,
    side(side) {
      const all = filteredNoise(hashText(`rain ${seed} ${side}`), () => 9000);
      const low = filteredNoise(hashText(`rain ${seed} ${side}`), () => 900);
      return (at) => all(at) - low(at);
    },
  };
}

function deep(seed: number): Layer {
  return {
    level: 0.07,
    side(side) {
      const currents = hashText(`currents ${seed}`);
      return filteredNoise(
        hashText(`deep ${seed} ${side}`),
        (at) => 150 + 60 * noiseAlong(at * 0.5, currents),
      );
    },
  };
}

/** Chords of a slow progression, in half tones above their root. */
const CHORDS = [
  [0, 7, 16, 19],
  [-3, 9, 12, 16],
  [-7, 5, 9, 16],
  [-5, 7, 11, 14],
] as const;
const CHORD_SECONDS = 4;

function padOf(seed: number): Layer {
  const random = seededRandom(seed, 'pad');
  const root = 130.81 * 2 ** (Math.floor(random() * 7) / 12);
  const first = pick(random, [0, 1, 2]);
  return {
    level: 0.06,
    side(side) {
      // The sides are slightly out of tune, which widens the sound.
      const turns = CHORDS.map((chord) =>
        chord.map(
          (step, voice) => 2 * Math.PI * root * 2 ** (step / 12) * (1 + (side - 0.5) * 0.003 * (voice - 1.5)),
        ),
      );
      const loudness = CHORDS[0].map((_, voice) => 0.8 ** voice);
      const play = (chord: readonly number[], at: number): number => {
        let sum = 0;
        for (let voice = 0; voice < chord.length; voice++) {
          const turn = at * (chord[voice] as number);
          const tone = Math.sin(turn) + 0.3 * Math.sin(turn * 2 + voice) + 0.08 * Math.sin(turn * 3);
          sum += tone * (loudness[voice] as number);
        }
        return sum;
      };
      return (at) => {
        const now = Math.floor(at / CHORD_SECONDS);
        const share = at / CHORD_SECONDS - now;
        const chord = (index: number): readonly number[] =>
          turns[(index + first + CHORDS.length) % CHORDS.length] as readonly number[];
        // Each chord swells while the one before it fades.
        const swell = Math.sin((share / 2) * Math.PI) ** 2;
        return (1 - swell) * play(chord(now - 1), at) + swell * play(chord(now), at);
      };
    },
  };
}

/** The loudest sample: -1.2 dBFS, so that encoding does not exceed -1. */
const CEILING = 10 ** (-1.2 / 20);
const FADE = Math.round(0.01 * SAMPLE_RATE);

/** Removes the offset, peaks above the ceiling, and clicks at both ends. */
function finish(sides: readonly Float32Array[]): void {
  let peak = 0;
  for (const samples of sides) {
    const offset = samples.reduce((sum, value) => sum + value, 0) / Math.max(1, samples.length);
    const fade = Math.min(FADE, samples.length >> 1);
    for (let at = 0; at < samples.length; at++) {
      const gain = Math.min(1, at / fade, (samples.length - 1 - at) / fade);
      samples[at] = ((samples[at] as number) - offset) * gain;
      peak = Math.max(peak, Math.abs(samples[at] as number));
    }
  }
  if (peak <= CEILING) return;
  for (const samples of sides)
    for (let at = 0; at < samples.length; at++) samples[at] = (samples[at] as number) * (CEILING / peak);
}
