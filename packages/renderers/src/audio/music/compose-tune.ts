import { between, type Random } from '../dsp/random.ts';
import type { Chord, Note } from './compose.ts';
import { chordSteps, type Key, noteOf } from './harmony.ts';
import type { Mood } from './moods.ts';

// Lengths in half beats that fill two bars.
const RHYTHMS: readonly (readonly number[])[] = [
  [3, 1, 4, 3, 1, 4],
  [2, 2, 4, 2, 2, 4],
  [6, 2, 6, 2],
  [4, 2, 2, 8],
  [2, 1, 1, 4, 2, 2, 4],
  [1, 1, 2, 2, 2, 1, 1, 2, 4],
  [3, 3, 2, 3, 3, 2],
  [8, 4, 4],
];

interface MotifStep {
  readonly halves: number;
  /** Steps of the scale from the note before. */
  readonly move: number;
  readonly rests: boolean;
}

/** A motif of two bars, said, said again a little changed, answered, and brought home. */
export function composeTune({
  key,
  mood,
  chords,
  beatSeconds,
  random,
}: {
  key: Key;
  mood: Mood;
  chords: readonly Chord[];
  beatSeconds: number;
  random: Random;
}): readonly Note[] {
  const half = beatSeconds / 2;
  const final = chords.at(-1);
  if (!final) return [];
  const motif = createMotif(mood, random);
  const answer = createMotif(mood, random);
  const notes: Note[] = [];
  let step = chordSteps(0, 3)[Math.floor(random() * 3)] ?? 0;
  let at = 0;
  for (let n = 0; at < final.at - half / 2; n += 1) {
    const phrase = Math.floor(n / motif.length);
    const source = phrase % 4 === 2 ? answer : motif;
    const { halves, move, rests } = source[n % source.length] ?? { halves: 2, move: 0, rests: false };
    const length = Math.min(halves * half, final.at - at);
    const chord = chords.findLast((each) => each.at <= at + 0.01) ?? final;
    const before = step;
    step = bounded(step + move + (phrase % 4 === 1 && random() < 0.25 ? 1 : 0));
    // Long or accented notes belong to the chord; the others may pass.
    const strong = halves >= 2 || Math.abs((at / beatSeconds) % 2) < 0.1;
    if (strong) step = nearestOf(step, chord.degree);
    // The chord pulled it back to where it was: on to the next chord note instead.
    if (strong && step === before && n > 0)
      step = bounded(nearestOf(step + (move < 0 ? -2.1 : 2.1), chord.degree));
    if (!rests)
      notes.push({
        note: noteOf(key, step, 72),
        at,
        seconds: length * 0.96,
        loud: (strong ? 0.85 : 0.65) * between(random, 0.9, 1.05),
      });
    at += length;
  }
  return [
    ...notes,
    { note: noteOf(key, nearestOf(step, 0), 72), at: final.at, seconds: final.seconds, loud: 0.85 },
  ];
}

function createMotif(mood: Mood, random: Random): readonly MotifStep[] {
  const wanted = mood.density * 2;
  const ranked = RHYTHMS.toSorted((a, b) => Math.abs(a.length - wanted) - Math.abs(b.length - wanted));
  const rhythm = ranked[Math.floor(random() * 3)] ?? [4, 4, 4, 4];
  return rhythm.map((halves, n) => ({
    halves,
    move: n === 0 ? 0 : Math.round(between(random, -2.4, 2.4)),
    rests: n > 1 && random() < 0.1,
  }));
}

/** About an octave and a half, turned back at its ends. */
function bounded(step: number): number {
  if (step > 8) return 14 - step;
  return step < -3 ? -4 - step : step;
}

function nearestOf(step: number, degree: number): number {
  const candidates = [-7, 0, 7].flatMap((octave) => chordSteps(degree, 3).map((each) => each + octave));
  return candidates.reduce((best, each) => (Math.abs(each - step) < Math.abs(best - step) ? each : best));
}
