import { LIGHT_COLORS, NAMED_COLORS } from './colors.ts';
import { DIRECTIONS } from './directions.ts';
import type { Effect, Vocabulary } from './effect.ts';
import { PLACES } from './places.ts';
import { QUALITIES } from './qualities.ts';
import { TIMES } from './times.ts';

/** A phrase of the vocabulary that the prompt has. */
export interface Phrase {
  readonly words: string;
  readonly effect: Effect;
  /** 1 as it stands; `(phrase:1.4)` has 2. */
  readonly part: number;
}

/** Phrases that stand together: a color and a direction in one clause are of one light. */
export type Clause = readonly Phrase[];

interface Word {
  readonly text: string;
  readonly weight: number;
}

interface Entry {
  readonly effect: Effect;
  readonly named: boolean;
}

const MOST_CHARACTERS = 20_000;
const HEAVIEST = 1.4;
/** A larger number behind a colon is no weight but text. */
const LARGEST = 10;
const BREAK: Word = { text: '', weight: 1 };
const BREAKS = new Set([',', ';', '.', '\n', 'and', 'with', 'while', 'plus', 'but', 'then', 'versus', 'vs']);
const LEFT_OUT = new Set([
  'the',
  'a',
  'an',
  'his',
  'her',
  'its',
  'their',
  'of',
  'very',
  'some',
  'my',
  'coming',
  'shining',
]);
const LIGHT = new Set([
  'lit',
  'lights',
  'lighting',
  'lighted',
  'illumination',
  'illuminated',
  'illuminating',
]);
/** Two colors that are one phrase, though `and` separates clauses otherwise. */
const PAIRS = /\b(black|teal|orange) and (white|teal|orange)\b/g;
/** How many words a named color may stand away from a word of light. */
const REACH = 3;

const SPEAKING_OF_LIGHT = new Set(
  'light neon glow glowing rim backlight backlit sky tone hue lamp led sun sunlight shadow spotlight tint haze fog'.split(
    ' ',
  ),
);

const ENTRIES = new Map<string, Entry>([
  ...entriesOf([...DIRECTIONS, ...LIGHT_COLORS, ...QUALITIES, ...PLACES, ...TIMES], false),
  ...entriesOf(NAMED_COLORS, true),
]);
const LONGEST = Math.max(...[...ENTRIES.keys()].map((words) => words.split(' ').length));

/** The phrases of the vocabulary in a prompt. Words that are not in it do nothing. */
export function parsePrompt(prompt: string): Clause[] {
  const clauses: Clause[] = [];
  let words: Word[] = [];
  for (const word of [...wordsOf(prompt.slice(0, MOST_CHARACTERS)), BREAK]) {
    if (word !== BREAK) {
      words.push(word);
      continue;
    }
    const clause = phrasesOf(words);
    if (clause.length > 0) clauses.push(clause);
    words = [];
  }
  return clauses;
}

function wordsOf(prompt: string): Word[] {
  const words: Word[] = [];
  const weighted = /\(([^()]*):\s*(\d+(?:\.\d+)?)\s*\)/g;
  let end = 0;
  for (const found of prompt.matchAll(weighted)) {
    addWords(words, prompt.slice(end, found.index), 1);
    addWords(words, found[1] ?? '', weightOf(Number(found[2])));
    end = found.index + found[0].length;
  }
  addWords(words, prompt.slice(end), 1);
  return words;
}

function weightOf(written: number): number {
  return written > LARGEST ? 1 : Math.min(HEAVIEST, Math.max(1, written));
}

function addWords(words: Word[], text: string, weight: number): void {
  for (const [token] of text
    .toLowerCase()
    .replace(PAIRS, '$1 $2')
    .matchAll(/[\p{L}\p{N}]+|[,;.\n]/gu)) {
    if (BREAKS.has(token)) words.push(BREAK);
    else if (!LEFT_OUT.has(token)) words.push({ text: plain(token), weight });
  }
}

/** One form of a word, for the prompt and for the vocabulary alike. */
function plain(token: string): string {
  if (LIGHT.has(token)) return 'light';
  return token.length > 3 && token.endsWith('s') && !token.endsWith('ss') ? token.slice(0, -1) : token;
}

function phrasesOf(words: readonly Word[]): Phrase[] {
  const phrases: Phrase[] = [];
  for (let at = 0; at < words.length; ) {
    const found = longestAt(words, at);
    if (found !== undefined) phrases.push(found.phrase);
    at += found?.length ?? 1;
  }
  return phrases;
}

function longestAt(words: readonly Word[], at: number): { phrase: Phrase; length: number } | undefined {
  for (let length = Math.min(LONGEST, words.length - at); length > 0; length--) {
    const those = words.slice(at, at + length);
    const text = those.map((word) => word.text).join(' ');
    const entry = ENTRIES.get(text);
    if (entry === undefined || (entry.named && !speaksOfLight(words, at, length))) continue;
    const weight = Math.max(...those.map((word) => word.weight));
    return { phrase: { words: text, effect: entry.effect, part: 1 + (weight - 1) * 2.5 }, length };
  }
  return undefined;
}

function speaksOfLight(words: readonly Word[], at: number, length: number): boolean {
  if (words.length <= length + 1) return true;
  const around = words.slice(Math.max(0, at - REACH), at + length + REACH);
  return around.some((word) => SPEAKING_OF_LIGHT.has(word.text));
}

function entriesOf(vocabulary: Vocabulary, named: boolean): [string, Entry][] {
  return vocabulary.flatMap(([phrases, effect]) =>
    phrases.split('|').map((phrase): [string, Entry] => {
      const words = phrase.split(' ').map(plain);
      return [words.join(' '), { effect, named }];
    }),
  );
}
