import { whiteNoise } from '../dsp/noise.ts';
import { createRandom, hash } from '../dsp/random.ts';
import { SAMPLE_RATE } from '../dsp/sample-rate.ts';
import { glottalSource } from './glottal-source.ts';
import { FRAME_SAMPLES, type Tracks } from './tracks.ts';
import type { Voice } from './voices.ts';

/** Formants above the third hardly move in speech. */
const UPPER = [
  { hz: 3350, width: 200 },
  { hz: 3950, width: 250 },
  { hz: 4950, width: 400 },
  { hz: 5950, width: 600 },
  { hz: 7000, width: 800 },
  { hz: 8100, width: 1000 },
] as const;

const NASAL_POLE_HZ = 270;
const NASAL_ZERO_HZ = 480;

/** The tracks as sound: the source through the vocal tract, plus what hisses in the mouth. */
export function synthesise(tracks: Tracks, voice: Voice, seed: number): Float32Array {
  const sound = glottalSource(tracks, voice, seed);
  throughNose(sound, tracks);
  throughMouth(sound, tracks, voice);
  addFriction(sound, tracks, { voice, seed });
  return sound;
}

/** A pole that a zero hides, until the zero moves away in nasals. */
function throughNose(sound: Float32Array, { nasal }: Tracks): void {
  const pole = resonance(NASAL_POLE_HZ, 100);
  let x1 = 0;
  let x2 = 0;
  let y1 = 0;
  let y2 = 0;
  for (let start = 0; start < sound.length; start += FRAME_SAMPLES) {
    const much = nasal[start / FRAME_SAMPLES] ?? 0;
    const zero = resonance(NASAL_POLE_HZ + (NASAL_ZERO_HZ - NASAL_POLE_HZ) * much, 100);
    const end = Math.min(start + FRAME_SAMPLES, sound.length);
    for (let n = start; n < end; n += 1) {
      const x = sound[n] ?? 0;
      const through = (x - zero.b * x1 - zero.c * x2) / zero.a;
      x2 = x1;
      x1 = x;
      const y = pole.a * through + pole.b * y1 + pole.c * y2;
      y2 = y1;
      y1 = y;
      sound[n] = y;
    }
  }
}

/** The formants one after the other: their loudness relations then come out right by themselves. */
function throughMouth(sound: Float32Array, tracks: Tracks, voice: Voice): void {
  const count = 3 + UPPER.length;
  const a = new Float64Array(count);
  const b = new Float64Array(count);
  const c = new Float64Array(count);
  const y1 = new Float64Array(count);
  const y2 = new Float64Array(count);
  const set = (which: number, hz: number, width: number): void => {
    const found = resonance(hz * voice.formantScale, width);
    a[which] = found.a;
    b[which] = found.b;
    c[which] = found.c;
  };
  for (const [index, { hz, width }] of UPPER.entries()) set(3 + index, hz, width);
  for (let start = 0; start < sound.length; start += FRAME_SAMPLES) {
    const frame = start / FRAME_SAMPLES;
    const [f1, f2, f3] = tracks.formants;
    const nasal = tracks.nasal[frame] ?? 0;
    // The open glottis and the nose take energy away: the peaks become wide.
    const open = Math.min(1, (tracks.breath[frame] ?? 0) + voice.breath * 0.5);
    set(0, f1[frame] ?? 500, 65 + 180 * open + 60 * nasal);
    set(1, f2[frame] ?? 1500, 85 + 60 * open + 120 * nasal);
    set(2, f3[frame] ?? 2500, 130 + 60 * open + 150 * nasal);
    const end = Math.min(start + FRAME_SAMPLES, sound.length);
    for (let n = start; n < end; n += 1) {
      let value = sound[n] ?? 0;
      for (let k = 0; k < count; k += 1) {
        const before = y1[k] ?? 0;
        value = (a[k] ?? 0) * value + (b[k] ?? 0) * before + (c[k] ?? 0) * (y2[k] ?? 0);
        y2[k] = before;
        y1[k] = value;
      }
      sound[n] = value;
    }
  }
}

/** A two-pole resonator with a gain of 1 at 0 Hz: y = a·x + b·y1 + c·y2. */
function resonance(
  hz: number,
  width: number,
): { readonly a: number; readonly b: number; readonly c: number } {
  const radius = Math.exp((-Math.PI * width) / SAMPLE_RATE);
  const c = -radius * radius;
  const b = 2 * radius * Math.cos((2 * Math.PI * hz) / SAMPLE_RATE);
  return { a: 1 - b - c, b, c };
}

/** The noise of the fricatives and bursts, through two moving bands side by side. */
function addFriction(
  sound: Float32Array,
  { friction, bands, voicing, pitch }: Tracks,
  { voice, seed }: { voice: Voice; seed: number },
): void {
  const noise = whiteNoise(sound.length, hash(seed, 'friction'));
  // The small cavity before the narrow place differs less between people than the whole tract.
  const scale = voice.formantScale ** 0.6;
  const flutter = createRandom(hash(seed, 'flutter'));
  for (const band of bands) {
    let first = 0;
    let second = 0;
    let level = 0;
    let phase = 0;
    for (let start = 0; start < sound.length; start += FRAME_SAMPLES) {
      const frame = start / FRAME_SAMPLES;
      const k = 1 / (band.q[frame] ?? 1);
      const g = Math.tan((Math.PI * Math.min(14_000, (band.hz[frame] ?? 4000) * scale)) / SAMPLE_RATE);
      const a1 = 1 / (1 + g * (g + k));
      const target = (friction[frame] ?? 0) * (band.gain[frame] ?? 0) * (0.92 + 0.16 * flutter());
      const pulsed = Math.min(1, voicing[frame] ?? 0) * 0.8;
      const turn = (pitch[frame] ?? 100) / SAMPLE_RATE;
      // Bursts jump up; everything else may take one frame.
      const step = target > level * 2 ? (target - level) / 16 : (target - level) / FRAME_SAMPLES;
      const end = Math.min(start + FRAME_SAMPLES, sound.length);
      for (let n = start; n < end; n += 1) {
        phase += turn;
        if (phase >= 1) phase -= 1;
        const input = (noise[n] ?? 0) * (phase < 0.5 ? 1 : 1 - pulsed);
        const rest = input - second;
        const through = a1 * (first + g * rest);
        const low = second + g * through;
        first = 2 * through - first;
        second = 2 * low - second;
        if (step > 0 ? level < target : level > target) level += step;
        sound[n] = (sound[n] ?? 0) + k * through * level;
      }
    }
  }
}
