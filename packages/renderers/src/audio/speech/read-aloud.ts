import { type Sounded, soundsAsWritten, soundsOfLetters, soundsOfWord } from './letter-to-sound.ts';
import { numberWords } from './number-words.ts';
import { transliterate } from './transliterate.ts';

export interface Word {
  readonly sounds: readonly Sounded[];
  /** Carries an accent of the melody. */
  readonly weighty: boolean;
  /** What follows it. */
  readonly ending: 'none' | 'comma' | 'stop' | 'question';
}

const SIGNS: Readonly<Record<string, string>> = {
  '%': 'percent',
  '&': 'and',
  '+': 'plus',
  '@': 'at',
  $: 'dollars',
  '€': 'euros',
};

const TOKEN = /\d+(?:\.\d+)?|[\p{L}\p{M}]+(?:'\p{L}+)*|[%&+@$€]|[.!?,;:…。!?、,।\n]|\s-+\s|[–—()]/gu;
const MAX_WORDS = 120;

/** The text as words that have sounds, with the pauses its marks ask for. */
export function readAloud(text: string): readonly Word[] {
  const words: Word[] = [];
  for (const [token] of text.matchAll(TOKEN)) {
    if (words.length >= MAX_WORDS) break;
    const ending = endingOf(token);
    const last = words.at(-1);
    if (ending === undefined) words.push(...toWords(token));
    else if (last && rank(ending) > rank(last.ending)) words[words.length - 1] = { ...last, ending };
  }
  return words;
}

const rank = (ending: Word['ending']): number => ['none', 'comma', 'stop', 'question'].indexOf(ending);

function endingOf(token: string): Word['ending'] | undefined {
  if (/^[??]$/u.test(token)) return 'question';
  if (/^[.!…。!।\n]$/u.test(token)) return 'stop';
  return /^(?:[,;:、,–—()]|\s-+\s)$/u.test(token) ? 'comma' : undefined;
}

function toWords(token: string): readonly Word[] {
  if (/^\d/.test(token)) return numberWords(token).map((word) => toWord(soundsOfWord(word)));
  const sign = SIGNS[token];
  if (sign !== undefined) return [toWord(soundsOfWord(sign))];
  const lower = token.toLowerCase();
  // Scripts without spaces come as one long token: a breath of ten syllables at most is one word.
  if (!/^[a-z']+$/.test(lower))
    return (transliterate(lower).match(/.{1,18}/gu) ?? []).map((part) => toWord(soundsAsWritten(part)));
  if (/^[A-Z]{2,4}$/.test(token) && (!/[AEIOUY]/.test(token) || token === 'AI' || token === 'UFO')) {
    return [toWord(soundsOfLetters(lower))];
  }
  return (lower.match(/.{1,24}/g) ?? []).map((part) => toWord(soundsOfWord(part)));
}

function toWord(sounds: readonly Sounded[]): Word {
  return { sounds, weighty: sounds.some((sound) => sound.stressed), ending: 'none' };
}
