import { between, createRandom, hash, pick, type Random } from '../dsp/random.ts';
import { composeDrums, type Hit } from './compose-drums.ts';
import { composeTune } from './compose-tune.ts';
import { chordSteps, type Key, noteOf, voiceChord } from './harmony.ts';
import { chooseMood, type Mood } from './moods.ts';

export interface Note {
  readonly note: number;
  /** In seconds. */
  readonly at: number;
  readonly seconds: number;
  /** From 0 to 1. */
  readonly loud: number;
}

export interface Chord {
  readonly degree: number;
  readonly notes: readonly number[];
  readonly at: number;
  readonly seconds: number;
}

export interface Score {
  readonly key: Key;
  readonly mood: Mood;
  readonly beatSeconds: number;
  readonly chords: readonly Chord[];
  readonly bass: readonly Note[];
  readonly keys: readonly Note[];
  readonly tune: readonly Note[];
  readonly drums: readonly Hit[];
}

/** A small piece that is as long as the video and comes home at its end. */
export function compose({ prompt, seconds, seed }: { prompt: string; seconds: number; seed: number }): Score {
  const random = createRandom(hash(seed, 'music'));
  const mood = chooseMood(prompt, seed);
  const key: Key = { root: Math.floor(random() * 12), mode: pick(random, mood.modes) };
  // The last chord has this long to ring; the beats before it fill the rest exactly.
  const ending = Math.min(2.6, seconds * 0.28);
  const beats = Math.max(1, Math.round(((seconds - ending) * between(random, ...mood.bpm)) / 60));
  const beatSeconds = (seconds - ending) / beats;
  const chords = composeChords({ key, mood, beats, beatSeconds, seconds, random });
  return {
    key,
    mood,
    beatSeconds,
    chords,
    bass: chords.flatMap((chord, n) =>
      bassOf(chord, { key, mood, beatSeconds, last: n === chords.length - 1 }),
    ),
    keys:
      mood.keys === 'none'
        ? []
        : chords.flatMap((chord, n) => keysOf(chord, { beatSeconds, random, last: n === chords.length - 1 })),
    tune: composeTune({ key, mood, chords, beatSeconds, random }),
    drums: composeDrums({ mood, beats, beatSeconds, random }),
  };
}

function composeChords(options: {
  key: Key;
  mood: Mood;
  beats: number;
  beatSeconds: number;
  seconds: number;
  random: Random;
}): readonly Chord[] {
  const { key, mood, beats, beatSeconds, seconds, random } = options;
  const progression = pick(random, mood.progressions);
  const each = beats >= 12 ? 4 : beats >= 4 ? 2 : 1;
  const count = Math.ceil(beats / each);
  const chords: Chord[] = [];
  let last: readonly number[] = [];
  for (let n = 0; n <= count; n += 1) {
    const leadsHome = n === count - 1 && n > 0;
    const planned = progression[n % progression.length] ?? 0;
    // Not the leading chord twice: the one before it prepares it.
    const prepares = n === count - 2 && planned === mood.home;
    const degree = n === count ? 0 : leadsHome ? mood.home : prepares ? 5 : planned;
    const notes = voiceChord(key, chordSteps(degree, n === count ? 3 : mood.chord), { low: 57, last });
    const at = Math.min(n * each, beats) * beatSeconds;
    const end = n === count ? seconds : Math.min((n + 1) * each, beats) * beatSeconds;
    chords.push({ degree, notes, at, seconds: end - at });
    last = notes;
  }
  return chords;
}

function bassOf(
  { degree, at, seconds }: Chord,
  { key, mood, beatSeconds, last }: { key: Key; mood: Mood; beatSeconds: number; last: boolean },
): readonly Note[] {
  const root = noteOf(key, degree, 45) - (noteOf(key, degree, 45) > 48 ? 12 : 0);
  const fifth = noteOf(key, degree + 4, 45) - (noteOf(key, degree + 4, 45) > 50 ? 12 : 0);
  if (last || mood.bass === 'long') return [{ note: root, at, seconds, loud: 0.85 }];
  const step = mood.bass === 'pulse' ? beatSeconds / 2 : beatSeconds;
  const count = Math.max(1, Math.round(seconds / step));
  return Array.from({ length: count }, (_, n) => ({
    note: mood.bass === 'walking' && n % 2 === 1 ? fifth : root,
    at: at + n * step,
    seconds: step * 0.9,
    loud: n % 4 === 0 ? 0.95 : 0.7,
  }));
}

/** The chord, broken: up and down in eighths. */
function keysOf(
  { notes, at, seconds }: Chord,
  { beatSeconds, random, last }: { beatSeconds: number; random: Random; last: boolean },
): readonly Note[] {
  if (last) return notes.map((note, n) => ({ note, at: at + n * 0.03, seconds, loud: 0.6 }));
  const up = [...notes, (notes[0] ?? 60) + 12];
  const pattern = [...up, ...up.slice(1, -1).toReversed()];
  const step = beatSeconds / 2;
  return Array.from({ length: Math.max(1, Math.round(seconds / step)) }, (_, n) => ({
    note: pattern[n % pattern.length] ?? 60,
    at: at + n * step + between(random, -0.006, 0.006),
    seconds: step * 1.8,
    loud: (n % 4 === 0 ? 0.6 : 0.42) * between(random, 0.85, 1.1),
  })).map((each) => ({ ...each, at: Math.max(0, each.at) }));
}
