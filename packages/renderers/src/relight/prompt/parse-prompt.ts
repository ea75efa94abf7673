import { type Effect, ENTRIES } from './vocabulary.ts';

/** A phrase of the vocabulary found in the prompt. */
export interface Phrase {
  readonly words: string;
  readonly effect: Effect;
  /** 1 without a weight, 2 for `(phrase:1.4)`. */
  readonly part: number;
}

/** A color and a direction in one clause belong to one light. */
export type Clause = readonly Phrase[];

interface Word {
  readonly text: string;
  readonly weight: number;
}

const MAX_CHARACTERS = 20_000;
const MAX_WEIGHT = 1.4;
/** A larger number after a colon is text, as in 5:30. */
const MAX_WRITTEN_WEIGHT = 10;
const BREAK: Word = { text: '', weight: 1 };
const BREAKS = new Set([',', ';', '.', '\n', 'and', 'with', 'while', 'plus', 'but', 'then', 'versus', 'vs']);
const LEFT_OUT = new Set('the a an his her its their of very some my coming shining'.split(' '));
const LIGHT = new Set('lit lights lighting lighted illumination illuminated illuminating'.split(' '));
/** Pairs of colors in which `and` does not separate clauses. */
const PAIRS = /\b(black|teal|orange) and (white|teal|orange)\b/g;
/** The largest distance in words between a named color and a word for light. */
const REACH = 3;

const SPEAKING_OF_LIGHT = new Set(
  'light neon glow glowing rim backlight backlit sky tone hue lamp led sun sunlight shadow spotlight tint haze fog'.split(
    ' ',
  ),
);

const MAX_WORDS = Math.max(...[...ENTRIES.keys()].map((words) => words.split(' ').length));

/** Finds the phrases of the vocabulary. Other words have no effect. */
export function parsePrompt(prompt: string): Clause[] {
  const clauses: Clause[] = [];
  let words: Word[] = [];
  for (const word of [...wordsOf(prompt.slice(0, MAX_CHARACTERS)), BREAK]) {
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
  return written > MAX_WRITTEN_WEIGHT ? 1 : Math.min(MAX_WEIGHT, Math.max(1, written));
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

/** The form that the vocabulary uses. */
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
  for (let length = Math.min(MAX_WORDS, words.length - at); length > 0; length--) {
    const those = words.slice(at, at + length);
    const text = those.map((word) => word.text).join(' ');
    const entry = ENTRIES.get(text);
    if (entry === undefined || (entry.isNamedColor && !speaksOfLight(words, at, length))) continue;
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
