import { PHONEMES, type PhonemeName } from './phonemes.ts';
import type { Word } from './read-aloud.ts';

/** One sound in its time. */
export interface Phone {
  readonly name: PhonemeName;
  readonly start: number;
  readonly seconds: number;
  readonly stressed: boolean;
  /** The first sound of its word. */
  readonly opens: boolean;
}

export interface Phrase {
  readonly phones: readonly Phone[];
  readonly ending: Word['ending'];
  readonly start: number;
  readonly end: number;
}

export interface SpeechPlan {
  readonly phrases: readonly Phrase[];
  readonly seconds: number;
}

const PAUSE_SECONDS = { none: 0, comma: 0.2, stop: 0.42, question: 0.45 } as const;
const FASTEST = 1.3;
const SLOWEST = 0.94;

interface Fit {
  readonly seconds: number;
  /** Of the voice; the plan may go faster to say all. */
  readonly pace: number;
  /** The words must all be said if they can be; otherwise the plan stops where it sounds finished. */
  readonly whole: boolean;
}

/** Gives every sound its time, and drops the words that do not fit. */
export function planSpeech(words: readonly Word[], { seconds, pace, whole }: Fit): SpeechPlan {
  let count = words.length;
  while (count > 1 && lengthOf(words.slice(0, count), pace * (whole ? FASTEST : 1.06)) > seconds) count -= 1;
  const said = whole || count === words.length ? words.slice(0, count) : roundOff(words.slice(0, count));
  const natural = lengthOf(said, pace);
  const faster = Math.min(FASTEST * 1.25, Math.max(SLOWEST, natural / seconds));
  return layOut(said, pace * faster);
}

/** Ends at the last mark if most is said by then, and never on a word that leans on the next. */
function roundOff(words: readonly Word[]): readonly Word[] {
  const mark = words.findLastIndex((word) => word.ending !== 'none');
  if (mark >= words.length * 0.6) return words.slice(0, mark + 1);
  const end = words.findLastIndex((word) => word.weighty);
  return end < 0 ? words : words.slice(0, end + 1);
}

const lengthOf = (words: readonly Word[], pace: number): number => layOut(words, pace).seconds;

function layOut(words: readonly Word[], pace: number): SpeechPlan {
  const phrases: Phrase[] = [];
  let at = 0;
  for (const group of groupPhrases(words)) {
    const start = at;
    const phones: Phone[] = [];
    for (const [index, word] of group.entries()) {
      const last = index === group.length - 1;
      for (const [n, { name, stressed }] of word.sounds.entries()) {
        const seconds = secondsOf(word, n, last) / pace;
        phones.push({ name, start: at, seconds, stressed, opens: n === 0 });
        at += seconds;
      }
    }
    const ending = group.at(-1)?.ending ?? 'stop';
    phrases.push({ phones, ending, start, end: at });
    at += PAUSE_SECONDS[ending] / pace;
  }
  return { phrases, seconds: phrases.at(-1)?.end ?? 0 };
}

// People breathe: without marks a phrase is this long at most.
const PHRASE_WORDS = 9;

function groupPhrases(words: readonly Word[]): readonly (readonly Word[])[] {
  const groups: Word[][] = [];
  let group: Word[] = [];
  for (const [index, word] of words.entries()) {
    const last = index === words.length - 1;
    const long = group.length + 1 >= PHRASE_WORDS && word.weighty && words.length - index > 3;
    const ending = word.ending === 'none' && (last || long) ? (last ? 'stop' : 'comma') : word.ending;
    group.push({ ...word, ending });
    if (ending === 'none') continue;
    groups.push(group);
    group = [];
  }
  return groups;
}

/** The rules of D. H. Klatt's model of duration, in short: how much of what can be spared remains. */
function secondsOf({ sounds, weighty }: Word, at: number, phraseFinal: boolean): number {
  const sound = sounds[at];
  if (!sound) return 0;
  const phoneme = PHONEMES[sound.name];
  const before = kindAt(sounds[at - 1]?.name);
  const after = kindAt(sounds[at + 1]?.name);
  const lastVowel = sounds.findLastIndex(({ name }) => PHONEMES[name].kind === 'vowel');
  const final = phraseFinal && at >= lastVowel;
  let factor = 1;
  if (phoneme.kind === 'vowel') {
    factor = sound.stressed ? 0.95 : weighty ? 0.55 : 0.42;
    if (final) factor = factor * 1.35 + 0.25;
    else if (at !== lastVowel) factor *= 0.85;
    const next = sounds[at + 1] ? PHONEMES[sounds[at + 1]?.name ?? 'AX'] : undefined;
    if (next && next.kind !== 'vowel' && !next.voiced) factor *= 0.75;
    if (next?.kind === 'stop' && next.voiced) factor *= 1.1;
  } else {
    factor = at === 0 ? 0.95 : 0.75;
    const clustered =
      (before !== undefined && before !== 'vowel') || (after !== undefined && after !== 'vowel');
    if (clustered) factor *= 0.65;
    if (!weighty) factor *= 0.6;
    if (final) factor *= 1.25;
  }
  return (phoneme.short + (phoneme.long - phoneme.short) * factor) / 1000;
}

const kindAt = (name: PhonemeName | undefined): string | undefined => name && PHONEMES[name].kind;
